"""The window: all that knows Qt."""

from importlib import import_module

import PySide6.QtCore  # noqa: F401 - it brings the hook


def _search_no_features() -> None:
    """Keep PySide from reading the source of every module that is imported after it.

    It looks there for the word PySide6, as a module that has it might ask for other names of Qt's functions. None does;
    the search took 0.25 s of a start. Where this PySide searches in another way, it goes on.
    """
    hook = import_module("shibokensupport.feature")
    if hasattr(hook, "_mod_uses_pyside"):
        setattr(hook, "_mod_uses_pyside", lambda module: False)  # noqa: B010 - private: there is no switch


_search_no_features()
