"""MuJoCo: ``implicitfast``, as its documentation advises, and its own contacts."""

from __future__ import annotations

import numpy as np

from app.bench.neighbours import FRICTION, GRAVITY, STEP, Scene
from physics.core.rotation import Array
from physics.systems.rockfall.world import RockfallWorld


def scene(world: RockfallWorld, restitution: float) -> Scene:
    """See app.bench.neighbours.scene; its contacts have no coefficient of restitution."""
    return _Scene(world)


class _Scene:
    def __init__(self, world: RockfallWorld) -> None:
        import mujoco

        self._advance, self._reset = mujoco.mj_step, mujoco.mj_resetData
        self.model = mujoco.MjModel.from_xml_string(_text(world))
        heights = world.terrain.heights
        self.model.hfield_data[:] = ((heights - heights.min()) / np.ptp(heights)).ravel()
        self.data = mujoco.MjData(self.model)

    def begin(self, position: Array, orientation: Array, velocity: Array, angular_velocity: Array) -> None:
        self._reset(self.model, self.data)
        self.data.qpos[:3], self.data.qpos[3:] = position, orientation
        self.data.qvel[:3], self.data.qvel[3:] = velocity, angular_velocity

    def step(self, steps: int) -> None:
        self._advance(self.model, self.data, steps)

    def state(self) -> tuple[Array, Array, Array]:
        return self.data.qpos[:3].copy(), self.data.qvel[:3].copy(), self.data.qvel[3:].copy()


def _text(world: RockfallWorld) -> str:
    """The scene as MuJoCo reads it."""
    terrain, body = world.terrain, world.body
    (ny, nx), (x0, x1, y0, y1) = terrain.heights.shape, terrain.extent
    relief = float(np.ptp(terrain.heights))
    corners = " ".join(f"{value:.9g}" for value in body.vertices.ravel())
    return f"""<mujoco>
      <option timestep="{STEP}" integrator="implicitfast" gravity="0 0 -{GRAVITY}"/>
      <asset>
        <mesh name="rock" vertex="{corners}"/>
        <hfield name="ground" nrow="{ny}" ncol="{nx}" size="{(x1 - x0) / 2} {(y1 - y0) / 2} {relief} 1"/>
      </asset>
      <worldbody>
        <geom type="hfield" hfield="ground" friction="{FRICTION} 0.005 0.0001" condim="3"/>
        <body>
          <freejoint/>
          <geom type="mesh" mesh="rock" mass="{body.mass}" friction="{FRICTION} 0.005 0.0001" condim="3"/>
        </body>
      </worldbody>
    </mujoco>"""
