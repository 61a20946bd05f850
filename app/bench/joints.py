"""Errors of place and energy of mechanisms, and nanoseconds a step and body, beside engines that are installed.

The double pendulum in space and the four-bar linkage of the examples over five seconds, and their chain of twenty links
over one. Errors are those at the end: the largest of a centre of mass against DOP853 at a tight tolerance, and the
change of the total energy. Times are the least of three, of the steps alone.

MuJoCo has bodies in joint coordinates, and closes a loop by its ``connect``; Bullet has bodies apart, a ball joint as
one point constraint and a hinge as two.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple, Protocol

import numpy as np

import assets
import physics
from app.bench.comparison import Say
from physics.core.rotation import Array, apply, conjugate, multiply
from physics.core.trajectory import Block
from physics.joints.mechanism import BALL, GROUND
from physics.joints.motion import joint_gaps
from physics.simulation.schedule import stream
from physics.systems.joints.system import ROW
from physics.systems.joints.world import JointsWorld

CASES = {"joints-pendulum": 5.0, "joints-four-bar": 5.0, "joints-chain": 1.0}  # [s]
STEPS = (0.01, 0.002)  # [s]
SCHEMES = ("cayley-em", "moser-veselov", "verlet-exact", "lie-alpha", "rk4-unit", "mujoco-euler", "bullet", "xpbd")
TURNS = 3
APART = 0.1  # [m] between the two points of a hinge


class Engine(Protocol):
    """A mechanism in an engine, at its start."""

    def step(self, steps: int) -> None:
        """Advance by a number of steps."""

    def state(self) -> tuple[Array, Array, Array, Array]:
        """Places (b, 3) [m], attitudes (b, 4), velocities (b, 3) [m/s] and, in body axes, angular ones (b, 3)."""


class _Ends(NamedTuple):
    """A joint in the drawing: its two bodies, with -1 for the ground; in their axes its point, and its axis."""

    bodies: tuple[int, int]
    points: tuple[Array, ...]
    axes: tuple[Array, ...]
    is_ball: bool


def _ends(world: JointsWorld) -> Iterator[_Ends]:
    """The joints of a world, in bodies' axes."""
    m = world.mechanism
    turns = [*(body.axes for body in world.parts), np.array([1.0, 0.0, 0.0, 0.0])]
    for j, pair in enumerate(zip(m.joints.first.tolist(), m.joints.second.tolist(), strict=True)):
        points, axes = (
            tuple(apply(turns[body], x[j, i]) for i, body in enumerate(pair))
            for x in (m.joints.arms, m.joints.triads[:, :, 0])
        )
        yield _Ends(pair, points, axes, bool(m.joints.kind[j] == BALL))


class _MuJoCo:
    def __init__(self, world: JointsWorld, step: float, integrator: str) -> None:
        import mujoco

        self._package = mujoco
        ends = list(_ends(world))
        tree = {b: (j, ends[j]) for b, j in enumerate(world.mechanism.bodies.parent.tolist())}
        text = f"""<mujoco><compiler angle="radian"/>
            <option timestep="{step}" integrator="{integrator}" gravity="{_text(world.mechanism.gravity)}"/>
            <worldbody>{_nested(world, tree, GROUND)}</worldbody>
            <equality>{_closing(world, ends)}</equality></mujoco>"""
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        self._bodies = [self.model.body(f"b{b}").id for b in range(len(world.parts))]
        rest = np.array([1.0, 0.0, 0.0, 0.0])
        place = [*world.orientation, rest]
        spins = [*apply(world.orientation, world.angular_velocity), np.zeros(3)]
        drawn = [*(np.array(one.orientation) for one in world.scenario.bodies), rest]
        for b, (j, (pair, _, axes, is_ball)) in tree.items():
            joint, parent = self.model.joint(f"j{b}"), pair[0]
            at, rate = int(joint.qposadr[0]), int(joint.dofadr[0])
            relative = apply(conjugate(place[b]), spins[b] - spins[parent])
            if is_ball:
                before = multiply(place[parent], multiply(conjugate(drawn[parent]), drawn[b]))
                self.data.qpos[at : at + 4] = multiply(conjugate(before), place[b])
                self.data.qvel[rate : rate + 3] = relative
            else:
                self.data.qpos[at], self.data.qvel[rate] = world.coordinates[j, 0], relative @ axes[1]

    def step(self, steps: int) -> None:
        self._package.mj_step(self.model, self.data, steps)

    def state(self) -> tuple[Array, Array, Array, Array]:
        self._package.mj_forward(self.model, self.data)
        place, turn = self.data.xipos[self._bodies].copy(), self.data.xquat[self._bodies].copy()
        velocity = np.zeros((len(self._bodies), 6))
        for body, found in zip(self._bodies, velocity, strict=True):
            self._package.mj_objectVelocity(self.model, self.data, self._package.mjtObj.mjOBJ_BODY, body, found, 0)
        if self.data.warning.number.any():  # it blew up, and began anew
            place[:] = np.nan
        return place, turn, velocity[:, 3:], apply(conjugate(turn), velocity[:, :3])


