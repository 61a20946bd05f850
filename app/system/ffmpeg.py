"""ffmpeg, the program that comes with imageio-ffmpeg: it encodes frames as a video."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import imageio_ffmpeg
import numpy as np

from physics import PhysicsError
from physics.core.cancellation import undone_by
from physics.core.wording import N_
from physics.io.trajectory_writers import replacing, scratch_folder

Sink = Callable[[np.ndarray], None]  # takes a picture (height, width, 3), or 4 with its opacity, 8 bits each

# of HD video; without them players guess
_TAGS = "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv"
_SCALED = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int"
# of H.264: veryfast takes 20 ms a frame at 1920 x 1080; these take 15
_QUICK = "subme=1:me=dia:b-adapt=0:weightp=0"
_VP9 = "-c:v libvpx-vp9 -crf 28 -b:v 0 -deadline good -cpu-used 5 -row-mt 1"


class Encoding(NamedTuple):
    """Options with which ffmpeg writes films of a format.

    Attributes
    ----------
    codec : its options, with as many threads as give the same bytes on all processors
    container : its options
    pixels : layout of the encoded pixels; None: as they are drawn
    clear, clear_pixels : codec and layout of films with an opacity; None: it cannot have one
    demuxer : ffmpeg's name of the container; "" where it is not read by ffmpeg
    whole_every : frames after which the encoder begins anew; None: never
    """

    codec: str
    container: str
    pixels: str | None = None
    clear: str | None = None
    clear_pixels: str | None = None
    demuxer: str = ""
    whole_every: int | None = None


ENCODINGS = {
    ".mp4": Encoding(
        f"-c:v libx264 -preset veryfast -crf 18 -x264-params {_QUICK} -threads 4",
        "-movflags +faststart -f mp4",
        "yuv420p",
        demuxer="mov",
        whole_every=250,
    ),
    ".webm": Encoding(
        _VP9,
        "-fflags +bitexact -f webm",
        "yuv420p",
        f"{_VP9} -auto-alt-ref 0",
        "yuva420p",
        demuxer="matroska",
        whole_every=128,
    ),
    ".mov": Encoding(
        "-c:v prores_ks -profile:v hq -vendor apl0",
        "-fflags +bitexact -movflags use_metadata_tags -f mov",
        "yuv422p10le",
        "-c:v prores_ks -profile:v 4444 -vendor apl0",
        "yuva444p10le",
        demuxer="mov",
        whole_every=1,
    ),
    ".mkv": Encoding(
        "-c:v ffv1 -level 3 -g 1 -slices 4 -slicecrc 1",
        "-fflags +bitexact -f matroska",
        demuxer="matroska",
        whole_every=1,
    ),
    ".apng": Encoding("-c:v apng", "-plays 0 -f apng", clear="-c:v apng", clear_pixels="rgba"),
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
    *,
    clear: bool = False,
) -> Iterator[Sink]:
    """A sink that encodes frames of size (width, height). Chapters end with the film, if fewer frames are sent.

    suffix : of the file, one of ENCODINGS
    clear : whether frames have an opacity, in a format that has one; .mov is ProRes 4444 then
    """
    encoding = ENCODINGS[suffix]
    spare = [size[1] % 2, size[0] % 2] if encoding.pixels else [0, 0]  # subsampled colours need even sides
    size = size[0] + spare[1], size[1] + spare[0]
    codec = encoding.clear if clear and encoding.clear else encoding.codec
    pixels = encoding.clear_pixels if clear else encoding.pixels
    filters = ["-vf", f"{_SCALED},format={pixels},{_TAGS}"] if encoding.pixels else []
    container = encoding.container.split()
    sent = 0

    def send(frame: np.ndarray) -> None:
        nonlocal sent
        if any(spare):
            frame = np.pad(frame, [(0, spare[0]), (0, spare[1]), (0, 0)], mode="edge")
        sink(frame)
        sent += 1

    with scratch_folder() as folder:
        notes = folder / "notes.txt"  # as an argument a recipe of 128 kB is too long
        _write_notes(notes, title, comment, chapters)
        metadata = ["-f", "ffmetadata", "-i", _file(notes)]
        outputs = ["-map", "0", "-map_metadata", "1", *filters, *codec.split(), *container, _file(part)]
        with _encoder(size, fps, metadata, outputs, "rgba" if clear else "rgb24") as sink:
            yield send
        if encoding.demuxer and chapters and chapters[-1].end > (sent + 0.5) / fps:  # it was interrupted
            _write_notes(notes, title, comment, _until(sent / fps, chapters))
            # a film whose chapters reach past its end is better than none
            with suppress(subprocess.CalledProcessError, PhysicsError), replacing(part) as cut:
                copied = ["-map", "0:v", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy", *container]
                command = [*ffmpeg(), "-i", _file(part), *metadata, *copied, _file(cut)]
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, **_own_group())


def _until(end: float, chapters: Sequence[Chapter]) -> list[Chapter]:
    """The chapters of a film that ends at a time [s]; none where there is no second one."""
    begun = [replace(one, end=min(one.end, end)) for one in chapters if one.start < end]
    return begun if len(begun) > 1 else []


def _write_notes(path: Path, title: str, comment: str, chapters: Sequence[Chapter]) -> None:
    """A file of notes on a film, as ffmpeg reads them."""
    parts = (line for chapter in chapters for line in _part(chapter))
    lines = [";FFMETADATA1", _note("comment", comment), _note("title", title), *parts]
    path.write_bytes("\n".join(_ended(lines)).encode())


def _note(key: str, text: str) -> str:
    """A line of a file of notes, with special characters escaped and no NUL, which would end the line.

    Where a text ends with a backslash ffmpeg takes the end of its line for a part of it: no recipe does, and a title
    gets a blank there, unless it is the last line, without an end.
    """
    escaped = re.sub(r"([=;#\\\r\n])", r"\\\1", text.replace("\0", " "))
    return f"{key}={escaped}"


def _ended(lines: list[str]) -> list[str]:
    """Lines of which only the last one may end with a backslash."""
    return [*((line + " " if line.endswith("\\") else line) for line in lines[:-1]), lines[-1]]


def _part(chapter: Chapter) -> list[str]:
    """Lines of a file of notes about a chapter."""
    times = f"START={round(1000 * chapter.start)}", f"END={round(1000 * chapter.end)}"
    return ["[CHAPTER]", "TIMEBASE=1/1000", *times, _note("title", chapter.name)]


@contextmanager
def gif(part: Path, size: tuple[int, int], fps: float, samples: Iterable[np.ndarray]) -> Iterator[Sink]:
    """A sink that encodes frames to a .gif; the samples give its 256 colours, so that no frame is kept."""
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
    """A sink that writes to ffmpeg's standard input; OSError with ffmpeg's last words when it fails.

    imageio_ffmpeg.write_frames reports neither a failure of ffmpeg nor its reason.
    """
    rate = str(Fraction(fps).limit_denominator(1001))
    raw = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{size[0]}x{size[1]}", "-r", rate, "-i", "-"]
    command = [*ffmpeg(), "-y", *raw, *inputs, *outputs]
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=words, **_own_group())
        assert process.stdin is not None
        pipe = process.stdin

        def send(frame: np.ndarray) -> None:
            try:
                pipe.write(frame.data)
            except OSError as error:  # Windows has another name for it
                raise BrokenPipeError from error

        try:
            with undone_by(process.kill):  # before its file is removed, which it might write anew
                yield send
                pipe.close()
                failed = process.wait() != 0
        except BrokenPipeError:
            failed = True
        finally:  # also after Ctrl+C: the file is removed anyway
            process.kill()
            process.wait()
            with suppress(OSError):  # what is left in the pipe's buffer has nowhere to go
                pipe.close()
        if failed:
            words.seek(0)
            lines = words.read().decode(errors="replace").strip().splitlines() or ["ffmpeg ended early"]
            raise OSError(re.sub(r"^\[.*?\] ", "", lines[-1]))


def _file(path: Path) -> str:
    """A path in a form that ffmpeg takes for a file: a name may begin with - or hold a colon, as protocols do."""
    return f"file:{path.absolute()}"


def ffmpeg() -> list[str]:
    """First words of a command of ffmpeg that prints errors only; PhysicsError where there is no ffmpeg."""
    try:
        found = shutil.which(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        found = None
    if found is None:
        raise PhysicsError(N_("no ffmpeg found; try: pip install --force-reinstall imageio-ffmpeg"))
    return [found, "-hide_banner", "-loglevel", "error"]


def _own_group() -> dict[str, Any]:
    """Arguments that keep Ctrl+C in a terminal from ffmpeg, which polhode ends itself."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
