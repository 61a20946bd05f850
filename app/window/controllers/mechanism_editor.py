"""Editor of a mechanism in the 3D view: begins one, adds bodies, joints and springs, and shows a loop that is open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen

from app.kinds.joint_tables import without
from app.kinds.kind import rounded
from app.system.language import tr, translated
from app.window.panel.table_rows import Listed
from app.window.widgets import DrawingOverlay, boxed
from app.window.workspace import Workspace
from physics import Scenario, ScenarioError, World
from physics.core.rotation import Array, matrix
from physics.joints.joint_types import types_with
from physics.systems.joints.assembly import OpenLoop
from physics.systems.joints.parts_config import GROUND
from physics.systems.joints.scenario import JointsScenario

if TYPE_CHECKING:
    from app.window.view.viewport import Viewport

# number of a body, or None for the ground; where it was clicked (3,) and the unit vector (3,) along the line of sight,
# both in the drawing, [m]
Picked = tuple[int | None, Array, Array]


def new_mechanism() -> Scenario:
    """A rod that hangs on the ground by a ball joint, from which a mechanism is built."""
    rod = {"name": "body-1", "shape": "cuboid", "size": [0.1, 0.1, 1.0], "mass": 1.0, "position": [0.0, 0.0, -0.5]}
    return Scenario(
        kind="joints",
        title=tr("Mechanism"),
        duration=10.0,
        step=0.002,
        record_every=5,
        schemes=["cayley-em"],
        body=[rod],
        joint=[{"type": "ball", "between": [GROUND, "body-1"], "at": [0.0, 0.0, 0.0]}],
    )


class MechanismEditor(QObject):
    """Adds parts to a mechanism: bodies are picked in the view, the type or the shape in the panel; or removes some.

    Where a loop cannot be closed, the view shows the pose in which it is open least.
    """

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace, self.view = workspace, workspace.view
        self.key = ""  # "body", "joint" or "spring" while one is added
        self._picked: list[Picked] = []
        self._added = False  # a run with it is not shown yet
        self._viewport: Viewport | None = None
        self._open: OpenLoop | None = None
        self._sheet: DrawingOverlay | None = None
        workspace.session.moved.connect(self._move)
        workspace.session.shown.connect(self._settle)
        workspace.session.failed.connect(self._fail)

    def begin(self, key: str) -> None:
        """Start to add a table to one of the lists "body", "joint" and "spring"; stop if it is being added."""
        again, viewport = key == self.key, self.view.viewport
        self.workspace.panel.finish()
        self.leave()
        if again or viewport is None:
            return
        if self._drawn() is None:
            self.workspace.status.setText(tr("Other bodies are being computed: begin again when they are shown"))
            return
        if viewport is not self._viewport:
            self._viewport = viewport
            viewport.aimed.connect(self._pick)
        self.key = key
        wide, high = viewport.render_window.GetSize()
        viewport.ask_place((0.5 * wide, 0.5 * high))
        self._prompt()

    def leave(self) -> None:
        """Stop adding."""
        if self.key and self._viewport is not None:
            self.key, self._picked = "", []
            self._viewport.ask_place(None)
            self.workspace.status.setText("")

    def remove(self, key: str, number: int) -> None:
        """Take a body, joint or spring away; joints and springs of a body go with it."""
        panel = self.workspace.panel
        panel.finish()
        try:
            assert isinstance(panel.base, JointsScenario)
            scenario = without(panel.base, key, number)
        except ScenarioError as error:
            self.workspace.message.say(error)
            return
        panel.choose(None)
        self.workspace.take(scenario)

    def _prompt(self) -> None:
        texts = {
            "body": [
                tr("Click the body where another is to hang on it, or beside all bodies for the ground; Esc cancels")
            ],
            "joint": [
                tr("Click the first body at the joint, or beside all bodies for the ground; Esc cancels"),
                tr("Click the second body, or beside all bodies for the ground; Esc cancels"),
            ],
            "spring": [
                tr("Click the first body at the end of the spring, or beside all bodies for the ground; Esc cancels"),
                tr("Click the second body at the other end, or beside all bodies for the ground; Esc cancels"),
            ],
        }
        self.workspace.status.setText(texts[self.key][len(self._picked)])

    def _pick(self, x: float, y: float) -> None:
        """Take the body at a pixel of the view, or the ground."""
        run, stage, panel, scenario = self.view.run, self.view.stage, self.workspace.panel, self._drawn()
        if not self.key or run is None or run.world is None or stage is None or scenario is None:
            return
        touched, sight = stage.touch(x, y), stage.sight(x, y)
        if sight is None:
            return
        if touched is not None:
            drawn = scenario.bodies[touched[0]]
            turn = matrix(np.divide(drawn.orientation, np.linalg.norm(drawn.orientation)))
            self._picked.append((touched[0], drawn.position + turn @ touched[1], turn @ touched[2]))
        elif self.key == "joint" and self._picked and self._picked[0][0] is None:
            self.workspace.status.setText(tr("No body there"))
            return
        else:
            middle = self._picked[0][1] if self._picked else run.world.position.mean(axis=0)
            self._picked.append((None, *_beside(sight, middle)))
        if self.key != "body" and len(self._picked) < 2:
            self._prompt()
            return
        key, picked = self.key, self._picked
        self.leave()
        row, joints = panel.entries[key], panel.entries.get("joint")  # a mechanism of chains has no list of joints
        assert isinstance(row, Listed)
        hung = joints.box.currentData() if isinstance(joints, Listed) else "ball"
        try:
            made = extended(run.world, scenario, key, row.box.currentData(), picked, hung)
        except ScenarioError as error:
            self.workspace.message.say(error)
            return
        self.workspace.take(made)
        self._added = True
        panel.choose((key, len(getattr(made, key)) - 1))

    def _drawn(self) -> JointsScenario | None:
        """The mechanism, with edits whose run is not in the view yet; None while other bodies are."""
        run, step = self.view.run, self.workspace.session.history.there(0)
        if run is None or step is None:
            return None
        now = step.schedule.scenario
        return now if isinstance(now, JointsScenario) and _bodies(now) == _bodies(run.scenario) else None

    def _move(self) -> None:
        """Another mechanism is computed: what was picked may not be there."""
        self._show_open(None)
        if self._drawn() is None:
            self.leave()

    def _settle(self, _: str) -> None:
        """A run is shown."""
        self._show_open(None)
        self._added = False

    def _fail(self, error: object) -> None:
        """Show the mechanism as it was where the added part has no start, and say why, and where a loop is open."""
        run, panel = self.workspace.session.run, self.workspace.panel
        self._show_open(error if isinstance(error, OpenLoop) else None)
        if self._added and run is not None and panel.opened is not None:
            self._added = False
            panel.show_values(panel.opened, run.scenario)
            self.workspace.message.say(error if isinstance(error, Exception) else translated(str(error)))

    # ---- a loop that is open -----------------------------------------------------------------------------

    def _show_open(self, error: OpenLoop | None) -> None:
        """Draw where a loop is open; None: none is."""
        if error is self._open:
            return
        self._open = error
        viewport = self.view.viewport
        if self._sheet is None and viewport is not None:
            self._sheet = DrawingOverlay(viewport, self.paint)
        if self._sheet is not None:
            self._sheet.setVisible(error is not None)
            self._sheet.update()

    def paint(self, painter: QPainter) -> None:
        """Draw the limbs of the pose in which a loop is open least, and the gap."""
        viewport, error, theme = self.view.viewport, self._open, self.workspace.theme
        if viewport is None or error is None:
            return
        points = viewport.pixels(np.concatenate([error.limbs, error.ends[None]]).reshape(-1, 3))
        *limbs, (first, second) = zip(points[::2], points[1::2], strict=True)
        for colour, width in ((theme.stage_top, 5.0), (theme.text, 2.0)):
            painter.setPen(QPen(QColor(colour), width))
            for limb in limbs:
                painter.drawLine(*limb)
        painter.setPen(QPen(QColor(theme.danger), 3.0))
        painter.drawLine(first, second)
        for end in (first, second):
            painter.drawEllipse(end, 6.0, 6.0)
        text, metrics = f"{error.name}: {translated(error.gap)}", painter.fontMetrics()
        box = QRectF(second + QPointF(12.0, -30.0), QSizeF(metrics.horizontalAdvance(text) + 16, metrics.height() + 8))
        boxed(painter, text, box, theme, theme.danger)


def _bodies(scenario: Scenario) -> list[str]:
    """Names of the bodies of a mechanism; none of another kind."""
    return [one.name for one in scenario.bodies] if isinstance(scenario, JointsScenario) else []


def _beside(sight: Array, middle: Array) -> tuple[Array, Array]:
    """Point on a line of sight (2, 3) [m] in the plane of two axes that faces it most, at a point; and its way."""
    way = (sight[1] - sight[0]) / np.linalg.norm(sight[1] - sight[0])
    facing = int(np.argmax(np.abs(way)))
    return sight[0] + (middle - sight[0])[facing] / way[facing] * way, way


def extended(
    world: World, scenario: JointsScenario, key: str, what: str, picked: Sequence[Picked], hung: str = "ball"
) -> Scenario:
    """A mechanism with another joint or spring between picked places, or another body that hangs at one.

    A joint is where the first body was picked; its axis is the one of the drawing that is nearest to the line of sight.
    A new body is as large and as heavy as that which it hangs on, with its longest side downwards.

    what : type of the joint, or shape of the body; hung : type of the joint by which a body hangs
    Raises ScenarioError if the joint is refused.
    """
    names = [GROUND if number is None else scenario.bodies[number].name for number, _, _ in picked]
    number, at, sight = next((one for one in picked if one[0] is not None), picked[0])
    made = world.bodies[number or 0]
    digits = 3 - math.floor(math.log10(made.radius))
    size = np.round(np.sort(made.extents), digits).tolist()
    places = [np.round(place, digits).tolist() for _, place, _ in picked]
    plain = scenario.to_plain()
    axis = np.eye(3)[int(np.argmax(np.abs(sight)))]
    axes = {"axis": axis.tolist(), "axis2": np.roll(axis, 1).tolist()}
    if key == "spring":
        long = float(np.linalg.norm(np.subtract(*places)))
        spring = {"between": names, "from": places[0], "to": places[1], "rest": rounded(long)}
        return scenario.changed(
            spring=(*plain.get("spring", ()), spring | {"stiffness": rounded(100.0 * made.mass / made.radius, 2)})
        )
    joint: dict[str, Any] = {"type": hung if key == "body" else what}
    joint |= {name: value for name, value in axes.items() if joint["type"] in types_with(name)}
    if key == "joint":
        joint |= {"between": sorted(names, key=lambda name: name != GROUND), "at": np.round(at, digits).tolist()}
        return scenario.changed(joint=(*plain.get("joint", ()), joint))
    taken = {one.name for one in scenario.bodies}
    name = next(name for i in range(1, len(taken) + 2) if (name := f"body-{i}") not in taken)
    long = size[0] if what == "sphere" else size[2]
    lengths = {
        "sphere": {"radius": 0.5 * long},
        "cone": {"radius": 0.5 * size[1], "height": long},
    }.get(what, {"size": size})
    (place,) = places
    body = {"name": name, "shape": what, **lengths, "mass": rounded(made.mass, 4)}
    body |= {"position": [*place[:2], place[2] - 0.5 * long]}
    joint |= {"between": (names[0], name), "at": place}
    return scenario.changed(body=(*plain.get("body", ()), body), joint=(*plain.get("joint", ()), joint))
