"""The ground of one viewport: the results of its own scheme, and the numbers on contour lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyvista as pv

from app.stage.ground.ensemble_actors import PathActor, PathGeometry
from app.stage.text.upright_labels import UprightLabels
from app.system.language import tr
from physics.schemes.scheme import Scheme


class ViewportGround:
    """A viewport with lanes of some schemes, and what it shows of an ensemble: the rocks of one of these schemes."""

    def __init__(self, renderer: pv.Renderer, schemes: Sequence[Scheme], rocks: PathActor, tags: UprightLabels) -> None:
        self.renderer, self.schemes, self.rocks, self.tags = renderer, tuple(schemes), rocks, tags
        self.whose: Scheme | None = None  # whose results are drawn here
        self.empty = False  # whether there are results, and none of these schemes
        self._drawn: PathGeometry | None = None
        renderer.AddViewProp(tags.actor)

    def leave(self) -> None:
        """Go out of the viewport."""
        self.renderer.RemoveViewProp(self.tags.actor)

    def known(self, names: Collection[str]) -> list[Scheme]:
        """Those of its schemes that are among some names."""
        return [scheme for scheme in self.schemes if scheme.name in names]

    def take(self, names: Collection[str] | None, wanted: str) -> str:
        """Of these schemes there are results (None: there are none at all): the one that is shown here; "": none is.

        wanted : the one to be shown where there are several
        """
        known = self.known(names or ())
        self.whose = next((scheme for scheme in known if scheme.name == wanted), known[0] if known else None)
        self.empty = names is not None and self.whose is None
        return "" if self.whose is None else self.whose.name

    def show(self, path_geometry: PathGeometry | None, rock: int | None) -> None:
        """Draw these paths, one of them bold."""
        if path_geometry is not self._drawn:
            self._drawn = path_geometry
            if path_geometry is None:
                self.rocks.clear()
            else:
                self.rocks.show(path_geometry)
        self.rocks.choose(rock)

    def told(self, scheme: Scheme, laid: str) -> str:
        """What is drawn here of the results of a scheme, for its caption; laid: the title of the map here, if any."""
        if self.empty:
            return tr("no results of many rocks")
        if self.whose is None or scheme.name != self.whose.name:
            return ""
        return ", ".join(part for part in (self.rocks.told, laid) if part)
