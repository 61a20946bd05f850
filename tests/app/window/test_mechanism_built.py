"""Mechanisms that are built from an empty scene by mouse and keyboard alone, as those that the program brings."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

import assets
from app.kinds.joint_tables import part_fields, without
from app.window.main_window import MainWindow
from app.window.panel.edits import edited
from physics import Scenario, ScenarioError, World, load_scenario
from tests.app.staging import pixel
from tests.app.windowing import choose, wait
from tests.small import pendulum


class Hand:
    """A user with a mouse and a keyboard. actions : clicks, choices and texts typed so far"""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.panel, self.actions = qtbot, window, window.panel, 0

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier) -> None:
        """A shortcut."""
        self.actions += 1
        self.qtbot.keyClick(self.window, key, modifier)

    def begin(self) -> None:
        """A new mechanism, paused at its start."""
        self.press(Qt.Key.Key_N)
        wait(self.qtbot, lambda: self.window.session.run is not None and self.window.staged)
        self.press(Qt.Key.Key_R, Qt.KeyboardModifier.NoModifier)
        self.done()

    def done(self) -> Scenario:
        """Wait until what the last action made is shown."""
        self.panel.finish()
        wait(self.qtbot, lambda: self.window.session.pending is None and self.window.staged)
        return self.window.session.run.scenario

    def choose(self, key: str, word: str) -> None:
        """A word of a drop-down; ``key`` of a list: what is added to it."""
        self.actions += 1
        choose(self.panel.entries[key].box, word)
        self.panel.finish()

    def type(self, key: str, *texts: str, place: str = "", right: bool = True) -> None:
        """Texts in the lines of a field or of a place in it, one after the other by Tab."""
        self.actions += 1
        lines = self.panel.entries[key].at(place)[: len(texts)]
        for line, text in zip(lines, texts, strict=True):
            line.setFocus()
            line.selectAll()
            self.qtbot.keyClicks(line, text)
        lines[-1].clearFocus()
        self.panel.finish()
        wrong = {name: entry.error.text() for name, entry in self.panel.entries.items() if entry.error.text()}
        assert not (wrong and right)

    def pick(self, key: str, number: int) -> None:
        """A line of a list."""
        self.actions += 1
        box = self.panel.entries[key].list
        at = box.visualItemRect(box.item(number)).center()
        self.qtbot.mouseClick(box.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert self.panel.part == (key, number)

    def add(self, key: str, *places: tuple[float, float, float]) -> None:
        """Click *Add…*, and points of the scene [m]."""
        self.done()
        self.actions += 1 + len(places)
        self.qtbot.mouseClick(self.panel.entries[key].add, Qt.MouseButton.LeftButton)
        for place in places:
            self.click(place)
        self.done()

    def click(self, place: tuple[float, float, float]) -> None:
        """A point of the scene [m]."""
        stage, viewport = self.window.view.stage, self.window.view.viewport
        at = QPoint(*(round(x / viewport.devicePixelRatioF()) for x in pixel(stage, np.array(place))))
        self.qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)

    def button(self, word: str) -> None:
        """A button of the panel."""
        self.actions += 1

        def shown() -> list[QPushButton]:
            return [one for one in self.panel.findChildren(QPushButton) if one.text() == word and one.isVisible()]

        wait(self.qtbot, lambda: [one.height() > 10 for one in shown()] == [True])  # once it has its room
        (found,) = shown()
        self.qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


@pytest.fixture
def hand(qtbot: QtBot, window: MainWindow) -> Hand:
    """A user before a new mechanism."""
    made = Hand(qtbot, window)
    made.begin()
    return made


def example(name: str) -> Scenario:
    """A mechanism that comes with the program."""
    return load_scenario(assets.examples()[name])


def assert_same(made: Scenario, name: str) -> None:
    """The same motion to the bit: the compiled mechanism, its start and the steps are those of the example."""
    one, other = World.of(made), World.of(example(name))
    for field in ("position", "orientation", "velocity", "angular_velocity", "coordinates"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field), err_msg=field)
    for table in ("bodies", "joints", "springs", "border"):
        assert getattr(one.mechanism, table).tobytes() == getattr(other.mechanism, table).tobytes(), table
    np.testing.assert_array_equal(one.mechanism.gravity, other.mechanism.gravity)
    kept = ("duration", "step", "record_every")
    assert [getattr(made, key) for key in kept] == [getattr(example(name), key) for key in kept]


def test_a_double_pendulum(hand: Hand) -> None:
    hand.pick("joint", 0)
    hand.type("joint.0.orientation", "0.7", "0.0", "0.7", "0.1")
    hand.type("joint.0.angular_velocity", "0.5", "0", "3")
    hand.done()
    hand.add("body", hand.window.session.run.world.position[0])
    assert hand.panel.part == ("body", 1)
    hand.type("body.1.name", "lower")
    hand.type("body.1.size", "0.2", "0.05", "1")
    hand.type("body.1.mass", "0.8")
    hand.type("body.1.position", "0", "0", "-1.5")
    hand.pick("joint", 1)
    hand.type("joint.1.at", "0", "0", "-1")
    hand.type("joint.1.orientation", "0.9", "0.3", "0", "0.3")
    hand.type("joint.1.angular_velocity", "0", "1", "-2")
    hand.type("duration", "6")
    made = hand.done()
    assert [body.name for body in made.body] == ["body-1", "lower"]
    assert made.joint[1].between == ("body-1", "lower")
    assert "freedoms: 6, redundant constraints: 0" in hand.panel.entries["joint"].note.text()
    assert_same(made, "joints-pendulum")
    assert hand.actions <= 17


def test_a_slider_crank(hand: Hand) -> None:
    hand.type("duration", "6")
    hand.type("record_every", "2")
    hand.pick("body", 0)
    hand.type("body.0.name", "crank")
    hand.type("body.0.size", "0.04", "0.04", "0.2")
    hand.type("body.0.mass", "0.5")
    hand.type("body.0.position", "0", "0", "0.1")
    hand.pick("joint", 0)
    hand.choose("joint.0.type", "Hinge")
    hand.choose("joint", "Hinge")
    hand.add("body", (0.0, 0.0, 0.18))
    hand.type("body.1.name", "rod")
    hand.type("body.1.size", "0.5", "0.03", "0.03")
    hand.type("body.1.mass", "0.7")
    hand.type("body.1.position", "0.2", "0", "0.1")
    hand.type("body.1.orientation", "0.9732489894677301", "0", "0.2297529205473612", "0")
    hand.pick("joint", 1)
    hand.type("joint.1.at", "0", "0", "0.2")
    hand.choose("joint", "Slider")
    hand.add("body", (0.4, 0.0, -0.1))
    hand.type("body.2.name", "piston")
    hand.type("body.2.size", "0.1", "0.1", "0.1")
    hand.type("body.2.mass", "1.5")
    hand.type("body.2.position", "0.4", "0", "0")
    hand.pick("joint", 2)
    hand.type("joint.2.name", "guide")
    hand.type("joint.2.at", "0.4", "0", "0")
    hand.type("joint.2.axis", "1", "0", "0")
    hand.choose("joint", "Hinge")
    hand.add("joint", (0.38, 0.0, 0.0), (0.3, 0.0, 0.055))
    hand.type("joint.3.at", "0.4", "0", "0")
    made = hand.done()
    assert made.joint[3].between == ("piston", "rod")
    hand.choose("joint.3.between.0", "rod")
    hand.choose("joint.3.between.1", "piston")
    hand.pick("joint", 0)
    hand.type("joint.0.rate", "12")
    made = hand.done()
    assert "freedoms: 1, redundant constraints: 3" in hand.panel.entries["joint"].note.text()
    assert_same(made, "joints-slider-crank")
    assert hand.actions <= 41


def test_a_gyroscope_in_gimbals(hand: Hand) -> None:
    for key, text in (("step", "0.001"), ("record_every", "2"), ("duration", "2"), ("gravity.g", "0")):
        hand.type(key, text)
    hand.press(Qt.Key.Key_D)  # angles in radians
    frames = (
        ("0.125", (("0.264", "0.024", "0.024"), ("0", "0", "0.12"), "-0.12"), (("0.024", "0.024", "0.216"), "0.12")),
        ("0.075", (("0.18", "0.02", "0.02"), ("0", "0.08", "0"), "-0.08"), (("0.02", "0.14", "0.02"), "0.08")),
    )
    inertia = ("0.006", "0.008", "0.004"), ("0.002", "0.003", "0.0025")
    for number, (mass, (across, place, other), (along, beside)) in enumerate(frames):
        if number:
            hand.choose("joint", "Hinge")
            hand.add("body", (0.0, 0.0, 0.12))
        else:
            hand.pick("body", 0)
        body = f"body.{number}"
        hand.type(f"{body}.name", ("outer", "inner")[number])
        hand.choose(f"{body}.shape", "Several parts")
        parts = f"{body}.part"
        hand.type(parts, mass, place="0.mass")
        hand.type(parts, *across, place="0.size")
        hand.type(parts, *place, place="0.position")
        hand.button("Add a part")
        hand.type(parts, *(other if text != "0" else "0" for text in place), place="1.position")
        for part, side in ((2, beside), (3, f"-{beside}")):
            hand.button("Add a part")
            if part == 2:
                hand.type(parts, *along, place="2.size")
            hand.type(parts, side, "0", "0", place=f"{part}.position")
        hand.type(f"{body}.inertia", *inertia[number])
        hand.type(f"{body}.position", "0", "0", "0")
        hand.pick("joint", number)
        if not number:
            hand.choose("joint.0.type", "Hinge")
            hand.type("joint.0.rate", "4")
        hand.type(f"joint.{number}.at", *(("0", "0", "-0.132"), ("0.1", "0", "0"))[number])
        hand.type(f"joint.{number}.axis", *(("0", "0", "1"), ("1", "0", "0"))[number])
    hand.choose("body", "Cylinder")
    hand.add("body", (0.0, 0.08, 0.0))
    hand.type("body.2.size", "0.12", "0.12", "0.03")
    hand.type("body.2.mass", "2")
    hand.type("body.2.position", "0", "0", "0")
    hand.type("body.2.orientation", "0.7071067811865476", "-0.7071067811865476", "0", "0")
    hand.pick("joint", 2)
    hand.choose("joint.2.between.0", "inner")
    hand.type("joint.2.at", "0", "0.08", "0")
    hand.type("joint.2.axis", "0", "1", "0")
    hand.type("joint.2.rate", "300")
    hand.pick("joint", 1)
    hand.type("joint.1.angle", "0.6")
    made = hand.done()
    assert "freedoms: 3, redundant constraints: 0" in hand.panel.entries["joint"].note.text()
    assert made.joint[1].between == ("outer", "inner")
    assert_same(made, "joints-gimbals")
    assert hand.actions <= 61


def test_what_is_not_shown_is_not_picked_and_what_cannot_be_read_is_said(hand: Hand) -> None:
    window, editor = hand.window, hand.window.mechanism_editor
    hand.add("body", (0.0, 0.0, -0.9))
    hand.pick("body", 1)
    hand.choose("body.1.shape", "Several parts")
    hand.button("Add a part")
    hand.done()
    hand.type("body.1.part", "abc", place="0.mass", right=False)
    row = hand.panel.entries["body.1.part"]
    for word in ("Add a part", "Remove the last part"):
        row.explain("")
        hand.button(word)
        assert "abc" in row.error.text()
    assert len(hand.panel.base.body[1].part) == 2
    hand.type("body.1.part", "1", place="0.mass")
    hand.done()
    editor.begin("joint")
    hand.click((0.0, 0.0, -0.9))
    assert editor.key == "joint"
    editor.remove("body", 0)  # the other gets its number
    assert editor.key == ""
    editor.begin("joint")  # before the view shows the one that is left
    assert editor.key == ""
    assert "begin again" in window.status.text()
    hand.done()
    editor.begin("joint")
    assert editor.key == "joint"


def three(*names: str, joint: str) -> Scenario:
    """A pendulum of three rods, with joints of these names, "" for none, and a sweep of one and of the last."""
    base = pendulum().to_plain()
    rods = [base["body"][0] | {"name": f"rod-{i}", "position": [0.0, 0.0, -0.5 - i]} for i in range(3)]
    hinges = [
        base["joint"][0] | {"at": [0.0, 0.0, float(-i)], "between": (f"rod-{i - 1}" if i else "ground", f"rod-{i}")}
        for i in range(3)
    ]
    for hinge, name in zip(hinges, names, strict=True):
        del hinge["name"]
        hinge |= {"name": name} if name else {}
    sweep = [{"joint": one, "from": 0.0, "to": 1.0, "points": 2} for one in (joint, names[2] or "joint-3")]
    return pendulum(body=rods, joint=hinges, ensemble={"sweep": sweep})


def swept(scenario: Scenario) -> list[tuple[str, str]]:
    """The bodies that swept joints lie between."""
    return [scenario.joints[one.joint][1].between for one in scenario.ensemble.sweep]


def test_a_sweep_stays_with_its_joint() -> None:
    made = three("", "", "", joint="joint-2")
    kept = swept(made)
    assert swept(without(made, "joint", 0)) == kept
    for number, table in ((1, "joint"), (1, "body"), (2, "body")):
        with pytest.raises(ScenarioError, match=r"sweeps .joint-[23]., which would go"):
            without(made, table, number)
    named = three("", "elbow", "", joint="elbow")
    for before, number, value in ((made, 1, "elbow"), (named, 1, None), (named, 1, "knee"), (made, 0, "hip")):
        field = part_fields(before, "joint", number)[0]
        after = edited(before, {field: value}, (), before.schemes)
        assert (after.joint[number].name, swept(after)) == (value, kept)


def test_a_body_has_its_new_name_in_variants_too() -> None:
    joints = [one | {"angle": 0.5} for one in pendulum().to_plain()["joint"]]
    made = pendulum(variants={"bent": {"joint": joints}}, schemes=["moser-veselov", "moser-veselov:bent"])
    after = edited(made, {part_fields(made, "body", 0)[0]: "arm"}, (), made.schemes)
    assert after.of_variant("bent").joint[1].between == ("arm", "lower")


def test_springs_motors_and_loops_are_told_undone_and_removed(hand: Hand) -> None:
    window = hand.window
    hand.choose("joint", "Hinge")
    hand.pick("joint", 0)
    hand.choose("joint.0.type", "Hinge")
    hand.choose("joint.0.motor.given", "Sine")
    hand.type("joint.0.motor.sine", "0", "0.5")
    assert hand.done().joint[0].motor[0].sine == (0.0, 0.5, 1.0, 0.0)
    hand.choose("joint.0.motor.given", "None")
    hand.add("spring", (0.0, 0.0, -0.9), (0.6, 0.0, -0.9))
    made = hand.done()
    (spring,) = made.spring
    assert (hand.panel.part, spring.between) == (("spring", 0), ("body-1", "ground"))
    assert (made.joint[0].motor, spring.rest) == ((), pytest.approx(0.6, abs=0.05))
    hand.add("body", (0.0, 0.0, -0.9))
    hand.type("body.1.name", "ground", right=False)
    assert "the ground has this one" in hand.panel.entries["body.1.name"].error.text()
    hand.type("body.1.name", "lower")
    hand.type("body.1.position", "0.5", "0", "-0.9")
    hand.add("joint", (0.5, 0.0, -0.95), (1.5, 0.0, -0.9))
    assert "freedoms: 0" in hand.panel.entries["joint"].note.text()
    hand.pick("joint", 0)
    hand.type("joint.0.angle", "60")
    wait(hand.qtbot, lambda: "the gap is" in hand.panel.entries["joint"].error.text())
    hand.press(Qt.Key.Key_Z)
    hand.pick("body", 1)
    hand.button("Remove the body")
    made = hand.done()
    assert (len(made.body), len(made.joint), len(made.spring)) == (1, 1, 1)
    hand.press(Qt.Key.Key_Z)
    assert [body.name for body in hand.done().body] == ["body-1", "lower"]
    hand.pick("body", 0)
    hand.button("Remove the body")
    hand.done()
    hand.pick("body", 0)
    hand.button("Remove the body")
    wait(hand.qtbot, lambda: "missing; expected tables" in window.message.text.text())
