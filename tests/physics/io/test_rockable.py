"""Runs of Rockable: the states of a particle are what the program wrote, and what is wrong is told in a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.open import is_motion, scenario_for
from physics import ScenarioError, simulate
from physics.core.rotation import apply, conjugate, multiply, random_attitudes, rotation_vector
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import free_flights, measured_motion
from physics.measured.rockable import body_of
from physics.scenario.fingerprints import named_files
from physics.schemes.free_motion import free_motion
from tests.small import refused

HEAD = (
    "Rockable 21-08-2022\nIntegrator velocityVerlet\nt {:.17g}\ndensity 0 2600\ngravity {}\nnDriven 1\nshapeFile {}\n"
)
ROWS = "precision 16\nParticles {}\n#name group cluster homothety pos.x pos.y pos.z\nGround 1 0 1 {}\n"
REST = " ".join(["0"] * 9 + ["1"] + ["0"] * 9)
SHAPE = "<\nname Wall\npreCompDone y\nvolume 1\nI/m 1 1 1\n>\n<\nname Rock\nradius 0.1\npreCompDone y\n{}nv 0\n>\n"
# one particle of src/Apps/DearMySeer/test_GeoVisc/conf3 and conf4, which github.com/richefeu/rockable holds
REAL = (
    "TetraSphere 0 18 1.0 1.4260400236443822e-02 1.0274904825122075e-01 -1.7625154316493499e-02 1.5022417969792218e-03 "
    "-1.4677456318312265e-01 1.3094323370786290e-03 0 -9.81 0 8.2934098389713307e-01 1.4350828748401276e-02 "
    "2.8809007117642538e-01 4.7853076915944659e-01 -8.2666965503503020e-01 7.5209180337975101e-01 "
    "-3.1794422093258523e-01 -1.1141021455414476e-04 -7.1415735511048896e-05 1.2073896463595587e-04",
    "TetraSphere 0 18 1.0 1.4267911445428473e-02 1.0189255043530515e-01 -1.7618607154809170e-02 1.5022417969792218e-03 "
    "-1.9582456318311758e-01 1.3094323370786290e-03 0 -9.81 0 8.2920583523662705e-01 1.3765529472017445e-02 "
    "2.9062576206929708e-01 4.7724716806862577e-01 -8.2667021123144180e-01 7.5209144799318617e-01 "
    "-3.1794361545599392e-01 -1.1106772437257338e-04 -7.0738490883792313e-05 1.2145098998063333e-04",
)
MOMENTS = np.array([0.45, 0.75, 1.0])


def conf(folder, number: int, time: float, *rows: str, gravity="0 -9.81 0", shapes="shapes.txt") -> None:
    text = (
        HEAD.format(time, gravity, shapes) + ROWS.format(len(rows) + 1, REST) + "\n".join(rows) + "\nInteractions 0\n"
    )
    (folder / f"conf{number}").write_text(text)


def row(name: str, *values) -> str:
    return f"{name} 0 0 0.5 " + " ".join(f"{value:.17g}" for value in np.concatenate(values))


@pytest.fixture
def run(tmp_path):
    """A rock that flies for 0.5 s over a wall, with gravity along -y, and what went in."""
    time = np.arange(0.0, 0.5, 0.01)
    q, w = free_motion(MOMENTS, random_attitudes(np.random.default_rng(1), 1)[0], np.array([1.0, 9.0, 0.5]), time)
    fall = np.array([0.0, -9.81, 0.0])
    start = np.array([1.0, 5.0, 2.0]) + np.outer(time, [3.0, 4.0, 0.0])
    place, turn = start + 0.5 * np.outer(time**2, fall), apply(q, w)
    for i, t in enumerate(time):
        rest = place[i], np.array([3.0, 4.0, 0.0]) + t * fall, fall, q[i], turn[i], np.zeros(3)
        conf(tmp_path, i, t, row("Rock", *rest), row("Pebble", *rest))
    return tmp_path, time, q, w, place


def read(folder, **keys):
    return measured_motion(MeasuredConfig(file="conf0", **keys), folder)


def test_a_particle_that_rockable_wrote_turns_as_its_rates_in_space_say(tmp_path):
    for number, line in enumerate(REAL):
        conf(tmp_path, number, 0.005 * (3 + number), line)
    motion = read(tmp_path)
    turned = rotation_vector(multiply(conjugate(motion.orientation[0]), motion.orientation[1]))
    np.testing.assert_allclose(turned / 0.005, motion.angular_velocity.mean(axis=0), rtol=2e-5)
    np.testing.assert_allclose(
        np.diff(motion.position, axis=0)[0, 2] / 0.005, -0.5 * (0.14677456 + 0.19582456), rtol=1e-5
    )
    assert motion.acceleration is not None
    assert np.abs(motion.acceleration).max() < 1e-12, "in flight an accelerometer shows nothing"
    assert motion.table.particle == 1, "the first that moves"


def test_states_have_z_up_and_rates_in_the_body(run):
    folder, time, q, w, place = run
    motion = read(folder, particle="Rock")
    np.testing.assert_allclose(motion.time, time, atol=1e-12)
    np.testing.assert_allclose(motion.angular_velocity, w, atol=1e-12)
    np.testing.assert_allclose(motion.position, np.column_stack([place[:, 0], -place[:, 2], place[:, 1]]), atol=1e-12)
    up = apply(conjugate(motion.orientation), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(up, apply(conjugate(q), np.array([0.0, 1.0, 0.0])), atol=1e-12)
    assert motion.table.particle == 1
    assert len(free_flights(motion)) == 1


def test_a_run_opens_with_the_body_of_its_shape_and_keeps_energy_and_spin(run):
    folder, time, *_ = run
    (folder / "shapes.txt").write_text(SHAPE.format("volume 0.02\nI/m 0.45 0.75 1.0\n"))
    assert is_motion(folder / "conf3")
    scenario = scenario_for(folder)
    mass = 2600 * 0.02 * 0.5**3  # the third power of the homothety
    assert (scenario.title, scenario.body.mass) == (folder.name, pytest.approx(mass))
    np.testing.assert_allclose(scenario.body.inertia, mass * 0.5**2 * MOMENTS)
    assert "Particle 1, Rock" in scenario.note
    assert scenario.g == pytest.approx(9.81, rel=1e-4)
    runs = simulate(scenario.changed(schemes=("exact",)))
    lane = runs["measured"]
    energy, spin = lane.kinetic_energy + lane.potential_energy, np.linalg.norm(lane.spin, axis=1)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-5)  # g is told to five digits
    np.testing.assert_allclose(spin, spin[0], rtol=1e-9)
    exact = runs["exact"]
    there = np.searchsorted(exact.time, lane.time[20] - 1e-9)
    np.testing.assert_allclose(exact.time[there], lane.time[20], atol=1e-9)
    np.testing.assert_allclose(lane.angular_velocity[20], exact.angular_velocity[there], atol=1e-6)
    assert len(lane.files) == 1
    assert len(next(iter(named_files(scenario).values()))) == len(time)


def test_without_a_shape_the_flight_tells_the_body(run):
    scenario = scenario_for(run[0])
    np.testing.assert_allclose(np.array(scenario.body.inertia) / scenario.body.inertia[2], MOMENTS, rtol=1e-3)
    (run[0] / "shapes.txt").write_text(SHAPE.format("").replace("preCompDone y", "preCompDone n"))
    assert body_of(run[0] / "conf0", 1) is None


@pytest.mark.parametrize(
    ("number", "old", "new", "told"),
    [
        (0, "Rockable 21", "Rocks 21", "line 1: expected a configuration of Rockable, which begins with 'Rockable'"),
        (3, "\nt ", "\nt x", "conf3: line 3, t: expected a number below 1e20, got 'x0.02"),
        (3, "\nt 0.0", "\nt 0.01 ", "conf3: t: expected a time after the 0.02 s of the file before"),
        (3, "Particles 3", "Particles 1", "conf3: Particles: expected particle 1, got fewer"),
        (3, "Rock 0 0", "Pebble 0 0", "conf3: line 12: expected particle 1 to be 'Rock', got 'Pebble'"),
        (3, "Rock 0 0 0.5", "Rock 0 0", "conf3: line 12: expected 23 words of a particle, got 22"),
        (3, "Particles", "Particle", "conf3: expected a configuration of Rockable with Particles and their number"),
        (3, "gravity", "gravity 1 nan", "conf3: line 5, gravity: expected a number below 1e20, got 'nan'"),
    ],
)
def test_a_wrong_configuration_is_told_by_file_and_line(run, number, old, new, told):
    file = run[0] / f"conf{number}"
    file.write_text(file.read_text().replace(old, new, 1))
    with refused(told):
        read(run[0])


def test_a_particle_that_is_not_there_is_told(run):
    with pytest.raises(ScenarioError, match="expected a particle from 0 to 2, got 9"):
        read(run[0], particle=9)
    with pytest.raises(ScenarioError, match="'Boulder': no particle has it; expected a number or one's name"):
        read(run[0], particle="Boulder")
    (run[0] / "plain.csv").write_text("t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n")
    with pytest.raises(ScenarioError, match=r"measured.particle: chooses a body of a run of Rockable"):
        measured_motion(MeasuredConfig(file="plain.csv", particle=1), run[0])
    for number in range(1, 50):
        (run[0] / f"conf{number}").unlink()
    with pytest.raises(ScenarioError, match="one configuration; expected two or more"):
        read(run[0])
