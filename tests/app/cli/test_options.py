"""Options that override a field of a scenario: they take the words and the bounds that the field describes."""

from __future__ import annotations

import pytest

from app.cli.options import OneLineParser
from app.cli.overrides import FIELDS
from app.cli.parser import COMMANDS
from physics.scenario.described import key_of
from physics.systems.rockfall.scenario import RockfallScenario

COMMANDS_OF_SCENARIOS = ("run", "video", "image", "plot", "plan", "scene", "ensemble")
READ_LATER = {"camera", "colour"}  # by the scenario, which knows more of them


def options() -> dict[str, str]:
    """The options that override a field, and the first command that has each."""
    found: dict[str, str] = {}
    for command in COMMANDS_OF_SCENARIOS:
        parser = OneLineParser(command)
        COMMANDS[command].add(parser)
        given = vars(parser.parse_args(["scenario.toml", "-o", "out"]))
        found = {name: command for name in given if name in FIELDS} | found
    return found


KEYS = {(name, command): key_of(RockfallScenario, FIELDS[name]) for name, command in options().items()}
WORDS = [option for option, key in KEYS.items() if key.choices and option[0] not in READ_LATER]
NUMBERS = [option for option, key in KEYS.items() if key.numeric and not key.count]


def test_every_key_of_an_export_has_an_option() -> None:
    assert {field for field in FIELDS.values() if field.startswith("export.")} - {
        FIELDS[option] for option in options()
    } == {"export.charts", "export.logarithmic"}  # which the charts panel chooses


def takes(command: str, option: str, text: str) -> bool:
    """True if an option of a command takes a text."""
    parser = OneLineParser(command)
    COMMANDS[command].add(parser)
    try:
        parser.parse_args(["scenario.toml", "-o", "out", f"--{option.replace('_', '-')}={text}"])
    except SystemExit:
        return False
    return True


@pytest.mark.parametrize(("option", "command"), WORDS)
def test_words(option: str, command: str) -> None:
    words = key_of(RockfallScenario, FIELDS[option]).choices
    assert len(words) > 1
    assert all(takes(command, option, word) for word in words)
    assert not takes(command, option, "none-of-these")


@pytest.mark.parametrize(("option", "command"), NUMBERS)
def test_bounds(option: str, command: str) -> None:
    above, least, below, most = key_of(RockfallScenario, FIELDS[option]).limits
    for bound, beyond, taken in ((above, -1, False), (least, -1, True), (below, 1, False), (most, 1, True)):
        if bound is not None:
            assert takes(command, option, f"{bound:.0f}") == taken
            assert not takes(command, option, f"{bound + beyond:.0f}")