def _nested(world: JointsWorld, tree: dict[int, tuple[int, _Ends]], parent: int) -> str:
    """The bodies that joints hold to one, each with its own, as MuJoCo reads them."""
    drawn = [*world.scenario.bodies, None]
    found = ""
    for b, (_, (pair, points, axes, is_ball)) in tree.items():
        if pair[0] != parent:
            continue
        one, other = drawn[b], drawn[parent]
        assert one is not None
        place, turn = np.array(one.position), np.array(one.orientation)
        if other is not None:
            back = conjugate(np.array(other.orientation))
            place, turn = apply(back, place - other.position), multiply(back, turn)
        kind = "ball" if is_ball else f'hinge" axis="{_text(axes[1])}'
        body = world.parts[b]
        found += f"""<body name="b{b}" pos="{_text(place)}" quat="{_text(turn)}">
            <joint name="j{b}" type="{kind}" pos="{_text(points[1])}"/>
            <inertial pos="0 0 0" mass="{body.mass}" quat="{_text(body.axes)}" diaginertia="{_text(body.inertia)}"/>
            {_nested(world, tree, b)}</body>"""
    return found


def _closing(world: JointsWorld, ends: list[_Ends]) -> str:
    """The joints that close loops, each as a point that two bodies share."""
    return "".join(
        f'<connect body1="b{ends[j].bodies[1]}" body2="b{ends[j].bodies[0]}" anchor="{_text(ends[j].points[1])}"/>'
        for j in sorted({int(j) for j, _ in world.mechanism.border})
    )


def _text(values: Array) -> str:
    return " ".join(f"{value:.17g}" for value in np.asarray(values))


class _Bullet:
    def __init__(self, world: JointsWorld, step: float) -> None:
        import pybullet

        self._package = pybullet
        self._client = client = pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(*world.mechanism.gravity, physicsClientId=client)
        pybullet.setTimeStep(step, physicsClientId=client)
        self._axes = np.array([body.axes for body in world.parts])
        turns, spins = multiply(world.orientation, self._axes), apply(world.orientation, world.angular_velocity)
        self._bodies: list[int] = []
        for b, body in enumerate(world.parts):
            place = {"basePosition": world.position[b].tolist(), "baseOrientation": np.roll(turns[b], -1).tolist()}
            made = pybullet.createMultiBody(body.mass, **place, physicsClientId=client)
            facts = {"linearDamping": 0.0, "angularDamping": 0.0, "localInertiaDiagonal": body.inertia.tolist()}
            pybullet.changeDynamics(made, -1, **facts, physicsClientId=client)
            pybullet.resetBaseVelocity(made, world.velocity[b].tolist(), spins[b].tolist(), physicsClientId=client)
            self._bodies.append(made)
        back = [*conjugate(self._axes), np.array([1.0, 0.0, 0.0, 0.0])]
        for pair, points, axes, is_ball in _ends(world):
            for away in (0.0,) if is_ball else (-0.5 * APART, 0.5 * APART):
                first, second = (
                    apply(back[body], point + away * axis).tolist()
                    for body, point, axis in zip(pair, points, axes, strict=True)
                )
                ground = pair[0] == GROUND
                held = pybullet.createConstraint(
                    self._bodies[pair[1]],
                    -1,
                    -1 if ground else self._bodies[pair[0]],
                    -1,
                    pybullet.JOINT_POINT2POINT,
                    [0, 0, 0],
                    second,
                    first,
                    physicsClientId=client,
                )
                pybullet.changeConstraint(held, maxForce=1e10, physicsClientId=client)

    def step(self, steps: int) -> None:
        for _ in range(steps):
            self._package.stepSimulation(physicsClientId=self._client)

    def state(self) -> tuple[Array, Array, Array, Array]:
        package, client = self._package, self._client
        poses = [package.getBasePositionAndOrientation(body, physicsClientId=client) for body in self._bodies]
        rates = [package.getBaseVelocity(body, physicsClientId=client) for body in self._bodies]
        turn = multiply(np.roll([q for _, q in poses], 1, axis=1), conjugate(self._axes))
        spin = apply(conjugate(turn), np.array([w for _, w in rates]))
        return np.array([r for r, _ in poses]), turn, np.array([v for v, _ in rates]), spin


