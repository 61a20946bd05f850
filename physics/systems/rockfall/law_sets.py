"""Posteriors: sets of laws that agree with measured runs, of which each rock of an ensemble takes one at random.

A table has a column for each field of ``[soil]`` or ``[forest]`` and a row for each set, all as likely; ``polhode fit``
writes one. Its columns ERROR are draws of the error that a model has with any laws; they change no motion, but what is
predicted of measured run-outs, see physics.hazard.model_error.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from physics.core.errors import ScenarioError
from physics.core.text_tables import read_rows
from physics.core.wording import N_
from physics.scenario.scenario import value_of, with_values
from physics.systems.rockfall.ground_cover import Cover, lay
from physics.systems.rockfall.sampling import LAWS, stream
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.terrain.terrain import Terrain

MAX_SETS = 1000  # sets: the laws of each are kept
TABLES = "soil", "forest"  # whose fields a set may give
ERROR = "error.bias", "error.scale", "error.spread"  # [m], 1, [m]: all of them, or none


class LawSets:
    """The sets of a table; the cover of each is laid when a rock takes it, and kept.

    Raises ScenarioError, naming file, line and field, for what is no such table.

    Attributes
    ----------
    scenarios : the scenario with each set
    errors : (sets, 3) of ERROR; None without these columns
    """

    def __init__(self, scenario: RockfallScenario, path: Path) -> None:
        found = read_rows(path, N_("sets of laws"), MAX_SETS + 2)
        if len(found.rows) < 2:
            raise ScenarioError("", N_("no sets of laws; expected a line of fields, and sets below it"), found.path)
        if len(found.rows) > MAX_SETS + 1:
            raise ScenarioError("", N_("more than {most} sets of laws; expected fewer", MAX_SETS), found.path)
        (first, fields), *rows = found.rows
        if (some := set(fields) & set(ERROR)) and len(some) < len(ERROR):
            text = N_("expected {columns}, all of them or none", ", ".join(ERROR))
            raise ScenarioError(N_("line {number}", first), text, found.path)
        for field in fields:
            if field in ERROR and fields.count(field) == 1:
                continue
            where = N_("line {number}, column {name}", first, field)
            if field.partition(".")[0] not in TABLES or fields.count(field) > 1:
                raise ScenarioError(
                    where, N_("expected fields of soil or forest, such as soil.mu_min, once"), found.path
                )
            try:
                value_of(scenario, field)
            except ScenarioError as error:
                raise ScenarioError(where, error.message, found.path) from None
        sets = [_numbers(fields, words, line, found.path) for line, words in rows]
        self.errors = np.array([[one.pop(name) for name in ERROR] for one in sets]) if some else None
        lines = (line for line, _ in rows)
        self.scenarios = tuple(_changed(scenario, *one, found.path) for one in zip(sets, lines, strict=True))
        self._scenario = scenario
        self._covers: dict[int, Cover] = {}

    def cover(self, rock: int, terrain: Terrain, like: Cover) -> Cover:
        """The cover of a rock's set; arrays and zones are those of ``like``, laid on the same terrain, if equal."""
        number = int(stream(self.scenarios[0], rock, LAWS).integers(len(self.scenarios)))
        if number not in self._covers:
            laid = lay(self.scenarios[number], terrain)
            same = np.array_equal(laid.soil_map, like.soil_map), np.array_equal(laid.forest_map, like.forest_map)
            self._covers[number] = replace(
                laid,
                soil_map=like.soil_map if same[0] else laid.soil_map,
                forest_map=like.forest_map if same[1] else laid.forest_map,
                soil_zones=like.soil_zones,
                forest_zones=like.forest_zones,
                stems=like.stems if self._scenario.forest == self.scenarios[number].forest else laid.stems,
            )
        return self._covers[number]


def _numbers(fields: list[str], words: list[str], line: int, path: Path) -> dict[str, float]:
    """Numbers of one line by their fields."""
    if len(words) != len(fields):
        raise ScenarioError(
            N_("line {number}", line), N_("expected {fields} numbers, got {words}", len(fields), len(words)), path
        )
    values = {}
    for field, word in zip(fields, words, strict=True):
        where = N_("line {number}, column {name}", line, field)
        try:
            values[field] = float(word)
        except ValueError:
            values[field] = math.nan
        if not math.isfinite(values[field]):
            raise ScenarioError(where, N_("expected a number, got '{word:.40}'", word), path)
        if field in ERROR[1:] and values[field] < 0.0:
            raise ScenarioError(where, N_("expected 0 or more, got {value:g}", values[field]), path)
    return values


def _changed(scenario: RockfallScenario, values: dict[str, float], line: int, path: Path) -> RockfallScenario:
    """The scenario with the set of one line."""
    try:
        return of_rocks(with_values(scenario, values))
    except ScenarioError as error:
        raise ScenarioError(N_("line {number}, {name}", line, error.field), error.message, path) from None
