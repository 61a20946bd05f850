"""Mutations: what becomes of a good file when bytes are lost, repeated or replaced, in the order of a seed."""

from __future__ import annotations

import io
import random
import re
import zipfile

_NUMBERS = [b"nan", b"inf", b"-inf", b"0", b"-0.0", b"-1", b"1e308", b"-1e308", b"5e-324", b"1e400", b"2147483648"]
_NUMBERS += [b"99999999999", b"18446744073709551616", b"1e9", b"1e-9", b"0x10", b"true", b'""', b"[]", b"{}", b"1_0"]
_WORDS = [b"\0", b"\xff", b"\r", b"\n", b'"', b"'", b",", b"[", b"]]", b"{", b"}", b"=", b"../", b"\\\\host\\share"]
_WORDS += [b"\xe2\x88\x9e", b"\xf0\x9f\xaa\xa8", b"\xef\xbb\xbf", *b"%s%n /etc/passwd null NaN -Infinity".split()]
_BINARY = [bytes(4), b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\xff" * 8, b"\0\0\xf0\x7f"]
_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
LARGEST = 2_000_000  # bytes: mutations must not make the fuzzer slow


def mutated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """One to four mutations of a file; members of an archive are mutated inside, or their checksums would stop all."""
    if data[:2] == b"PK" and rng.random() < 0.8:
        return _archive(data, others, rng)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(_MUTATIONS)(data, others, rng)
    return data[:LARGEST]


def _archive(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError):
        return _lose(data, others, rng)
    if not members:
        return data
    name, fate = rng.choice(list(members)), rng.random()
    if fate < 0.1:
        del members[name]
    elif fate < 0.2:
        members[name] = members[rng.choice(list(members))]
    else:
        members[name] = mutated(members[name], others, rng)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return made.getvalue()


def _place(data: bytes, rng: random.Random) -> int:
    """A place in a file; headers are worth as much as all the rest."""
    return rng.randrange(min(len(data), 512) + 1) if rng.random() < 0.5 else rng.randrange(len(data) + 1)


def _flip(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    if not data:
        return data
    place = min(_place(data, rng), len(data) - 1)
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _put(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    place, what = _place(data, rng), rng.choice(rng.choice((_WORDS, _BINARY)))
    return data[:place] + what + data[place + rng.choice((0, len(what))) :]


def _number(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data[:100_000]))
    if not found:
        return _put(data, others, rng)
    one = rng.choice(found)
    what = rng.choice(_NUMBERS) if rng.random() < 0.7 else b"%r" % (10.0 ** rng.uniform(-320, 308))
    return data[: one.start()] + what + data[one.end() :]


def _lose(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    first = _place(data, rng)
    return data[:first] + data[first + rng.choice((1, 2, 8, 64, 1000, len(data), len(data))) :]


def _repeat(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    first, length = _place(data, rng), rng.choice((1, 4, 40, 400))
    return data[:first] + data[first : first + length] * rng.choice((2, 3, 50, 1000)) + data[first:]


def _swap_lines(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def _splice(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return data[: _place(data, rng)] + other[_place(other, rng) :]


_MUTATIONS = (_flip, _put, _put, _number, _number, _number, _lose, _lose, _repeat, _swap_lines, _splice)
