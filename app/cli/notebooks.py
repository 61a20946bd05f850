"""``polhode notebooks``: the example notebooks."""

from __future__ import annotations

import shutil
from argparse import Namespace
from pathlib import Path

import assets
from app.system.language import tr
from physics.io.trajectory_writers import check_new_folder, replacing

NOTEBOOKS = Path(assets.__file__).parent / "notebooks"


def notebooks(arguments: Namespace) -> int:
    """``polhode notebooks``: copy the examples for Jupyter into a new folder; return the exit status."""
    folder = check_new_folder(arguments.folder)
    with replacing(folder) as part:
        part.mkdir()
        files = sorted(NOTEBOOKS.glob("*.ipynb"))
        for file in files:
            shutil.copyfile(file, part / file.name)
    text = tr("{folder}: {count} notebooks; open them with: jupyter lab {folder}")
    print(text.format(folder=folder, count=len(files)))
    return 0
