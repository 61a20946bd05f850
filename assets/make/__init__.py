"""Scripts that write the files of ``assets``, the pages and the releases. Nothing imports them but tests."""
