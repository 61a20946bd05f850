"""Rockfall world: a rock, the terrain, what covers it, the barriers on it, and where rocks start."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from physics.bodies.body import Body
from physics.core.errors import ScenarioError
from physics.core.rotation import apply
from physics.core.wording import N_
from physics.measured.motion import MeasuredMotion
from physics.systems.rockfall import sampling as rock_sampling
from physics.systems.rockfall.blocks import Blocks, blocks_of, check_corners, rocks_asked, sized
from physics.systems.rockfall.ground_cover import Cover, lay
from physics.systems.rockfall.law_sets import LawSets
from physics.systems.rockfall.map_lines import Barrier, Line, fences_of, lines_of
from physics.systems.rockfall.observations import Observations, observations_of
from physics.systems.rockfall.release import ReleaseSource, source_of
from physics.systems.rockfall.scenario import RockfallScenario
from physics.systems.scenario_body import make_body
from physics.systems.world import World
from physics.terrain import crs
from physics.terrain.dem import read_terrain
from physics.terrain.surface import read_surface
from physics.terrain.terrain import Terrain

LIFT = N_('lift release.height, or set it to "clear"')
_TOUCH = 1e-3  # share of a rock's radius: that near the ground it starts on it
_FLYING = 1.01 * _TOUCH  # likewise of a rock that comes down at once, which touches down there
_HOLLOW = N_("not convex: all its corners touch the ground, and nothing between them; scars take its hull")


@dataclass(frozen=True, kw_only=True)
class RockfallWorld(World):
    """One of the rocks of a scenario on its terrain.

    All attributes of ``World``, and:

    Attributes
    ----------
    terrain : Terrain
        Heights of the ground.
    cover : Cover
        Soils and forests on it.
    fences : tuple of Barrier
        Barriers, see ``physics.systems.rockfall.map_lines``.
    lines : tuple of Line
        Lines of interest.
    observed : Observations
        What was measured on the slope.
    measured : mapping of str to MeasuredMotion
        Motions of rocks that were measured, or that another program computed, by lane.
    source : ReleaseSource or None
        Where the rocks of an ensemble start; None where the position is given.
    pattern : Body or Blocks
        The body as the scenario gives it, before a size or a shape is drawn for the rock; or its blocks.
    posterior : LawSets or None
        Sets of laws, of which ``cover`` has that of the rock; None where all rocks have those of the scenario.
    rock : int
        Number of the rock of the ensemble, see ``physics.systems.rockfall.sampling``.

    Examples
    --------
    >>> import physics
    >>> scenario = physics.Scenario(kind="rockfall", duration=10.0, step=0.005,
    ...     body={"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780},
    ...     terrain={"profile": "ramp", "drop": 12.0, "width": 30.0}, release={"position": [1.0, 0.0]})
    >>> world = physics.RockfallWorld.of(scenario)
    >>> world.rocks, world.position[:2].tolist()
    (1, [1.0, 0.0])

    References
    ----------
    Leine et al. (2021), section 6.1, for the ramp; table 1 for the rock.
    """

    scenario: RockfallScenario
    terrain: Terrain = field()
    cover: Cover
    fences: tuple[Barrier, ...]
    lines: tuple[Line, ...]
    observed: Observations
    measured: Mapping[str, MeasuredMotion]
    source: ReleaseSource | None
    pattern: Body | Blocks
    posterior: LawSets | None = None
    rock: int = 0

    @property
    def crs(self) -> str | None:
        """Coordinate system of the terrain."""
        return self.terrain.crs

    @property
    def rocks(self) -> int:
        """Number of rocks of its ensemble; without a number in the scenario, that of its table of blocks."""
        return rocks_asked(self.scenario)

    @property
    def lossless(self) -> bool:
        """No: ground and forest take energy."""
        return False

    def with_rock(self, rock: int) -> Self:
        """The same world with another rock of its ensemble; ScenarioError when the rock is larger than the map."""
        scenario, terrain = self.scenario, self.terrain
        body, orientation, place, z = rock_sampling.drawn(scenario, self.pattern, terrain, self.source, rock)
        start: dict[str, Any] = {} if orientation is None else {"orientation": orientation}
        if self.posterior is not None:
            start["cover"] = self.posterior.cover(rock, terrain, self.cover)
        height = scenario.release.lift
        if isinstance(self.pattern, Blocks):
            start |= self.pattern.start(rock)
            height = start.pop("height")
        clear = math.isnan(height) and z is None
        if place is not None:
            lifted = terrain.height(*place) + (0.0 if clear else height)
            start["position"] = np.array([*place, lifted if z is None else z])
        world = replace(self, rock=rock, body=body, moments=body.inertia, **start)
        if place is None or not clear:
            return world
        x, y, z = world.position.tolist()
        speed, into = np.linalg.norm(world.velocity), -world.velocity @ terrain.normal(x, y)
        above = _FLYING if into > _TOUCH * speed else _TOUCH
        return replace(world, position=np.array([x, y, z + _sunk(world) + above * body.radius]))


def build(scenario: RockfallScenario) -> RockfallWorld:
    """The first rock on its terrain; notes list repairs and decisions."""
    terrain = make_terrain(scenario)
    blocks = blocks_of(scenario, terrain)
    body = sized(make_body(scenario), scenario.body) if blocks is None else blocks.body(0)
    if scenario.body.form == "mesh" and not body.convex:
        body = replace(body, notes=(*body.notes, N_("{name}: {hollow}", Path(scenario.body.file or "").name, _HOLLOW)))
    velocity = np.array(scenario.release.velocity or scenario.initial.velocity, float)
    check_corners(body)
    cover, source = lay(scenario, terrain), blocks.source if blocks is not None else None
    source = source or _source(scenario, terrain)
    fences, of_fences = fences_of(scenario.barrier, terrain, Path(scenario.folder))
    lines, of_lines = lines_of(scenario.line, terrain, Path(scenario.folder))
    observed = observations_of(scenario.observed, terrain, Path(scenario.folder))
    ground = {"terrain": terrain, "cover": cover, "source": source, "fences": fences, "lines": lines}
    ground |= {"observed": observed, "measured": _placed(scenario)}
    if (drawn := scenario.ensemble.posterior) is not None:
        ground["posterior"] = LawSets(scenario, scenario.path(drawn))
    world = RockfallWorld.at_start(scenario, body, body.inertia, velocity=velocity, pattern=blocks or body, **ground)
    world = world.with_rock(scenario.ensemble.rock)
    smooth = body.surface is not None and not body.surface.flat
    # as large as it falls: that of the table is but a shape where sizes are drawn
    advice = () if _is_plane(scenario) else terrain.advice(world.body.extents, smooth=smooth)
    of_rocks = body.notes if blocks is None else blocks.notes
    notes = (*of_rocks, *terrain.notes, *advice, *cover.notes, *(source.notes if source else ()), *of_fences, *of_lines)
    notes = (*notes, *observed.notes, *scenario.choices(world.measured))
    return replace(world, notes=(*notes, *_alike(scenario, source, cover), *_buried(world)))


def _placed(scenario: RockfallScenario) -> dict[str, MeasuredMotion]:
    """Measured motions by lane; ScenarioError if a file gives no places on the map."""
    found = scenario.motions()
    for motion in found.values():
        if motion.position is None:
            text = N_("expected columns of the position on the map: rates alone give no position")
            raise ScenarioError("measured.position", text, motion.table.file)
    return found


def make_terrain(scenario: RockfallScenario) -> Terrain:
    """The terrain of a rockfall scenario."""
    table = scenario.terrain
    assert table is not None
    names = [piece.file for piece in table.piece] or ([] if table.file is None else [table.file])
    if names:
        paths = tuple(map(scenario.path, names))
        files = [file for path in paths for file in (path, *crs.files_beside(path))]
        changed = tuple(file.stat().st_mtime_ns for file in files if os.path.isfile(file))
        how = table.window, table.resolution, table.nodata, table.crs, table.up
        return _read(paths, changed, bool(table.piece), (table.classes, table.project), how)
    if table.profile == "ramp":
        return _made("ramp", table.angle, table.drop, table.width)
    return _made(str(table.profile))


# the last files are kept: an edit must not read the mountain again, nor a view paint it


_How = tuple[tuple[float, float, float, float] | None, float | None, str | None, str | None, str]


@lru_cache(maxsize=2)
def _read(
    paths: tuple[Path, ...],
    changed: tuple[int, ...],
    pieces: bool,
    of_file: tuple[tuple[int, ...] | None, str | None],
    how: _How,
) -> Terrain:
    """changed: when the files were, in ns; pieces: whether they are those of a surface, not one terrain; of_file:
    classes and project, of one file."""
    return read_surface(paths, *how) if pieces else read_terrain(paths[0], *how, *of_file)


@lru_cache(maxsize=3)
def _made(profile: str, *sizes: float) -> Terrain:
    from physics.terrain.profiles import alpine, chant_sura, ramp  # here: a window would wait until they are loaded

    if profile == "ramp":
        return ramp(*sizes)
    return alpine() if profile == "alpine" else chant_sura()


def _is_plane(scenario: RockfallScenario) -> bool:
    return scenario.terrain is not None and scenario.terrain.profile == "ramp"


def _alike(scenario: RockfallScenario, source: ReleaseSource | None, cover: Cover) -> tuple[str, ...]:
    """Notes if a seed or a number of a rock is given where it changes nothing."""
    notes = []
    placed = source is not None and not source.in_turn
    if scenario.ensemble.gives("seed") and not (placed or rock_sampling.draws(scenario, cover.soils)):
        notes.append(N_("ensemble.seed changes nothing: nothing is drawn for the rocks"))
    if scenario.ensemble.rock > 0 and not rock_sampling.varies(scenario, cover.soils):
        notes.append(N_("ensemble.rock changes nothing: all rocks are the same"))
    return tuple(notes)


def start_depth(world: RockfallWorld) -> float:
    """Depth of the rock in the ground at the start [m]; 0 on it, within a thousandth of its radius, or above."""
    depth = _sunk(world)
    return depth if depth > _TOUCH * world.body.radius else 0.0


def _sunk(world: RockfallWorld) -> float:
    """Depth of the deepest corner of the rock below the ground at the start [m], negative above."""
    x, y, z = (world.position + apply(world.orientation, world.body.vertices)).T
    bumps = world.cover.bumps_below(world.terrain, world.body, x, y)[:, 0]
    return float(np.fmax.reduce(world.terrain.heights_at(x, y) + bumps - z))


def _buried(world: RockfallWorld) -> tuple[str, ...]:
    """A note if the rock starts in the ground; those of an ensemble are counted by physics.hazard.ensemble."""
    depth = start_depth(world)
    return (
        (N_("rock {rock} starts {depth:.2g} m deep in the ground; {lift}", world.rock, depth, LIFT),)
        if depth > 0.0
        else ()
    )


def _source(scenario: RockfallScenario, terrain: Terrain) -> ReleaseSource | None:
    """Source of the rocks' starts; None if the scenario gives the position in space."""
    place = scenario.initial.position
    if place is None:
        return source_of(scenario.release, terrain, Path(scenario.folder))
    if scenario.release.gives("height"):
        raise ScenarioError("release.height", N_("applies to a start on the map; initial.position is given"))
    if not terrain.contains(place[0], place[1]):
        raise ScenarioError(
            "initial.position",
            N_("({place:g}, {place2:g}) lies off the map; expected {reach}", place[0], place[1], terrain.reach),
        )
    return None
