"""``polhode schema``, and the help page of all keys."""

from __future__ import annotations

import json

from assets.make import key_tables
from physics.scenario.json_schema import scenario_schema
from tests.app.commanding import complaint, polhode


def test_the_schema_is_printed_or_written(tmp_path):
    file = tmp_path / "scenario.schema.json"
    printed = polhode("schema")
    assert (printed.status, polhode("schema", "-o", file).status) == (0, 0)
    assert json.loads(printed.out) == json.loads(file.read_text("utf-8")) == json.loads(json.dumps(scenario_schema()))


def test_a_schema_needs_a_name_of_json(tmp_path):
    assert ".json" in complaint("schema", "-o", tmp_path / "schema.toml")


def test_the_page_of_all_keys_says_what_the_models_say():
    written = "python -m assets.make.key_tables writes the page"
    assert key_tables.page() == key_tables.PAGE.read_text(encoding="utf-8"), written
