"""What a release holds, what it is refused for, and what ``polhode`` says where another package has a name of ours."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from assets.make import deb, release

ROOT = release.ROOT
SCRIPTS = {path.relative_to(ROOT).as_posix() for path in (ROOT / "assets/make").iterdir()}  # not for users
TRANSLATING = {  # what translations are made of, and compiled to the .mo that the program reads
    path.relative_to(ROOT).as_posix() for kind in ("*.po", "*.md") for path in (ROOT / "assets/locale").rglob(kind)
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The folder of a draft of a release."""
    folder = tmp_path_factory.mktemp("release") / "draft"
    release.release(folder, draft=True)
    return folder


@pytest.fixture(scope="module")
def installed(made, tmp_path_factory) -> Path:
    """The folder into which the wheel was unpacked."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(next(made.glob("*.whl"))).extractall(folder)
    return folder


def sources(*folders: str) -> set[str]:
    """All files below folders of the repository but what Python has compiled."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts}


def start(*places: Path, here: Path) -> subprocess.CompletedProcess[str]:
    """``polhode --help`` by a Python that looks for packages in some places."""
    code = f"import sys; sys.path[:0] = {[str(place) for place in places]}; import polhode; sys.exit(polhode.main())"
    words = [sys.executable, "-S", "-P", "-c", code, "--help"]
    return subprocess.run(
        words, cwd=here, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""}
    )


def test_the_wheel_holds_what_the_program_needs_and_no_more(made):
    names = set(zipfile.ZipFile(next(made.glob("*.whl"))).namelist())
    ours = {name for name in names if ".dist-info/" not in name}
    wanted = sources("app", "physics", "assets") - sources("assets/readme")
    wanted -= {*SCRIPTS, *TRANSLATING, "app/entry_point.py"}
    assert ours == wanted | {"polhode.py"}
    licences = {name.split("/licenses/")[-1] for name in names if "/licenses/" in name}
    assert licences == {
        "LICENSE",
        "assets/fonts/OFL.txt",
        "assets/hulls/tanker-LICENSE.txt",
        "assets/field/chant-sura/README.md",
        "assets/field/tschamut/README.md",
    }


def test_the_archive_of_sources_makes_the_wheel_and_holds_the_tests_but_nothing_that_does_harm(made):
    with tarfile.open(next(made.glob("*.tar.gz"))) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert sources("app", "physics", "assets", "tests") - sources("tests/corpus") <= names
    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "CONTRIBUTING.md"} <= names
    assert not any(name.startswith(("tests/corpus", ".ci", ".venv")) for name in names)


def test_checksums_are_those_of_the_files(made):
    told = dict(line.split("  ")[::-1] for line in (made / "SHA256SUMS").read_text().splitlines())
    assert set(told) == {path.name for path in made.iterdir()} - {"SHA256SUMS"}
    assert all(hashlib.sha256((made / name).read_bytes()).hexdigest() == told[name] for name in told)


def test_a_release_needs_one_version_and_a_section_of_the_changelog(tmp_path):
    for name in ("pyproject.toml", "CITATION.cff"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    told = release.version(tmp_path)
    (tmp_path / "CITATION.cff").write_text(f"version: {told}9\n")
    with pytest.raises(release.ReleaseError, match=re.escape(f"expected {told}, as in pyproject.toml, got {told}9")):
        release.version(tmp_path)
    changelog = "# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0.1\n\nPatch.\n\n## 0.1.0\n\nFirst.\n\n## 0.0.9\n"
    assert release.notes(changelog, "0.2.0") == "- new\n"
    assert release.notes(changelog, "0.1.0") == "First.\n"
    for heading in ("0.0.9", "0.3.0"):
        with pytest.raises(release.ReleaseError, match=f"expected a section '## {heading}'"):
            release.notes(changelog, heading)


@pytest.mark.skipif(shutil.which("git") is None, reason="asks git")
def test_a_release_is_refused_where_files_are_changed(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    release.check_clean(tmp_path)
    (tmp_path / "new.py").touch()
    with pytest.raises(release.ReleaseError, match=r"new\.py: changed or unknown to git"):
        release.check_clean(tmp_path)


# ---- another package with a name of ours --------------------------------------------------------------


def test_the_wheel_starts_by_itself(installed, tmp_path):
    done = start(installed, here=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "polhode COMMAND" in done.stdout


def test_another_package_that_stands_before_ours_is_told_with_both_places(installed, tmp_path):
    other = tmp_path / "other"
    (other / "physics").mkdir(parents=True)
    (other / "physics" / "__init__.py").write_text("raise SystemExit('code of another ran')\n")
    done = start(other, installed, here=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    said = (
        f"polhode: Python finds another 'physics' in {other} before Polhode's own in {installed}; install Polhode in "
    )
    assert done.stderr.startswith(said)
    assert "pipx" in done.stderr
    assert "uv tool" in done.stderr
    done = start(other, installed, here=other)
    assert done.stderr.rstrip().endswith("start it as 'polhode', or from another folder")


@pytest.mark.parametrize("deed", ["written over", "removed"])
def test_a_package_that_was_written_over_ours_is_told(deed, installed, tmp_path):
    file = installed / "app" / "__init__.py"
    kept = file.read_bytes()
    try:
        file.write_text("raise SystemExit('code of another ran')\n") if deed == "written over" else file.unlink()
        done = start(installed, here=tmp_path)
    finally:
        file.write_bytes(kept)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"polhode: {file} is missing or not Polhode's own: another package of that name")
    assert len(done.stderr.splitlines()) == 1


def test_a_package_of_debian_asks_for_what_qt_and_vtk_load_and_for_the_python_that_it_was_made_with():
    (listed,) = re.findall(r"(?s)packages=\((.*?)\)", (ROOT / ".ci" / "run").read_text())
    of_tests = {"python3", "python3-venv", "git", "ca-certificates", "xvfb", "xauth"}
    assert set(listed.split()) - of_tests == set(deb.NEEDED)
    told = deb.control("1.2.3", "amd64", (3, 11), 5000)
    fields = dict(line.split(": ", 1) for line in told.splitlines() if not line.startswith(" "))
    assert (fields["Version"], fields["Architecture"], fields["Installed-Size"]) == ("1.2.3", "amd64", "5000")
    assert fields["Depends"].startswith("python3 (>= 3.11), python3 (<< 3.12), ")


def test_the_program_of_a_bundle_is_polhode_and_runs_its_modules_as_python_would(installed):
    """The window starts its processes with options of Python, which a frozen program gets as words of its own."""

    def told(*words: str) -> str:
        program = [sys.executable, "-S", ROOT / "assets" / "make" / "bundle_program.py", *words]
        places = os.pathsep.join([str(installed), *(place for place in sys.path if "site-packages" in place)])
        environment = {**os.environ, "PYTHONPATH": places}
        done = subprocess.run(program, cwd=installed, capture_output=True, text=True, check=True, env=environment)
        return done.stdout

    assert told("--version") == f"polhode {release.version()}\n"
    assert told("-X", "dev", "-P", "-m", "app", "--version") == told("--version")
