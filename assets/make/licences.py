"""``python -m assets.make.licences`` writes the help page of licences, from metadata of the distributions.

It lists all that Polhode and its extras need, directly or through others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PAGE = Path(__file__).parents[1] / "help" / "licences.md"
EXTRAS = ("parquet", "gis", "sensors", "cluster", "notebook")
_BRIEF = 60  # letters: more is the text of a licence, not its name
_SAME = {
    "BSD 3-Clause": "BSD-3-Clause",
    "New BSD": "BSD-3-Clause",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
HEAD = """\
# Licences

Licences of Polhode, of what it contains, and of what is installed with it. Polhode itself is under the MIT licence.
Using the program requires nothing. If you pass it on together with these parts, for example in an installer or a
disk image, pass on their licences too, and for ffmpeg and Qt more.

## Parts with conditions

- ffmpeg makes the films. It comes inside `imageio-ffmpeg`, whose own few lines are BSD; this build of ffmpeg
  contains x264 and other parts under the GPL, and is under the GNU General Public License, version 3. Polhode
  starts it as a separate process and is not linked with it. If you pass it on, offer its source:
  <https://ffmpeg.org/legal.html>. To use another ffmpeg, name it in `IMAGEIO_FFMPEG_EXE`.
- Qt and PySide6 make the window. They are under the GNU Lesser General Public License, version 3 (or the GPL, or a
  commercial licence). pip installs them as separate libraries that may be replaced, as the licence requires. If you
  pass them on, say so, add the text of the licence, and keep this possible.
- shapely and rasterio contain GEOS under the LGPL, version 2.1, in the same way.
- Films, pictures and results that Polhode writes are yours; a page of `polhode scene` contains Polhode's own viewer
  (MIT).

## What Polhode contains

- The typeface Inter: SIL Open Font License 1.1, whose text is in `assets/fonts/OFL.txt`; pages made by `polhode
  scene` contain it too.
- Terrains, scenarios, icons and these pages: made for Polhode, MIT. The slopes are invented.
- The tanker in `assets/hulls`: from the Marine Systems Simulator (MSS) of Thor I. Fossen and others, MIT; the
  changes, and the text of the licence, are in `assets/hulls/tanker-LICENSE.txt`.
- The measurements at Tschamut, in `assets/field/tschamut`: a database of A. Volkwein and W. Gerber (EnviDat), under
  the ODbL with the DbCL; a changed version must be passed on under the same licences. See `README.md` there.
- Six contacts at Chant Sura, in `assets/field/chant-sura`: from tables of A. Caviezel and others (Earth Surface
  Dynamics), Creative Commons Attribution 4.0. See `README.md` there.

## What is installed with it

![Distributions by licence, as in the first table below](figures/licences.svg)

| Licence | Distributions |
| --- | --- |
"""
FOOT = """
With the extras `{extras}`, or by what these need:

| Licence | Distributions |
| --- | --- |
{rows}
Licence names are those in the metadata of each distribution, as shown by `pip show NAME`. Libraries inside them
(OpenBLAS, GDAL, PROJ, LLVM, HDF and others) are named in the licence files that pip installs beside each. `python
-m assets.make.licences` writes this page.
"""


def licence(found: Distribution) -> str:
    """The short name of a distribution's licence, from its metadata; "see its files" if it has none."""
    told = found.metadata
    classifiers = [
        text.rsplit(" :: ", 1)[1] for text in told.get_all("Classifier") or [] if text.startswith("License ::")
    ]
    names = [told.get("License-Expression"), told.get("License"), *classifiers]
    short = [name.strip() for name in names if name and len(name) <= _BRIEF and "\n" not in name]
    own = [name for name in short if not re.match(r"copyright|=", name, re.IGNORECASE)]
    return _SAME.get(own[0], own[0]) if own else "see its files"


def needed(extra: str = "", name: str = "polhode", seen: set[str] | None = None) -> set[str]:
    """Distributions that are installed because another one needs them, directly or not."""
    seen = set() if seen is None else seen
    for text in _installed(name).requires or []:
        one = Requirement(text)
        other = canonicalize_name(one.name)
        if (one.marker is None or one.marker.evaluate({"extra": extra})) and other not in seen:
            seen.add(other)
            needed("", other, seen)
    return seen


def _installed(name: str) -> Distribution:
    """A distribution; SystemExit in one sentence where it is not installed."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise SystemExit(
            f"{name} is not installed, so its licence is not known; run pip install 'polhode[{','.join(EXTRAS)}]' first"
        ) from None


def rows(names: set[str]) -> str:
    """A line of the table for each licence."""
    under = defaultdict(list)
    for name in sorted(names):
        under[licence(_installed(name))].append(name)
    return "".join(f"| {what} | {', '.join(under[what])} |\n" for what in sorted(under, key=str.lower))


def page() -> str:
    """The page, for what is installed here."""
    plain = needed()
    more = set().union(*(needed(extra) for extra in EXTRAS)) - plain
    return HEAD + rows(plain) + FOOT.format(extras="`, `".join(EXTRAS), rows=rows(more))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
