"""PyVista without Matplotlib's windows: it imports ``matplotlib.pyplot`` for charts of its own that nothing here draws.

That took 0.3 s of 1.1 s in which PyVista is loaded. While it is, two modules stand for those that it asks for; either
loads the real one as soon as something in it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

STANDING_FOR = ("matplotlib.pyplot", "matplotlib.backends.backend_agg")


class _StandIn(ModuleType):
    """Has what the module of the same name has, which is loaded when it is first asked for something."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions about a module
            raise AttributeError(name)
        if name == "FigureCanvasAgg":  # PyVista asks as it is loaded, and calls it in its charts of Matplotlib only
            return lambda *args, **more: self._real().FigureCanvasAgg(*args, **more)
        return getattr(self._real(), name)

    def _real(self) -> ModuleType:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return import_module(self.__name__)


def load_pyvista() -> None:
    """Load what PyVista draws with; does nothing where it is loaded already."""
    if "pyvista.plotting" in sys.modules:
        return
    import_module("matplotlib.backends")
    standing = [_StandIn(name) for name in STANDING_FOR if name not in sys.modules]
    sys.modules.update((module.__name__, module) for module in standing)
    try:
        import_module("pyvista.plotting")
    finally:
        for module in standing:
            if sys.modules.get(module.__name__) is module:
                del sys.modules[module.__name__]


load_pyvista()
