"""``polhode schema``: the JSON schema of scenario files, for editors."""

from __future__ import annotations

import json
from argparse import Namespace

from physics.io.trajectory_writers import check_output, replacing
from physics.scenario.json_schema import scenario_schema


def schema(arguments: Namespace) -> int:
    """``polhode schema``: write the schema to a file, or print it; return the exit status."""
    text = json.dumps(scenario_schema(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if arguments.output is None:
        print(text, end="")
        return 0
    with replacing(check_output(arguments.output, (".json",))) as part:
        part.write_text(text, encoding="utf-8")
    return 0
