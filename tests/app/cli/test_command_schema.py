"""``polhode schema``, and the help page of all keys."""

from __future__ import annotations

import json

from app.__main__ import main
from assets.make import key_tables
from physics.scenario.json_schema import scenario_schema


def test_the_schema_is_printed_or_written(capsys, tmp_path, monkeypatch):
    file = tmp_path / "scenario.schema.json"
    for words in ([], ["-o", str(file)]):
        monkeypatch.setattr("sys.argv", ["polhode", "schema", *words])
        assert main() == 0
    written = json.loads(file.read_text("utf-8"))
    assert json.loads(capsys.readouterr().out) == written == json.loads(json.dumps(scenario_schema()))


def test_a_schema_needs_a_name_of_json(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["polhode", "schema", "-o", str(tmp_path / "schema.toml")])
    assert main() != 0
    assert ".json" in capsys.readouterr().err


def test_the_page_of_all_keys_says_what_the_models_say():
    written = "python -m assets.make.key_tables writes the page"
    assert key_tables.page() == key_tables.PAGE.read_text(encoding="utf-8"), written
