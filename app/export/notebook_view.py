"""A run in a notebook: the page that ``polhode scene`` writes, in a frame, and a picture where no page is shown."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.document.recipe import title
from app.export.gltf import glb
from app.export.offscreen_stage import draw_image
from app.export.scene_files import page
from app.export.scene_model import model_of
from app.playback.lane_looks import lane_schemes
from app.playback.run import MOST_LANES, Lane, find_truths
from app.playback.verdicts import verdicts
from physics import SCHEMES, Motion, Runs, Scenario, ScenarioError, Trajectory, World, simulate
from physics.bibliography import Source
from physics.core.trajectory import Recording
from physics.core.wording import N_
from physics.schemes import scheme_for
from physics.schemes.own_scheme import COLOUR
from physics.schemes.scheme import Scheme
from physics.simulation.reference import Reference, reference_of
from physics.simulation.schedule import Schedule


@dataclass(frozen=True)
class NotebookView:
    """View of a run that a notebook shows, by ``_repr_mimebundle_``, where a cell ends with it.

    height : of the frame [pixels]
    """

    world: World
    lanes: Sequence[Lane]
    height: int = 480

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """A page that plays and can be turned; a picture for notebooks that are printed; a line of text."""
        return {"text/html": self.frame(), "image/png": self.picture(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        names = f"{title(self.world.scenario)}: {', '.join(lane.scheme.name for lane in self.lanes)}"
        return "\n".join([names, *verdicts(self.lanes)])

    def frame(self) -> str:
        """The page in a frame of its own. Its scripts are isolated from the notebook's, and load nothing."""
        inside = html.escape(page(self.world, glb(model_of(self.world, self.lanes))))
        style = f"width: 100%; height: {self.height}px; border: 0; border-radius: 8px"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{inside}"></iframe>'

    def picture(self) -> bytes:
        """The picture (.png) that ``polhode image`` makes, as the scenario's view and export tables say."""
        scenario = self.world.scenario.changed(**{"export.size": (960, 540)})  # of 100 to 300 kB
        draw_image(replace(self.world, scenario=scenario), self.lanes, file := io.BytesIO())
        return file.getvalue()


def view_of(run: object, height: int) -> NotebookView:
    """The view of a run, of a motion, or of a scenario, which is computed; ScenarioError where it cannot be shown."""
    if isinstance(run, Motion):
        row, runs = _runs_of(run)
        world = World.of(runs.scenario)
        lane = Lane(row, Recording.of(runs[row.name]), world, {row.name: reference_of(world)})
        return NotebookView(world, [lane], height)
    if isinstance(run, Scenario):
        run = simulate(run)
    if not isinstance(run, Runs):
        expected = N_("what physics.simulate or physics.integrate returns, or a scenario")
        raise ScenarioError("run", N_("expected {expected}, got {name}", expected, type(run).__name__))
    if len(run) > MOST_LANES:
        raise ScenarioError("run", N_("expected at most {most_lanes} lanes, got {run}", MOST_LANES, len(run)))
    world, rows = run.world or Schedule.of(run.scenario).worlds()[-1], lane_schemes(list(run))
    truths: dict[str, Reference] = {}
    lanes = [Lane(row, Recording.of(run[row.name]), world.of_lane(row.name), truths) for row in rows]
    find_truths([world], lanes)
    return NotebookView(world, lanes, height)


def _runs_of(motion: Motion) -> tuple[Scheme, Runs]:
    """The row of a motion's scheme, and the motion as the run of a free body with its moments."""
    n, name = len(motion.time), motion.scheme
    if n < 2:
        raise ScenarioError("run", N_("expected a motion of at least one step, got {n} state", n))
    own = name not in SCHEMES
    row = scheme_for("implicit" if own else name, "free", "scheme")
    scenario = Scenario(
        kind="free",
        title=f"Free body, {name}" if own else "Free body",
        duration=float(motion.time[-1]),
        step=float(motion.time[1]),
        schemes=[row.name],
        body={"shape": "inertia", "mass": 1.0, "inertia": motion.moments.tolist()},
        initial={
            "orientation": motion.orientation[0].tolist(),
            "angular_velocity": motion.angular_velocity[0].tolist(),
        },
    )
    if own:  # a function of the caller's: drawn in the colour of a user's own schemes, under its own name
        row = replace(row, name=name, title=name, letter=f"{name[:1].upper()}*", colour=COLOUR, dash="solid")
        row = replace(row, source=Source("own scheme"), equations="a Python function")
    still = np.zeros((n, 3))
    run = Trajectory(
        name,
        motion.time,
        still,
        motion.orientation,
        still,
        motion.angular_velocity,
        motion.kinetic_energy,
        np.zeros(n),
        motion.spin,
        np.zeros(n),
        motion.events,
        n - 1,
    )
    return row, Runs(scenario, [(name, run)])
