"""Camera modes: a row each, from which schema, menus, shortcuts, export form, command line and help are made."""

from __future__ import annotations

from typing import Literal, NamedTuple


class CameraMode(NamedTuple):
    """Mode in which a camera looks at a motion.

    Attributes
    ----------
    title : in a list of modes
    tip : one sentence for the menu
    keys : shortcut; "" where the mode has an action of its own
    command : for the menu, where it differs from the title
    synonyms : further words by which the command is found
    stands : direction from the motion in which the camera stands, or "behind" its start; None: as the kind of motion is
        framed
    moves : it goes with the body, by a rule in ``app.stage.camera.modes``
    parallel : degree, 0 or 1, to which its lines of sight are parallel
    """

    title: str
    tip: str = ""
    keys: str = ""
    command: str = ""
    synonyms: str = "view camera"
    stands: tuple[float, float, float] | Literal["behind"] | None = None
    moves: bool = False
    parallel: float = 0.0


CAMERA_MODES = {
    "fit": CameraMode("The whole motion"),
    "follow": CameraMode("With the body", moves=True),
    "ride": CameraMode(
        "On the body",
        "Let the camera ride on the body",
        "Shift+F",
        command="Ride on the body",
        synonyms="onboard first person camera body",
        moves=True,
    ),
    "front": CameraMode("From the front", "Look along y, on a map to the north", "Ctrl+1", stands=(0.0, -1.0, 0.12)),
    "side": CameraMode("From the side", "Look against x, on a map to the west", "Ctrl+2", stands=(1.0, 0.0, 0.12)),
    "top": CameraMode(
        "From above",
        "Look down, on a map with north up",
        "Ctrl+3",
        synonyms="birds eye plan map north view camera",
        stands=(0.0, -1e-6, 1.0),  # aside by less than a pixel, so that north is up
        parallel=1.0,
    ),
    "back": CameraMode("From the back", "Look against y, on a map to the south", "Ctrl+4", stands=(0.0, 1.0, 0.12)),
    "left": CameraMode("From the left", "Look along x, on a map to the east", "Ctrl+5", stands=(-1.0, 0.0, 0.12)),
    "slope": CameraMode("Down the slope", "Look down the slope from behind the start", "Ctrl+6", stands="behind"),
}
