"""The README's pictures, taken from the program: ``python -m assets.pictures`` (under a display, or xvfb-run)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent / "readme"
SCENARIOS = Path(__file__).parent / "scenarios"


def window(path: Path, at: float = 15.0, size: tuple[int, int] = (1600, 1000)) -> None:
    """A screenshot of the main window on its first scenario at a time [s]."""
    from PySide6.QtWidgets import QApplication

    from app.window.main import MainWindow

    app = QApplication.instance() or QApplication(sys.argv[:1])
    shown = MainWindow()
    shown.resize(*size)
    shown.show()
    shown.begin()
    _wait(app, lambda: shown.session.clock.complete, 120)
    shown.session.clock.playing = False
    shown.session.seek(at)
    _wait(app, lambda: False, 3)
    picture = shown.grab()
    shown.close()
    picture.save(str(path))


def _wait(app: object, ready: object, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not ready():
        app.processEvents()
        time.sleep(0.01)


def frame(path: Path, at: float = 15.0) -> None:
    """The frame of an exported video at a time [s]."""
    from imageio_ffmpeg import get_ffmpeg_exe

    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        scenario = str(SCENARIOS / "cuboid-major.toml")
        options = ["--size", "1280x720", "--fps", "5", "--quiet"]
        subprocess.run([sys.executable, "-m", "app", "video", scenario, "-o", str(film), *options], check=True)
        command = [get_ffmpeg_exe(), "-y", "-ss", str(at), "-i", str(film), "-frames:v", "1", str(path)]
        subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    """Take all of them."""
    HERE.mkdir(exist_ok=True)
    window(HERE / "window.png")
    frame(HERE / "frame.png")


if __name__ == "__main__":
    main()
