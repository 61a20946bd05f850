"""ffmpeg, the separate program that imageio-ffmpeg brings: frames go in one by one, a video comes out."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np

from physics import PhysicsError

Sink = Callable[[np.ndarray], None]  # takes a picture (height, width, 3), 8 bits a colour

# HD video is BT.709; the file says so too, or players guess
_COLOURS = (
    "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format={},"
    "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv"
)
_PIXELS = {".mp4": "yuv420p", ".webm": "yuv420p", ".mov": "yuv422p10le"}  # those of others are as they are drawn
_CODECS = {
    ".mp4": "-c:v libx264 -preset veryfast -crf 18 -movflags +faststart -f mp4",
    ".apng": "-c:v apng -plays 0 -f apng",
    ".mov": "-c:v prores_ks -profile:v hq -vendor apl0 -fflags +bitexact -movflags use_metadata_tags -f mov",
    ".mkv": "-c:v ffv1 -level 3 -g 1 -slices 4 -slicecrc 1 -fflags +bitexact -f matroska",
    ".webm": "-c:v libvpx-vp9 -crf 28 -b:v 0 -deadline good -cpu-used 5 -row-mt 1 -fflags +bitexact -f webm",
}


@dataclass(frozen=True)
class Chapter:
    """A part of a film, from a time to another one [s], with a name that players list."""

    start: float
    end: float
    name: str


@contextmanager
def film(
    part: Path,
    suffix: str,
    size: tuple[int, int],
    fps: float,
    title: str,
    comment: str,
    chapters: Sequence[Chapter] = (),
) -> Iterator[Sink]:
    """A sink that encodes frames of size (width, height).

    suffix : of the file: .mp4 (H.264), .webm (VP9), .mov (ProRes 422 HQ), .mkv (FFV1, lossless) or .apng (lossless)
    """
    w, h = size  # 4:2:0 wants even sides: odd ones get a pixel more
    even = f"pad={w + w % 2}:{h + h % 2},fillborders=right={w % 2}:bottom={h % 2}:mode=smear,"
    pixels = _PIXELS.get(suffix)
    filters = [] if pixels is None else ["-vf", (even if w % 2 or h % 2 else "") + _COLOURS.format(pixels)]
    settings = [*filters, *_CODECS[suffix].split()]
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "notes.txt")  # as an argument a recipe of 128 kB is too long
        told = [
            ";FFMETADATA1",
            _note("comment", comment),
            _note("title", title),
            *(line for chapter in chapters for line in _part(chapter)),
        ]
        notes.write_bytes("\n".join(_ended(told)).encode())
        inputs = ["-f", "ffmetadata", "-i", _file(notes)]
        with _encoder(size, fps, inputs, ["-map", "0", "-map_metadata", "1", *settings, _file(part)]) as sink:
            yield sink


def _note(key: str, text: str) -> str:
    """A line of a file of notes, with all that means something there escaped; no NUL, which would end the line.

    Where a text ends with a backslash ffmpeg takes the end of its line for a part of it: no recipe does, and a title
    gets a blank there, unless it is the last line, without an end.
    """
    escaped = re.sub(r"([=;#\\\r\n])", r"\\\1", text.replace("\0", " "))
    return f"{key}={escaped}"


def _ended(lines: list[str]) -> list[str]:
    """Lines of which only the last one may end with a backslash."""
    return [*(line + " " * line.endswith("\\") for line in lines[:-1]), lines[-1]]


def _part(chapter: Chapter) -> list[str]:
    """Lines of a file of notes about a chapter."""
    times = f"START={round(1000 * chapter.start)}", f"END={round(1000 * chapter.end)}"
    return ["[CHAPTER]", "TIMEBASE=1/1000", *times, _note("title", chapter.name)]


@contextmanager
def gif(part: Path, size: tuple[int, int], fps: float, samples: Iterable[np.ndarray]) -> Iterator[Sink]:
    """A sink that encodes frames to a .gif; the samples give its 256 colours, so that no frame is kept."""
    with tempfile.TemporaryDirectory() as folder:
        palette = _file(Path(folder, "palette.png"))
        with _encoder(size, fps, [], ["-vf", "palettegen", "-update", "1", "-frames:v", "1", palette]) as sink:
            for sample in samples:
                sink(sample)
        settings = ["-lavfi", "[0:v][1:v]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle", "-f", "gif"]
        with _encoder(size, fps, ["-i", palette], [*settings, _file(part)]) as sink:
            yield sink


@contextmanager
def _encoder(size: tuple[int, int], fps: float, inputs: list[str], outputs: list[str]) -> Iterator[Sink]:
    """A sink that writes to ffmpeg's standard input; OSError with ffmpeg's last words when it fails.

    imageio_ffmpeg.write_frames would do, but tells neither that ffmpeg failed nor why.
    """
    rate = str(Fraction(fps).limit_denominator(1001))
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", rate, "-i", "-"]
    command = [*ffmpeg(), "-y", *raw, *inputs, *outputs]
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=words, **_own_group())
        assert process.stdin is not None
        try:
            yield lambda frame: _send(process, frame)
            process.stdin.close()
            failed = process.wait() != 0
        except BrokenPipeError:
            failed = True
        finally:  # also after Ctrl+C: the file is thrown away, nobody waits for it
            process.kill()
            process.wait()
            _close(process)
        if failed:
            words.seek(0)
            lines = words.read().decode(errors="replace").strip().splitlines() or ["ffmpeg ended early"]
            raise OSError(re.sub(r"^\[.*?\] ", "", lines[-1]))


def _file(path: Path) -> str:
    """A path as ffmpeg takes it for nothing else: a name may begin with - or tell a protocol before a colon."""
    return f"file:{path.absolute()}"


def ffmpeg() -> list[str]:
    """How a command of ffmpeg begins that tells nothing but errors; PhysicsError where there is no ffmpeg."""
    try:
        found = shutil.which(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        found = None
    if found is None:
        raise PhysicsError("no ffmpeg to make films with; try: pip install --force-reinstall imageio-ffmpeg")
    return [found, "-hide_banner", "-loglevel", "error"]


def _send(process: subprocess.Popen[bytes], frame: np.ndarray) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(frame.data)
    except OSError as error:  # Windows has another name for it
        raise BrokenPipeError from error


def _close(process: subprocess.Popen[bytes]) -> None:
    """Close the pipe; what is left in its buffer has nowhere to go."""
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


def _own_group() -> dict[str, Any]:
    """Ctrl+C in a terminal is for polhode, which then ends ffmpeg."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
