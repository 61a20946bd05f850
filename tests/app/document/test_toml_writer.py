"""TOML of long lists: as tomlkit writes it, but soon."""

from __future__ import annotations

import tomllib

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

import assets
from app.document.toml_writer import toml_text
from physics import load_scenario

LEAVES = st.integers() | st.floats() | st.booleans() | st.text(max_size=4)
LISTS = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
TABLES = st.recursive(
    st.dictionaries(st.text("ab", min_size=1), LISTS, max_size=3),
    lambda inner: st.dictionaries(st.text("cd", min_size=1), inner | LISTS | st.lists(inner | LISTS, max_size=3)),
    max_leaves=6,
)


@pytest.mark.parametrize("path", sorted(assets.SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_a_scenario_is_written_as_tomlkit_does(path) -> None:
    scenario = load_scenario(path)
    assert toml_text(scenario.in_full()) == tomlkit.dumps(scenario.in_full())


@settings(max_examples=50)
@given(TABLES)
def test_any_tables_are_written_as_tomlkit_does(tables) -> None:
    assert toml_text(tables) == tomlkit.dumps(tables)


def test_long_lists_are_written_whole() -> None:
    tables = {"zone": [{"polygon": [[float(i), -0.5 * i] for i in range(20_000)]}]}
    assert tomllib.loads(toml_text(tables)) == tables
