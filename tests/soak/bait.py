"""Bait: the files that a random user opens, the places that he saves to, and the texts that he types."""

from __future__ import annotations

import random
import shutil
import string
from pathlib import Path

from pyvista import Cube

import assets
from app.document.session import ENDING, SavedSession, save_session, to_text
from physics import load_scenario
from physics.simulation.schedule import Schedule
from tests.soak.windows import SCENES

CORPUS = Path(__file__).parents[1] / "corpus"
TERRAIN = Path(assets.__file__).parent / "terrain"
NUMBERS = ("0", "1", "-1", "2", "0.5", "1e-3", "12", "0.01", "3.7", "45", "100", "20", "0.002", "5")
ABSURD = (
    *("", " ", "nan", "inf", "-inf", "1e308", "-1e308", "1e-308", "5e-324", "1e400", "1e15", "999999999999", "-0"),
    *("abc", "1,5", "0x10", "1_000", "--3", "1e", ".", "½", "１２", "٣", "²", "…", "ω", "𝟙", "😀", "\u202e12"),
    *("~nobody/film.mp4", "~/film.png", "../film.mp4", "/", "//", ".", "..", "a/b/c.png", "%s %d {}", "<b>1</b>"),
    *("10, 20; 30, 25", "1, 2; 3", "0, 0; 0, 0; 0, 0", ";", "1e308, 1e308; -1e308, 5", "nan, nan; 1, 2"),
)  # fmt: skip


class Bait:
    """Made once in a folder, in which everything stays."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.rng, self.folder = rng, folder
        folder.mkdir()
        self.good, self.wrong = self._good(), self._wrong()
        saved = SavedSession(Schedule.of(load_scenario(next(path for path in SCENES if path.stem == "top-steady"))))
        text = to_text(saved)
        self.copied = (text, text[:-7], text.replace("polhode1", "polhode9"), "polhode1:", "hello", "", "x" * 100_000)

    def _good(self) -> list[Path]:
        """What opens."""
        for file in TERRAIN.iterdir():
            shutil.copy(file, self.folder)
        Cube().triangulate().save(self.folder / "rock.stl", binary=False)
        (self.folder / "rock.pts").write_text("0 0 0\n2 0 0\n0 1 0\n0 0 3\n2 1 3\n")
        session = self.folder / f"session{ENDING}"
        save_session(session, SavedSession(Schedule.of(load_scenario(SCENES[0]))))
        return [*SCENES, session, *(self.folder / name for name in ("rock.stl", "rock.pts", "ramp.asc", "alpine.tif"))]

    def _wrong(self) -> list[Path]:
        """What does not: missing, of another kind, damaged; tests/corpus holds what once broke a reader."""
        here = self.folder
        (here / "empty.toml").write_text("")
        (here / "zeros.toml").write_bytes(bytes(5000))
        (here / "words.txt").write_text("To be, or not to be\n")
        (here / "picture.toml").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
        (here / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
        (here / "film.mp4").write_bytes(bytes(3000))
        (here / "locked.toml").write_text("kind = 'free'\n")
        (here / "locked.toml").chmod(0)
        (here / "nothing").mkdir()
        (here / "folder.toml").mkdir()
        (here / "loop.toml").symlink_to(here / "loop.toml")
        made = ("empty.toml", "zeros.toml", "words.txt", "picture.toml", "picture.png", "film.mp4", "locked.toml")
        missing = ("missing.toml", "nothing", "folder.toml", "loop.toml", "words.txt/in.toml", "x" * 300 + ".toml")
        return [*(here / name for name in (*made, *missing)), *sorted(p for p in CORPUS.rglob("*") if p.is_file())]

    def to_open(self) -> Path:
        """A file to open, good or wrong."""
        return self.rng.choice(self.good if self.rng.random() < 0.6 else self.wrong)

    def to_save(self) -> str:
        """A place to write to, good or wrong."""
        names = ("out.png", "out.polhode.toml", "out", "out.csv", "out.svg", "out.mp4", "out.glb", "ünïcödé 😀.png")
        wrong = ("no-such/out.png", "words.txt/out.png", "folder.toml", "x" * 300 + ".png", ".", "out.xyz", "nothing")
        return str(self.folder / self.rng.choice(names if self.rng.random() < 0.7 else wrong))

    def text(self, now: str) -> str:
        """What is typed into a field where something stands already."""
        choice = self.rng.random()
        if choice < 0.4:
            try:
                return f"{float(now) * self.rng.choice((0.5, 0.9, 1.1, 2.0)):.4g}"
            except ValueError:
                return self.rng.choice(NUMBERS)
        if choice < 0.65:
            return self.rng.choice(NUMBERS)
        if choice < 0.95:
            return self.rng.choice(ABSURD)
        if choice < 0.97:
            return str(self.rng.choice(self.wrong + self.good))
        return self.rng.choice(string.digits + string.ascii_letters + "µ. -") * self.rng.choice((30, 400, 5000, 40_000))
