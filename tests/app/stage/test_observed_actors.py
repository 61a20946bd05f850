"""What was measured is drawn where it was, in the stage's coordinates, and told in the legend."""

import numpy as np
import pytest
import pyvista as pv

from app.stage.ground.ground import Ground
from app.stage.ground.marks import ObservedActor
from app.stage.ground.scene import LAID
from app.stage.theme_colours import look_of
from app.theme import DARK
from physics.systems.world import World
from tests.small import rock

SHIFT = np.array([100.0, 20.0, 0.0])


@pytest.fixture
def measured(tmp_path):
    (tmp_path / "stops.csv").write_text("x,y\n150,30\n160,-40\n")
    (tmp_path / "tracks.csv").write_text("track,x,y,z\na,10,0,\na,50,5,\na,150,30,\nb,10,0,160\nb,30,1,150\n")
    (tmp_path / "screens.csv").write_text("screen,x,y,velocity,height\nnet,60,0,10,2\nnet,60,5,20,3\n")
    measured = {"stops": "stops.csv", "tracks": "tracks.csv", "screens": "screens.csv"}
    return World.of(rock(terrain={"profile": "ramp"}, observed=measured, folder=str(tmp_path)))


@pytest.mark.picture
def test_what_was_measured_lies_on_the_ground_of_the_stage(measured):
    drawn = ObservedActor(Ground(measured, SHIFT), SHIFT, measured.observed, look_of(DARK))
    assert drawn.overlay in LAID
    tracks, crosses, staffs = (pv.wrap(drawn.actors[i].mapper.GetInput()) for i in (1, 3, 5))
    middles = crosses.points[1::3]  # of each stroke
    np.testing.assert_allclose(middles[::2, :2], [[50.0, 10.0], [60.0, -60.0]], atol=1e-4)
    ground = measured.terrain.heights_at(*(middles[:, :2] + SHIFT[:2]).T)
    assert ((middles[:, 2] - ground) > 0.0).all()
    assert (np.abs(middles[:, 2] - ground) < 1.0).all()
    b = tracks.points[-2:]
    np.testing.assert_allclose(b, [[-90.0, -20.0, 160.0], [-70.0, -19.0, 150.0]], atol=1e-4)
    foot, top = staffs.points[0], staffs.points[1]
    assert top[2] - foot[2] == pytest.approx(2.0, abs=1e-4)
    assert (drawn.bar.high, drawn.bar.unit) == (20.0, "m/s")
    balls = drawn.actors[-1].prop
    drawn.set_unit(2.0)  # as in a picture 1440 high
    assert (balls.point_size, balls.render_points_as_spheres) == (16.0, True)
    told = [piece.text.strip() for _, piece in drawn.signs()]
    assert told == ["× 2 measured stops", "— 2 measured tracks", "| measured passages"]
