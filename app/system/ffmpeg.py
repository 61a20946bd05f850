"""Videos by ffmpeg, a separate program that imageio-ffmpeg brings: frames go in one by one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
from PIL import Image

from physics import PhysicsError
from physics.core.cancellation import undone_by
from physics.io.trajectory_writers import replacing, scratch_folder

_R, _G, _B = 0.2126, 0.7152, 0.0722  # Rec. ITU-R BT.709-6, table 3: E'Y
_Y, _C = 219 / 255, 224 / 255  # table 4: 8 bits, black at 16 and white at 235; colours around 128
_BLUE, _RED = 2 * (1 - _B), 2 * (1 - _R)
LUMA = (_Y * _R, _Y * _G, _Y * _B, 16.0)
BLUE = (-_C * _R / _BLUE, -_C * _G / _BLUE, _C * (1 - _B) / _BLUE, 128.0)
RED = (_C * (1 - _R) / _RED, -_C * _G / _RED, -_C * _B / _RED, 128.0)


class PlanarPicture:
    """The planes of the picture that was converted last. Its sides are even."""

    def __init__(self, size: tuple[int, int]) -> None:
        wide, high = size
        self._planes = np.empty(wide * high * 3 // 2, np.uint8)
        luma, blue, red = np.split(self._planes, [wide * high, wide * high * 5 // 4])
        self._luma = luma.reshape(high, wide)
        self._blue, self._red = (plane.reshape(high // 2, wide // 2) for plane in (blue, red))
        self._before: np.ndarray | None = None

    def planes(self, picture: np.ndarray) -> np.ndarray:
        """The planes of a picture (height, width, 3), 8 bits a colour, one after the other: the caller's own.

        The picture must not change afterwards: the next one is compared with it.
        """
        picture = np.ascontiguousarray(picture)
        for first, end in self._changed(picture):
            part = Image.fromarray(picture[2 * first : 2 * end])
            self._luma[2 * first : 2 * end] = np.asarray(part.convert("L", LUMA))
            fourth = part.reduce(2)
            self._blue[first:end] = np.asarray(fourth.convert("L", BLUE))
            self._red[first:end] = np.asarray(fourth.convert("L", RED))
        self._before = picture
        return self._planes.copy()

    def _changed(self, picture: np.ndarray) -> list[tuple[int, int]]:
        """Runs of pairs of rows that differ from those before: the first pair, and the one after the last."""
        pairs = len(self._blue)
        if self._before is None:
            return [(0, pairs)]
        now, before = (one.reshape(pairs, -1).view(np.uint32) for one in (picture, self._before))
        differ = np.pad((now != before).any(axis=1), 1)
        edges = np.flatnonzero(differ[1:] != differ[:-1]).tolist()
        return list(zip(edges[::2], edges[1::2], strict=True))


Sink = Callable[[np.ndarray], None]  # takes a picture (height, width, 3), 8 bits a colour

_TAGS = "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv"  # as HD video; else players guess
_FINE = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv422p10le"
_FILTERS = {".mp4": _TAGS, ".webm": _TAGS, ".mov": f"{_FINE},{_TAGS}"}  # others keep the drawn pixels
_PLANAR = (".mp4", ".webm")  # see PlanarPicture
# H.264: 15 ms a frame at 1920 x 1080, in place of 20 ms of veryfast
_QUICK = "subme=1:me=dia:b-adapt=0:weightp=0"
_CODECS = {  # -threads: their number changes the bytes, which must not depend on processors
    ".mp4": f"-c:v libx264 -preset veryfast -crf 18 -x264-params {_QUICK} -threads 4",
    ".apng": "-c:v apng",
    ".mov": "-c:v prores_ks -profile:v hq -vendor apl0",
    ".mkv": "-c:v ffv1 -level 3 -g 1 -slices 4 -slicecrc 1",
    ".webm": "-c:v libvpx-vp9 -crf 28 -b:v 0 -deadline good -cpu-used 5 -row-mt 1",
}
_CONTAINERS = {
    ".mp4": "-movflags +faststart -f mp4",
    ".apng": "-plays 0 -f apng",
    ".mov": "-fflags +bitexact -movflags use_metadata_tags -f mov",
    ".mkv": "-fflags +bitexact -f matroska",
    ".webm": "-fflags +bitexact -f webm",
}


@dataclass(frozen=True)
class Chapter:
    """A part of a film between two times [s], with a name that players list."""

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
    """A sink that encodes frames of size (width, height). If fewer frames are sent, chapters end with the film.

    suffix : of the file: .mp4 (H.264), .webm (VP9), .mov (ProRes 422 HQ), .mkv (FFV1, lossless) or .apng (lossless)
    """
    spare = [size[1] % 2, size[0] % 2] if suffix in _FILTERS else [0, 0]  # codecs with shared colours need even sides
    size = size[0] + spare[1], size[1] + spare[0]
    planar = PlanarPicture(size) if suffix in _PLANAR else None
    filters = ["-vf", _FILTERS[suffix]] if suffix in _FILTERS else []
    container = _CONTAINERS[suffix].split()
    sent = 0

    def send(frame: np.ndarray) -> None:
        nonlocal sent
        if any(spare):
            frame = np.pad(frame, [(0, spare[0]), (0, spare[1]), (0, 0)], mode="edge")
        sink(frame if planar is None else planar.planes(frame))
        sent += 1

    with scratch_folder() as folder:
        notes = folder / "notes.txt"  # a recipe of 128 kB is too long for an argument
        _write_notes(notes, title, comment, chapters)
        metadata = ["-f", "ffmetadata", "-i", _file(notes)]
        outputs = ["-map", "0", "-map_metadata", "1", *filters, *_CODECS[suffix].split(), *container, _file(part)]
        with _encoder(size, fps, metadata, outputs, "yuv420p" if planar else "rgb24") as sink:
            yield send
        if suffix != ".apng" and chapters and chapters[-1].end > (sent + 0.5) / fps:  # interrupted
            _write_notes(notes, title, comment, _until(sent / fps, chapters))
            # chapters past the end are better than no film
            with suppress(subprocess.CalledProcessError, PhysicsError), replacing(part) as cut:
                copied = ["-map", "0:v", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy", *container]
                command = [*ffmpeg(), "-i", _file(part), *metadata, *copied, _file(cut)]
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, **_own_group())


def _until(end: float, chapters: Sequence[Chapter]) -> list[Chapter]:
    """Chapters of a film that ends at a time [s]; none if only one is left."""
    begun = [replace(one, end=min(one.end, end)) for one in chapters if one.start < end]
    return begun if len(begun) > 1 else []


def _write_notes(path: Path, title: str, comment: str, chapters: Sequence[Chapter]) -> None:
    """Write notes on a film as ffmpeg reads them."""
    lines = [";FFMETADATA1", _note("comment", comment), _note("title", title)]
    for one in chapters:
        times = f"START={round(1000 * one.start)}", f"END={round(1000 * one.end)}"
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", *times, _note("title", one.name)]
    lines[:-1] = [line + " " * line.endswith("\\") for line in lines[:-1]]  # see _note
    path.write_bytes("\n".join(lines).encode())


def _note(key: str, text: str) -> str:
    """A line of a file of notes with special characters escaped, and without NUL, which would end the line.

    After a backslash at its end ffmpeg continues a text on the next line: all lines but the last get a blank there.
    """
    escaped = re.sub(r"([=;#\\\r\n])", r"\\\1", text.replace("\0", " "))
    return f"{key}={escaped}"


@contextmanager
def gif(part: Path, size: tuple[int, int], fps: float, samples: Iterable[np.ndarray]) -> Iterator[Sink]:
    """A sink that encodes frames to a .gif with 256 colours chosen from samples, so that frames need not be kept."""
    with scratch_folder() as folder:
        palette = _file(folder / "palette.png")
        with _encoder(size, fps, [], ["-vf", "palettegen", "-update", "1", "-frames:v", "1", palette]) as sink:
            for sample in samples:
                sink(sample)
        settings = ["-lavfi", "[0:v][1:v]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle", "-f", "gif"]
        with _encoder(size, fps, ["-i", palette], [*settings, _file(part)]) as sink:
            yield sink


@contextmanager
def _encoder(
    size: tuple[int, int], fps: float, inputs: list[str], outputs: list[str], pixels: str = "rgb24"
) -> Iterator[Sink]:
    """A sink that writes to ffmpeg's standard input; OSError with ffmpeg's last message if it fails.

    A frame must not change after it is sent. imageio_ffmpeg.write_frames does not report failures of ffmpeg.
    """
    rate = str(Fraction(fps).limit_denominator(1001))
    raw = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{size[0]}x{size[1]}", "-r", rate, "-i", "-"]
    command = [*ffmpeg(), "-y", *raw, *inputs, *outputs]
    with tempfile.TemporaryFile() as words, ThreadPoolExecutor(1) as sender:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=words, **_own_group())
        assert process.stdin is not None
        sending = sender.submit(lambda: None)

        def send(frame: np.ndarray) -> None:  # the next frame is drawn while this one is written
            nonlocal sending
            sending.result()
            sending = sender.submit(_send, process, frame)

        try:
            with undone_by(process.kill):  # before its file is removed, which ffmpeg might write again
                yield send
                sending.result()
                process.stdin.close()
                failed = process.wait() != 0
        except BrokenPipeError:
            failed = True
        finally:  # also after Ctrl+C, when the file is discarded
            process.kill()
            process.wait()
            with suppress(OSError):  # the rest of its buffer has nowhere to go
                process.stdin.close()
        if failed:
            words.seek(0)
            lines = words.read().decode(errors="replace").strip().splitlines() or ["ffmpeg ended early"]
            raise OSError(re.sub(r"^\[.*?\] ", "", lines[-1]))


def _file(path: Path) -> str:
    """A path that ffmpeg takes for nothing else: names may begin with -, or with a protocol and a colon."""
    return f"file:{path.absolute()}"


def ffmpeg() -> list[str]:
    """The start of a command of ffmpeg that prints errors only; PhysicsError if there is no ffmpeg."""
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
    except OSError as error:  # Windows raises another error
        raise BrokenPipeError from error


def _own_group() -> dict[str, Any]:
    """Options of Popen for a process that Ctrl+C in a terminal does not reach: polhode ends ffmpeg itself."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
