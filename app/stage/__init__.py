"""The stage: what is seen. Draws with VTK and knows no window."""

from app.stage.stage import DEFAULT_OVERLAYS, OVERLAYS, Stage
from app.stage.terrain_pictures import prepare

__all__ = ["DEFAULT_OVERLAYS", "OVERLAYS", "Stage", "prepare"]
