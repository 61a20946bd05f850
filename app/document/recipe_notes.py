"""Notes at the end of .gif and .apng files: ffmpeg writes no recipe there, so it is added to the finished file."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

_END_OF_PNG = 12  # bytes of its last chunk, IEND


def add_note(path: Path, suffix: str, text: str) -> None:
    """Add a text to a .gif (a comment extension) or an .apng (an iTXt chunk named Comment) before its end."""
    data = text.encode()
    with path.open("r+b") as file:
        if suffix == ".gif":
            file.seek(-1, os.SEEK_END)
            blocks = (data[i : i + 255] for i in range(0, len(data), 255))
            file.write(b"\x21\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\x00\x3b")
        else:
            file.seek(-_END_OF_PNG, os.SEEK_END)
            file.write(_chunk(b"iTXt", b"Comment\0\0\0\0\0" + data) + _chunk(b"IEND", b""))


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)
