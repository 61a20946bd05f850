"""The stage: what is seen. Draws with VTK and knows no window."""

from app.stage.ground.shaded_relief import prepare
from app.stage.stage import DEFAULT_OVERLAYS, OVERLAYS, Stage

__all__ = ["DEFAULT_OVERLAYS", "OVERLAYS", "Stage", "prepare"]
