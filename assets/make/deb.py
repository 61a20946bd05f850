"""``python -m assets.make.deb FOLDER`` makes a package of Debian or Ubuntu for the release that it runs on.

The package holds Polhode and all that it needs from PyPI, in an environment of its own below ``/opt/polhode``; the
Python is the distribution's, so that each release of it needs a package of its own. It adds the command ``polhode``, an
entry in the desktop's menu, and the kind of file ``.polhode.toml``. It takes pip, dpkg-deb and Debian's python3-venv.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from assets.make import licences, release

PYTHON = Path("/usr/bin/python3")  # the distribution's
HOME = Path("/opt/polhode")
NEEDED = (  # what Qt and VTK of PyPI load from the system
    "libgl1", "libegl1", "libglib2.0-0", "libdbus-1-3", "libfontconfig1", "libxkbcommon-x11-0", "libxcb-cursor0",
    "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0", "libexpat1",
)  # fmt: skip
CONTROL = """\
Package: polhode
Version: {version}
Section: science
Priority: optional
Architecture: {architecture}
Maintainer: Polhode developers <noreply@example.org>
Installed-Size: {size}
Depends: {needed}
Description: rigid bodies and the numerical schemes that turn them
 A window that shows how rigid bodies tumble, and which numerical scheme gets
 it right: free bodies, tops, ships, and rocks on a slope, side by side.
"""
ENTRY = """\
[Desktop Entry]
Type=Application
Name=Polhode
Comment=See how rigid bodies tumble, and which numerical scheme gets it right
Exec=polhode %f
Icon=polhode
Categories=Science;Physics;Education;
MimeType=application/x-polhode;
StartupWMClass=polhode
"""
KIND = """\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-polhode">
    <comment>Polhode session</comment>
    <sub-class-of type="text/plain"/>
    <glob pattern="*.polhode.toml" weight="80"/>
  </mime-type>
</mime-info>
"""


def control(version: str, architecture: str, python: tuple[int, int], size: int) -> str:
    """Control file of a package of ``size`` kilobytes for a release whose Python is ``python`` (3, minor)."""
    minor = python[1]
    needed = [f"python3 (>= 3.{minor})", f"python3 (<< 3.{minor + 1})", *NEEDED]
    return CONTROL.format(version=version, architecture=architecture, size=size, needed=", ".join(needed))


def fill(root: Path, wheel: Path) -> None:
    """Install a wheel with all that it needs below a folder, as it will lie below ``/``."""
    home = root / HOME.relative_to("/")
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python3"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, f"{wheel}[{release.EXTRAS}]"], check=True)
    # compiled here, as users may not write there; by content and unchecked, as a package keeps no exact times
    compiled = [python, "-m", "compileall", "-q", "-s", root, "-p", "/", "--invalidation-mode", "unchecked-hash"]
    subprocess.run([*compiled, home / "lib"], check=False, stdout=subprocess.DEVNULL)  # some packages hold templates
    command = home / "bin" / "polhode"
    text = command.read_text(encoding="utf-8").replace(str(root), "")
    for file in (home / "bin").iterdir():
        if not file.name.startswith("python"):
            file.unlink()  # what the libraries bring, and ways to enter the environment
    command.write_text(text, encoding="utf-8")
    command.chmod(0o755)
    told = home / "pyvenv.cfg"
    told.write_text(told.read_text(encoding="utf-8").replace(str(root), ""), encoding="utf-8")
    for file in home.rglob("direct_url.json"):  # where the wheel lay
        file.unlink()
    share = root / "usr" / "share"
    for name, text in (
        ("applications/polhode.desktop", ENTRY),
        ("mime/packages/polhode.xml", KIND),
        ("doc/polhode/copyright", (release.ROOT / "LICENSE").read_text(encoding="utf-8") + "\n" + licences.page()),
    ):
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).write_text(text, encoding="utf-8")
    icons = share / "icons" / "hicolor" / "scalable" / "apps"
    icons.mkdir(parents=True)
    shutil.copy(release.ROOT / "assets" / "icons" / "polhode.svg", icons)
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "polhode").symlink_to(HOME / "bin" / "polhode")


def package(folder: Path) -> Path:
    """Make the package in a folder; its path. ReleaseError where versions differ; CalledProcessError of a tool."""
    version = release.version()
    folder.mkdir(parents=True, exist_ok=True)
    asked = "import sys; print(*sys.version_info[:2])"
    told = subprocess.run([PYTHON, "-I", "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    ask = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
    architecture = ask.stdout.strip()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        wheel = release.wheel(Path(place))
        root.mkdir(mode=0o755)
        fill(root, wheel)
        size = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
        (root / "DEBIAN").mkdir()
        python = (int(told[0]), int(told[1]))
        (root / "DEBIAN" / "control").write_text(control(version, architecture, python, size), encoding="utf-8")
        subprocess.run(["chmod", "-R", "u+rwX,go+rX,go-w", root], check=True)
        made = folder / f"polhode_{version}_python3.{python[1]}_{architecture}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", root, made], check=True)
    return made


def main() -> int:
    """Make the package, and print its size; the status."""
    parser = argparse.ArgumentParser(prog="python -m assets.make.deb", description="Make a .deb package.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    try:
        made = package(parser.parse_args().folder)
    except release.ReleaseError as error:
        print(error, file=sys.stderr)
        return 2
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no package: {error}", file=sys.stderr)
        return 2
    print(f"{made.stat().st_size / 1e6:8.2f} MB  {made}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
