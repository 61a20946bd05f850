"""What charts draw, for the window, for films and for print."""
