"""Charts for the window, for films and for print."""
