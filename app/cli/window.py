"""``polhode [FILE]``: a check that a window can open here, before Qt is loaded: Qt ends the process where none can.

Loads nothing heavy without a file, so that the window appears at once.
"""

from __future__ import annotations

import ctypes
import gc
import os
import socket
import struct
import subprocess
import sys
import time
from argparse import Namespace
from contextlib import suppress

from app.system import processes
from app.system.language import tr
from app.system.signals import postponed
from app.system.terminal import one_line

TRIES = 5  # attempts to reach the display server, in half a second
PATIENCE = 10.0  # [s] for a Wayland compositor to answer
# what Qt's xcb plugin and OpenGL load, and the Debian package that brings it
_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}


def window(arguments: Namespace) -> int:
    """``polhode [FILE]``: open the window, which asks how a measured motion or a mesh is read."""
    file, saved, mesh = arguments.file, None, None
    if file is not None:  # wrong files are refused before a window opens
        from app.cli.options import reading_of
        from app.cli.overrides import building
        from app.cli.progress import Progress
        from app.document.open import check_columns, is_body, is_motion, saved_for
        from physics import World
        from physics.bodies.mesh_io import METRES, read_mesh
        from physics.core.errors import NotInMetres, naming

        if arguments.role is None and is_motion(file):
            check_columns(file)
        elif (
            is_body(file, arguments.role)
            and reading_of(arguments) == METRES
            and getattr(arguments, "unit", None) is None
        ):
            mesh = read_mesh(file)
        else:
            saved = saved_for(file, arguments.role, reading_of(arguments))
            with naming(file), suppress(NotInMetres), Progress(None) as progress, building(progress):
                World.of(saved.schedule.scenario)  # of such a map the window asks whether to project it
    if why := obstacle():
        print(f"polhode: {one_line(why)}", file=sys.stderr)
        return 1
    gc.disable()  # modules stay: searching them for garbage takes a tenth of the start
    with postponed():  # Qt's own imports lose an interruption, or turn it into another error
        from app.window.main import open_window
    return open_window(file, saved, arguments.view, arguments.language, arguments.role, mesh)


def obstacle() -> str | None:
    """Reason why no window can open, one sentence, or None."""
    if sys.platform != "linux":
        return None
    platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    missing = {name: package for name, package in _LIBRARIES.items() if not _loads(name)}
    if missing:
        text = tr("{libraries} missing; on Debian and Ubuntu: apt install {packages}")
        return text.format(libraries=", ".join(missing), packages=" ".join(missing.values()))
    if platform not in ("", "xcb", "wayland"):  # offscreen, minimal, vnc, eglfs need no display server
        text = tr("Qt shows no window by QT_QPA_PLATFORM={platform}; expected xcb, wayland or none")
        return None if _begins() else text.format(platform=platform)
    instead = tr("'polhode video SCENARIO -o film.mp4' needs none")
    wayland, x11 = os.environ.get("WAYLAND_DISPLAY", ""), os.environ.get("DISPLAY", "")
    if platform == "wayland" or (wayland and not x11 and platform != "xcb"):  # with both, the window takes X
        name = wayland or "wayland-0"
        if _compositor_answers(name):
            return None
        return tr("the Wayland display {name} does not answer; {instead}").format(name=name, instead=instead)
    if not x11:
        return tr("there is no display for a window; {instead}").format(instead=instead)
    if not _answers():
        return tr("the display {name} does not answer; {instead}").format(name=x11, instead=instead)
    return None


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _begins() -> bool:
    """True if Qt starts with a screen on this platform; tried in another process, which Qt may end."""
    program = "import sys; from PySide6.QtGui import QGuiApplication as App; sys.exit(not App([]).screens())"
    command, known = processes.python("-c", program), processes.environment()
    return subprocess.run(command, env=known, cwd=processes.ROOT, capture_output=True, check=False).returncode == 0


def _compositor_answers(name: str) -> bool:
    """True if a Wayland compositor answers at a socket, named in XDG_RUNTIME_DIR or by its path."""
    if "WAYLAND_SOCKET" in os.environ:  # an open connection, which must not be used up
        return True
    place = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), name)
    if not os.path.isabs(place):
        return False
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        try:
            connection.connect(place)
            connection.sendall(struct.pack("=III", 1, 12 << 16, 2))  # wl_display.sync, answered as object 2
            return bool(connection.recv(1))
        except OSError:
            return False


def _answers() -> bool:
    """True if an X server answers at DISPLAY.

    The connection stays open: a server restarts when its only client leaves (Xvfb does), and refuses Qt meanwhile.
    A server that is just restarting is tried again.
    """
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    for _ in range(TRIES):
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
        if not xcb.xcb_connection_has_error(connection):
            return True
        xcb.xcb_disconnect(connection)
        time.sleep(0.1)
    return False
