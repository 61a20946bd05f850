"""Overlays of free bodies and tops: built when asked for, true to the run, and gone when switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import numpy as np
import pytest
import pyvista as pv

from app.export.offscreen_stage import studio
from app.kinds import KINDS, kind_of
from app.playback.run import Run
from app.stage import DEFAULT_OVERLAYS, OVERLAYS, Stage
from app.stage.bodies.arrows import rate_scale
from app.stage.overlays.insets import CLEAR, PLACES, SIZE, roles
from app.stage.overlays.overlays import EXTRAS, served
from app.stage.overlays.reference_frames import corners
from app.stage.plotter import offscreen
from app.theme import THEMES
from physics import ScenarioError
from physics.analysis.contact_points import touch
from physics.core.rotation import apply, conjugate
from physics.scenario.view_config import Overlay
from tests import small
from tests.app.staging import example, finished, picture, props, stage_of

pytestmark = pytest.mark.picture

PLAIN = ("vectors", "grid")


@pytest.fixture(scope="module")
def poinsot() -> Run:
    schemes = ["explicit", "implicit", "exact"]
    return finished(example("poinsot", schemes=schemes))


@pytest.fixture
def plotter() -> Iterator[pv.Plotter]:
    plotter = offscreen((640, 360), samples=0)
    yield plotter
    plotter.close()


def raised(run: Run, plotter: pv.Plotter, *names: str, time: float, layout: str = "side-by-side") -> Stage:
    kind = kind_of(run.scenario).scene()
    stage = Stage(plotter, run.world, run.lanes, THEMES["dark"], kind, layout=layout, overlays=(*PLAIN, *names))
    stage.wait()
    stage.show(time)
    return stage


def extras(stage: Stage) -> list:
    return [extra for _, extra in stage.describe().extras.parts]


@pytest.fixture(scope="module")
def runs(top: Run, flight: Run) -> dict[str, Run]:
    rock = finished(example("rock-ramp", duration=3.0))
    return {
        "free": flight,
        "top": top,
        "rockfall": rock,
        "ship": finished(example("ship-barge", duration=3.0)),
        "table": finished(example("table-disk", duration=3.0)),
        "joints": finished(example("joints-four-bar", duration=3.0)),
    }


EACH = [(name, kind) for kind, row in KINDS.items() if kind != "vessel" for name in row.scene().overlays]


@pytest.mark.parametrize(("name", "kind"), EACH)
def test_an_overlay_shows_something_and_leaves_nothing(
    runs: dict[str, Run], plotter: pv.Plotter, name: str, kind: str
) -> None:
    stage = stage_of(runs[kind], plotter)
    time = 12.0 if kind == "free" else 1.5  # when one of the lanes tumbles
    before = picture(stage, plotter, time)
    eyes = [stage.describe().rig.eye(view) for view in range(2)]
    empty = props(plotter), plotter.render_window.GetRenderers().GetNumberOfItems()
    assert not stage.describe().extras.parts
    stage.set_overlay(name, True)
    stage.wait()
    shown = picture(stage, plotter, time)
    few = 10 if kind == "rockfall" else 60  # pixels: a rock on its slope is small
    assert (np.abs(shown - before).max(axis=2) > 30).sum() > few
    stage.set_overlay(name, False)
    np.testing.assert_array_equal(picture(stage, plotter, time), before)
    np.testing.assert_array_equal([stage.describe().rig.eye(view) for view in range(2)], eyes)
    stage.set_overlay(name, True)
    stage.set_theme(THEMES["light"])
    assert picture(stage, plotter, 1.5).std() > 10
    stage.close()
    stage = stage_of(runs[kind], plotter)
    assert (props(plotter), plotter.render_window.GetRenderers().GetNumberOfItems()) == empty


# ---- Poinsot's construction --------------------------------------------------------------------------------


def test_before_and_after_an_edit_of_the_body_all_is_drawn_by_that_body(plotter: pv.Plotter) -> None:
    """An exact motion stays on plane and sphere, and its arrow is the momentum that the run tells, also backwards."""
    wider = {"shape": "cuboid", "mass": 12.0, "size": (2.0, 1.0, 4.0)}
    run = finished(small.cuboid(duration=4.0, schemes=("exact",), edit=({"time": 2.0, "body": wider},)))
    stage = raised(run, plotter, "poinsot", "momentum", "truth", time=1.0)
    placed, bounds = stage.viewpoint, []
    for time in (1.0, 3.0, 1.5):
        stage.show(time)
        poinsot, sphere = extras(stage)
        (track,), (roller,), pose = stage.describe().tracks, poinsot.rollers, stage.describe().tracks[0].pose(time)
        assert not roller.off
        assert abs(poinsot.lift(poinsot.scale * pose.omega)) < 1e-3 * poinsot.height
        assert poinsot.scale == rate_scale(track)  # its tip is that of the arrow
        assert np.linalg.norm(sphere.curves[0].points, axis=1) == pytest.approx(CLEAR, rel=1e-3)
        np.testing.assert_allclose(pose.spin, track.run.spin[track.run.index(time)], rtol=1e-9, atol=1e-9)
        ((_, scene),) = stage.describe().scenes
        bounds.append(scene.body.actor.mapper.GetInput().points)
        np.testing.assert_array_equal(stage.viewpoint.position, placed.position)
    sizes = [np.ptp(points, axis=0).tolist() for points in bounds]
    assert sizes == [pytest.approx(one, rel=0.01) for one in ((3.0, 2.0, 1.0), (2.0, 1.0, 4.0), (3.0, 2.0, 1.0))]
    stage.close()


def test_a_trail_begins_where_an_edit_gives_the_body_another_shape(plotter: pv.Plotter) -> None:
    """Not where it changes the mass alone: the point that draws it is then the same."""
    for size, held in ((2.0, 1.0, 4.0), True), ((3.0, 2.0, 1.0), False):
        edit = {"time": 2.0, "body": {"shape": "cuboid", "mass": 12.0, "size": size}}
        run = finished(small.cuboid(duration=4.0, schemes=("exact",), edit=(edit,)))
        stage = raised(run, plotter, "trails", time=2.1)
        trace = stage.describe().scenes[0][1].traces[0]
        at_edit = np.linalg.norm(trace.points - trace.arms(np.array([2.0])), axis=1) < 1e-6
        assert (np.count_nonzero(at_edit) > len(at_edit) / 2) == held
        stage.close()


def test_contacts_after_an_edit_of_the_ground_are_those_of_their_time(plotter: pv.Plotter) -> None:
    edit = {"time": 0.5, "soil": {"preset": "snow"}}
    run = finished(example("rock-ramp", duration=3.0, schemes=("implicit",), edit=(edit,)))
    stage = raised(run, plotter, "contacts", time=0.6)
    (marks,), world, touched = extras(stage), stage.describe().tracks[0].world, []
    for time in np.linspace(0.6, 3.0, 25):
        stage.show(float(time))
        found = touch(world, stage.describe().tracks[0].stored(float(time))).touching
        dots = sum(dot.GetVisibility() for dot in marks.rocks[0].dots)
        assert dots == min(np.count_nonzero(found), len(marks.rocks[0].dots))
        touched.append(dots > 0)
    assert {*touched} == {False, True}
    stage.close()


def test_the_herpolhode_lies_in_the_plane_unless_the_scheme_loses_spin(poinsot: Run, plotter: pv.Plotter) -> None:
    stage = raised(poinsot, plotter, "poinsot", time=14.0)
    for extra, name in zip(extras(stage), ("explicit", "implicit", "exact"), strict=True):
        (roller,) = extra.rollers
        off = np.array([extra.lift(point) for point in roller.herpolhode.points]) / extra.height
        assert roller.off is (name == "explicit")
        assert (np.abs(off).max() > 0.1) == (name == "explicit")
        if name != "explicit":
            # curves are drawn between stored states: chords of the herpolhode lie in the plane as well
            assert np.abs(off).max() < 2e-3


@pytest.mark.parametrize("number", [1, 2])
def test_the_tip_of_omega_is_where_the_ellipsoid_touches_the_plane(
    poinsot: Run, plotter: pv.Plotter, number: int
) -> None:
    stage = raised(poinsot, plotter, "poinsot", time=3.0)
    for time in poinsot.lanes[number].trajectory.time[100:2000:190]:
        stage.show(float(time))
        extra = extras(stage)[number]
        (roller,) = extra.rollers
        tip = roller.bead.user_matrix[:3, 3]
        state = poinsot.lanes[number].trajectory.at(float(time))
        axes = extra.scale * np.sqrt(extra.twice / poinsot.world.body.inertia)
        local = apply(conjugate(state.orientation), tip)
        assert np.sum((local / axes) ** 2) == pytest.approx(1.0, abs=1e-12)  # on the ellipsoid
        assert extra.lift(tip) == pytest.approx(0.0, abs=1e-12)  # and in the plane
        normal = apply(state.orientation, local / axes**2)
        np.testing.assert_allclose(normal / np.linalg.norm(normal), extra.normal, atol=1e-12)  # which is tangent


# ---- insets ------------------------------------------------------------------------------------------------


def test_the_spin_stays_on_the_sphere_unless_it_is_lost(flight: Run, plotter: pv.Plotter) -> None:
    stage = raised(flight, plotter, "momentum", time=15.0)
    explicit, implicit = (np.linalg.norm(extra.curves[0].points, axis=1) for extra in extras(stage))
    assert np.ptp(implicit) < 1e-6
    assert explicit.min() < 0.65 < 1.0 < explicit.max()


def test_the_level_set_holds_implicit_and_not_explicit(flight: Run, plotter: pv.Plotter) -> None:
    stage = raised(flight, plotter, "level", time=3.0)
    explicit, implicit = extras(stage)
    for time in (3.0, 8.0, 15.0):
        stage.show(time)
        assert (explicit.outside, implicit.outside) == ([True], [False])
    for curve, place in zip(implicit.curves[0], PLACES, strict=True):
        away = np.linalg.norm(curve.points - place, axis=1)
        assert 0.3 * SIZE < away.max() <= SIZE * (1 + 1e-6)


@pytest.mark.parametrize(
    ("name", "acts"), [("cuboid-intermediate", {}), ("cuboid-major", {"damping": {"internal": 0.1}})]
)
def test_there_is_no_level_set_about_the_intermediate_axis_or_where_energy_is_lost(
    plotter: pv.Plotter, name: str, acts: dict
) -> None:
    run = finished(example(name, duration=1.0, **acts))
    stage = raised(run, plotter, "level", "labels", time=0.5)
    assert all(not extra.renderer.GetDraw() for extra in extras(stage))
    assert extras(stage)[0].signs()


def test_axes_bear_the_names_of_their_moments() -> None:
    assert roles(np.array([5.0, 10.0, 13.0])) == ("minor", "intermediate", "major")
    assert roles(np.array([13.0, 5.0, 10.0])) == ("major", "minor", "intermediate")
    assert roles(np.array([2.0, 1.0, 2.0])) == ("equal", "minor", "equal")
    assert roles(np.array([2.0, 3.0, 2.0])) == ("equal", "major", "equal")


# ---- curves ------------------------------------------------------------------------------------------------


def test_the_paths_are_those_of_the_corners_or_of_the_points_that_are_named(plotter: pv.Plotter) -> None:
    scenario = example("cuboid-major", duration=2.0)
    for points in (None, [[0.0, 0.0, 2.0], [1.5, 0.0, 0.0]]):
        run = finished(scenario if points is None else scenario.changed(**{"view.points": points}))
        stage = raised(run, plotter, "points", time=1.0)
        extra = extras(stage)[0]
        state = run.lanes[0].trajectory.at(1.0)
        expected = apply(state.orientation, corners(run.world.body) if points is None else np.array(points))
        np.testing.assert_allclose([path.points[-1] for path in extra.paths[0]], expected, atol=1e-6)
        stage.close()


def test_the_reference_of_a_steady_top_is_its_circle(top: Run, plotter: pv.Plotter) -> None:
    stage = raised(top, plotter, "reference", time=1.9)
    size = np.linalg.norm(extras(stage)[0].line.points[-1])
    lean = np.degrees(np.arccos(extras(stage)[0].line.points[:, 2] / size))
    np.testing.assert_allclose(lean, 60.0, atol=0.02)  # quat-em goes up to 60.6 degrees


# ---- scenarios ---------------------------------------------------------------------------------------------


def test_scenario_files_may_name_all_overlays_and_no_others() -> None:
    assert set(get_args(Overlay)) == set(OVERLAYS)
    assert set(DEFAULT_OVERLAYS).isdisjoint(EXTRAS)
    scenario = example("poinsot")
    with pytest.raises(ScenarioError, match=r"view.overlays.*'momentum'.*'poinsots'"):
        scenario.changed(**{"view.overlays": ["poinsots"]})
    assert served(KINDS["free"].scene(), None, "poinsot")
    assert not served(KINDS["rockfall"].scene(), None, "poinsot")
    assert served(KINDS["top"].scene(), None, "grid")
    assert not served(KINDS["free"].scene(), None, "grid")  # a body in free flight has no floor


def test_an_export_shows_the_overlays_that_the_scenario_asks_for(poinsot: Run) -> None:
    taken = {}
    for overlays in (("grid",), ("grid", "momentum")):
        shown = {"view.overlays": overlays, "export.size": (320, 180)}
        world = finished(poinsot.scenario.changed(duration=0.1, **shown)).world
        with studio(world, poinsot.lanes[:2]) as take:
            taken[overlays] = take(3.0).astype(int)
    assert np.abs(taken[("grid",)] - taken[("grid", "momentum")]).max() > 100
