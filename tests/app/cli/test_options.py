"""Options that override a field of a scenario: they take the words and the bounds that the field describes."""

from __future__ import annotations

import pytest

from app.cli.options import OneLineParser
from app.cli.overrides import FIELDS
from app.cli.parser import COMMANDS
from physics.scenario.described import key_of
from physics.systems.rockfall.scenario import RockfallScenario

WORDS = {"layout": "video", "plots": "video", "quality": "video", "language": "video", "paper": "plan"}
NUMBERS = dict.fromkeys(("fps", "speed", "length", "orbit", "first", "last", "title_card", "end_card"), "video")
NUMBERS |= dict.fromkeys(("step", "duration", "rock"), "run") | {"time": "image", "scale": "plan", "seed": "ensemble"}


def takes(command: str, option: str, text: str) -> bool:
    """True if an option of a command takes a text."""
    parser = OneLineParser(command)
    COMMANDS[command].add(parser)
    try:
        parser.parse_args(["scenario.toml", "-o", "out", f"--{option.replace('_', '-')}={text}"])
    except SystemExit:
        return False
    return True


@pytest.mark.parametrize(("option", "command"), WORDS.items())
def test_words(option: str, command: str) -> None:
    words = key_of(RockfallScenario, FIELDS[option]).choices
    assert len(words) > 1
    assert all(takes(command, option, word) for word in words)
    assert not takes(command, option, "none-of-these")


@pytest.mark.parametrize(("option", "command"), NUMBERS.items())
def test_bounds(option: str, command: str) -> None:
    above, least, below, most = key_of(RockfallScenario, FIELDS[option]).limits
    for bound, beyond, taken in ((above, -1, False), (least, -1, True), (below, 1, False), (most, 1, True)):
        if bound is not None:
            assert takes(command, option, f"{bound:.0f}") == taken
            assert not takes(command, option, f"{bound + beyond:.0f}")