ENGINES: dict[str, tuple[str, Callable[[JointsWorld, float], Engine]]] = {  # package, and how a mechanism is made in it
    "MuJoCo Euler": ("mujoco", lambda world, step: _MuJoCo(world, step, "Euler")),
    "MuJoCo RK4": ("mujoco", lambda world, step: _MuJoCo(world, step, "RK4")),
    "Bullet": ("pybullet", _Bullet),
}


@dataclass(frozen=True)
class JointErrors:
    """Errors at the end, None where it does not come there: place [m], energy [J], gap; time a step and body [ns]."""

    case: str
    step: float
    scheme: str
    place: float | None
    energy: float | None
    gap: float | None
    nanoseconds: float


def run(say: Say = lambda text: None) -> list[dict[str, object]]:
    """Measure every case with schemes and engines; ``say`` gets a line for each."""
    for package in sorted({package for package, _ in ENGINES.values() if not importlib.util.find_spec(package)}):
        say(f"{package} is not installed (pip install {package}): nothing to compare with")
    say(f"{'':18}{'step':>7}  {'':16}{'place [m]':>11}{'energy [J]':>12}{'gap':>10}{'ns':>8}")
    found = []
    for one in _measured():
        numbers = (one.place, one.energy, one.gap)
        if one.place is None:
            text = f"{'none':>33}"
        else:
            text = "".join(f"{x:{width}.1e}" for x, width in zip(numbers, (11, 12, 10), strict=True) if x is not None)
        say(f"{one.case:18}{1000.0 * one.step:4g} ms  {one.scheme:16}{text}{one.nanoseconds:8.0f}")
        found.append(asdict(one))
    return found


def _measured() -> Iterator[JointErrors]:
    for case, duration in CASES.items():
        given = physics.load_scenario(assets.SCENARIOS / f"{case}.toml")
        plain = given.changed(duration=duration, step=STEPS[0], schemes=["dop853"], record_every=10**6)
        true = physics.simulate(plain)["dop853"].position[-1]
        for step in STEPS:
            scenario = plain.changed(step=step, schemes=list(SCHEMES))
            world, count = physics.World.of(scenario), round(duration / step)
            assert isinstance(world, JointsWorld)
            for name in SCHEMES:
                first, *later = stream(world, name, 1)
                seconds = min(ROW.end(world, physics.SCHEMES[name], count).seconds for _ in range(TURNS))
                yield _compared(world, case, name, [first, later[-1]], true, seconds, count)
            for name, (package, make) in ENGINES.items():
                if importlib.util.find_spec(package):
                    blocks, seconds = _marched(world, make, step, count)
                    yield _compared(world, case, name, blocks, true, seconds, count)


def _marched(
    world: JointsWorld, make: Callable[[JointsWorld, float], Engine], step: float, count: int
) -> tuple[list[Block], float]:
    """Start and end of a mechanism in an engine, and the least time [s] of its steps."""
    seconds = []
    for _ in range(TURNS):
        engine = make(world, step)
        states = [engine.state()]
        began = time.process_time()
        engine.step(count)
        seconds.append(time.process_time() - began)
        states.append(engine.state())
    blocks = []
    for at, state in zip((0.0, step * count), states, strict=True):
        place, turn, velocity, spin = (x[None] for x in state)
        blocks.append(Block(np.array([at]), place, turn, velocity, spin, contact=np.zeros(1)))
    return blocks, min(seconds)


@np.errstate(over="ignore", invalid="ignore")  # what an engine blows up to
def _compared(
    world: JointsWorld, case: str, name: str, blocks: list[Block], true: Array, seconds: float, count: int
) -> JointErrors:
    """Errors of the last state, and the time of a step and body."""
    step = world.scenario.step
    nanoseconds = 1e9 * seconds / (count * len(world.parts))
    last = blocks[-1]
    if any(event.failed for event in last.events) or not np.isfinite(last.position).all():
        return JointErrors(case, step, name, None, None, None, nanoseconds)
    energies = [world.measures(block) for block in blocks]
    before, after = (float(found["kinetic_energy"][-1] + found["potential_energy"][-1]) for found in energies)
    place = float(np.linalg.norm(last.position[-1] - true, axis=1).max())
    gap = float(np.abs(joint_gaps(world.mechanism, last.time, world.stored(last))).max())
    return JointErrors(case, step, name, place, after - before, gap, nanoseconds)
