"""Bundle Polhode for the system that this runs on, without a Python: ``python -m assets.make.bundle FOLDER``.

PyInstaller puts the wheel, all that it needs, and this Python into a folder, see ``bundle.spec``. From it comes a disk
image on macOS (by hdiutil), an installer on Windows where Inno Setup is installed, else an archive. Programs are not
signed: macOS and Windows ask before they open them.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from assets.make import licences, release

HERE = Path(__file__).parent
INNO = """\
[Setup]
AppName=Polhode
AppVersion={version}
AppPublisher=Polhode developers
DefaultDirName={{autopf}}\\Polhode
DefaultGroupName=Polhode
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir={output}
OutputBaseFilename={name}
LicenseFile={program}\\LICENSE.txt

[Files]
Source: "{program}\\*"; DestDir: "{{app}}"; Flags: recursesubdirs

[Icons]
Name: "{{group}}\\Polhode"; Filename: "{{app}}\\polhode-window.exe"
"""


def frozen(wheel: Path, place: Path) -> Path:
    """The folder that PyInstaller makes of a wheel, in an environment below a place."""
    environment = place / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, f"{wheel}[{release.EXTRAS}]", "pyinstaller>=6.10"], check=True)
    make = [python, "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", HERE / "bundle.spec"]
    told = os.environ | {"POLHODE_PROGRAM": str(HERE / "bundle_program.py")}
    subprocess.run(make, cwd=place, env=told, check=True)  # away from the sources: the wheel's are taken
    made = place / "dist" / ("Polhode.app" if sys.platform == "darwin" else "polhode")
    papers = made / "Contents" / "Resources" if sys.platform == "darwin" else made
    shutil.copy(release.ROOT / "LICENSE", papers / "LICENSE.txt")
    (papers / "LICENCES.md").write_text(licences.page(), encoding="utf-8")
    return made


def packed(program: Path, folder: Path, version: str) -> Path:
    """The file in which a frozen program is given away, in a folder."""
    name = f"polhode-{version}-{platform.system().lower()}-{platform.machine().lower()}"
    if sys.platform == "darwin":
        image = folder / f"{name}.dmg"
        subprocess.run(["hdiutil", "create", "-volname", "Polhode", "-srcfolder", program, "-ov", image], check=True)
        return image
    if os.name == "nt" and (compiler := shutil.which("iscc")):
        script = program.parent / "polhode.iss"
        text = INNO.format(version=version, output=folder, name=name, program=program)
        script.write_text(text, encoding="utf-8")
        subprocess.run([compiler, "/Q", script], check=True)
        return folder / f"{name}.exe"
    kind = "zip" if os.name == "nt" else "gztar"
    return Path(shutil.make_archive(str(folder / name), kind, program.parent, program.name))


def bundle(folder: Path) -> Path:
    """Make the bundle in a folder; its path. ReleaseError where versions differ; CalledProcessError of a tool."""
    version = release.version()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        return packed(frozen(release.wheel(place), place), folder.resolve(), version)


def main() -> int:
    """The bundle's path and size, or why there is none."""
    parser = argparse.ArgumentParser(prog="python -m assets.make.bundle", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="where it is written")
    try:
        made = bundle(parser.parse_args().folder)
    except (release.ReleaseError, subprocess.CalledProcessError, OSError) as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
