"""The stage: what is seen. Draws with VTK and knows no window."""

from app.stage import pyvista_imports  # noqa: F401 - before anything else loads PyVista
from app.stage.stage import DEFAULT_OVERLAYS, OVERLAYS, Stage
from app.stage.terrain_pictures import prepare

__all__ = ["DEFAULT_OVERLAYS", "OVERLAYS", "Stage", "prepare"]
