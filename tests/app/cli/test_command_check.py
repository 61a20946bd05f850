"""``polhode check``: the card as text and as JSON, exit status, and what is refused."""

from __future__ import annotations

import json
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

import app.cli.schemes
import assets
from physics import SCHEMES
from tests.app.commanding import complaint, polhode

COURSES = ("energy", "spin_norm", "spin", "energy_under_torque", "vertical_spin")


def test_the_card_is_a_table_with_the_claims_beside_and_a_verdict() -> None:
    done = polhode("check", "quat-em")
    assert done.status == 0
    assert done.err == ""
    table, end = done.out.split("\n\n")
    head, *lines = table.splitlines()
    columns = [head.index(word) for word in ("found", "measured", "claimed")]
    found = {line[: columns[0]].strip(): line[columns[0] : columns[1]].strip() for line in lines}
    assert found["order, attitude"] == "2"
    assert found["energy, top"] == found["vertical angular momentum, top"] == "kept"
    assert found["symplectic"] == "no"
    assert all("differs" not in line for line in lines)
    verdict, agreement = end.splitlines()
    assert verdict.startswith("quat-em: order 2; energy kept; angular momentum kept; of a top energy kept; ")
    assert agreement == "The card agrees with what is claimed."


@pytest.mark.parametrize("name", ["implicit", "verlet-exact", "exact"])
def test_json_is_one_document(name: str) -> None:
    done = polhode("check", name, "--json")
    assert (done.status, done.err) == (0, "")
    card = json.loads(done.out)
    assert (card["scheme"], card["agrees"], card["differences"]) == (name, True, [])
    assert card["order_attitude"] == (SCHEMES[name].order or "exact")
    asked = COURSES if name == "verlet-exact" else COURSES[:3]
    for key in asked:
        assert card[key]["class"] in ("kept", "bounded")
        assert min(card[key]["first"], card[key]["second"]) >= 0.0
    assert all(card[key] is None for key in COURSES[len(asked) :])
    assert (card["unit_length"], card["reversible"]) == ("kept", True)
    assert card["symplectic"] == SCHEMES[name].symplectic
    assert card["cost_ns"] > 0.0
    assert (card["reach"] is None) == (SCHEMES[name].reach is None)


def test_a_row_that_claims_what_is_not_so_is_told_with_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = SCHEMES | {"explicit": replace(SCHEMES["explicit"], keeps_spin=True)}
    monkeypatch.setattr(app.cli.schemes, "SCHEMES", wrong)
    done = polhode("check", "explicit")
    assert done.status == 1
    assert done.err == (
        "polhode: explicit: The card does not agree with what is claimed: "
        "angular momentum, free body is claimed kept and found drifts.\n"
    )
    assert "<- differs" in done.out
    assert json.loads(polhode("check", "explicit", "--json").out)["agrees"] is False


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("implict", "'implict' is not a scheme; did you mean implicit?"),
        ("zzz", "'zzz' is not a scheme; expected one of polhode schemes, or a file that ends in .py"),
        ("mine.py", "mine.py: no such file; expected a Python file with a scheme (.py)"),
    ],
)
def test_what_is_no_scheme_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    assert sentence in complaint("check", name)


def test_the_card_of_a_scheme_in_a_file_is_measured_beside_what_it_declares(tmp_path: Path) -> None:
    example = Path(assets.__file__).parent / "schemes" / "own_rk4.py"
    done = polhode("check", example)
    assert (done.status, done.err) == (0, "")
    assert "own-rk4: order 4; energy drifts; angular momentum drifts; " in done.out
    assert done.out.endswith("The card agrees with what is claimed.\n")
    silent = tmp_path / "silent.py"
    silent.write_text(
        example.read_text().replace('NAME, TITLE, ORDER, TORQUES = "own-rk4", "My Runge-Kutta 4", 4, 4', "")
    )
    done = polhode("check", silent)
    assert (done.status, done.err) == (0, "")
    assert "claim" not in done.out


def test_a_file_that_declares_what_is_not_so_ends_with_status_1(tmp_path: Path) -> None:
    """The symplectic Euler of the help, of order 1 with one evaluation of the torque in a step."""
    page = (Path(assets.__file__).parent / "help" / "own-scheme.md").read_text()
    text = textwrap.dedent(page.partition("## The function\n\n")[2].partition("\n\n- Arg")[0])
    wrong = tmp_path / "wrong.py"
    wrong.write_text(text.replace('"My symplectic Euler", 1', '"My symplectic Euler", 2\nTORQUES = 3'))
    done = polhode("check", wrong, "--json")
    assert done.status == 1
    orders = "; ".join(
        f"order{of} is claimed 2 and found 1" for of in (", attitude", ", velocity", " under torque, attitude")
    )
    told = (
        f"The card does not agree with what is claimed: {orders}; evaluations of the torque is claimed 3 and found 1."
    )
    assert done.err == f"polhode: my-euler: {told}\n"
    assert json.loads(done.out)["agrees"] is False
