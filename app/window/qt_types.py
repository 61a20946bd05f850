"""Qt's types: all of them are made before a second thread may ask for one."""

from __future__ import annotations

from functools import cache

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets

MODULES = (QtCore, QtGui, QtWidgets, QtSvg)


@cache
def make_types() -> None:
    """Make every type of Qt now, in a tenth of a second.

    PySide makes a type when it is first asked for, and two threads that do so at once end the process: pyqtgraph,
    which is loaded in a thread, asks for all of them.
    """
    for module in MODULES:
        for name in dir(module):
            getattr(module, name)
