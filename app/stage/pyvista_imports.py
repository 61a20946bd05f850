"""PyVista without Matplotlib: it imports the whole of it for charts and colour maps of its own that nothing here draws.

That took 0.4 s of 1.1 s in which PyVista is loaded. While it is, modules stand for those that it asks for; each loads
the real one as soon as something in it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

STANDING_FOR = ("matplotlib", "matplotlib.colors", "matplotlib.pyplot", "matplotlib.backends.backend_agg")
CALLED = ("FigureCanvasAgg", "ListedColormap")  # classes that PyVista takes as it is loaded, and only calls


class Colormap:
    """Stands for Matplotlib's class while PyVista is loaded, which makes unions of types and asks for a theme's map."""


class _Later:
    """Stands for a thing in a module, which is loaded when the thing is called or an item of it is asked for."""

    loading = False

    def __init__(self, module: _StandIn, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, *args: Any, **more: Any) -> Any:
        return getattr(self._module.real(), self._name)(*args, **more)

    def __getitem__(self, key: str) -> Any:
        return Colormap() if self.loading else getattr(self._module.real(), self._name)[key]


class _StandIn(ModuleType):
    """Has what the module of the same name has, which is loaded when it is first asked for something."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        if "." not in name and (found := find_spec(name)) is not None:
            self.__path__ = list(found.submodule_search_locations or [])  # another thread may import a part of it

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions about a module
            raise AttributeError(name)
        if name in CALLED or (self.__name__, name) == ("matplotlib", "colormaps"):
            return _Later(self, name)
        return getattr(self.real(), name)

    def real(self) -> ModuleType:
        """The module."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return import_module(self.__name__)


def load_pyvista() -> None:
    """Load what PyVista draws with; does nothing where it is loaded already."""
    if "pyvista.plotting" in sys.modules:
        return
    standing = {name: _StandIn(name) for name in STANDING_FOR if name not in sys.modules}
    sys.modules.update(standing)
    for name, module in standing.items():
        if parent := standing.get(name.rpartition(".")[0]):
            setattr(parent, name.rpartition(".")[2], module)
    colours = standing.get("matplotlib.colors", ModuleType(""))
    vars(colours)[Colormap.__name__], _Later.loading = Colormap, True
    try:
        import_module("pyvista.plotting")
    finally:
        _Later.loading = False
        del vars(colours)[Colormap.__name__]
        for name, module in standing.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


load_pyvista()
