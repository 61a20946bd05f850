"""Rocks computed with stated laws beside measured ones, site by site: ``polhode benchmark field``.

Laws are applied as they stand; nothing is fitted here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

import assets
import physics
from app.hazard.figures.run_out import cumulate, cumulate_measured, name_cumulated, rule_name
from app.plots.print_style import AXES, DASHES, PrintTable, below_all, figure_page
from app.system.language import tr
from app.system.own_words import title_of
from physics.core.rotation import Array, apply
from physics.hazard.ensemble import Ensemble
from physics.hazard.rock_rows import RESTED
from physics.hazard.validation import REACH_ANGLE, Measured, compared, measured_of, paired
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld

CONTACTS = 100
UNKNOWN = ()  # a cell of the table without numbers
Numbers = tuple[float, ...]
Shown = Callable[[int, int], None]


class Row(NamedTuple):
    """A quantity of a site: measured, or what the literature expects; computed with all laws, and by presets alone;
    by an angle of reach. form: of the numbers of a cell.
    """

    site: str
    quantity: str
    form: str
    measured: Numbers | str
    laws: Numbers
    alone: Numbers
    rule: Numbers = UNKNOWN

    def words(self) -> tuple[str, ...]:
        """The row as text."""
        cells = (cell if isinstance(cell, str) else self.form.format(*cell) if cell else "" for cell in self[3:])
        return (self.site, self.quantity, *cells)


# ---- slopes with measured stops -----------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """Measured stops of a slope, and what each set of laws computes.

    runouts : (rocks,) [m], of all laws and of presets alone
    correlations : of run-out with mass: measured, of all laws, of presets alone; NaN where unknown
    """

    name: str
    measured: Measured
    runouts: tuple[Array, Array]
    correlations: tuple[float, float, float]

    def rows(self) -> Iterator[Row]:
        """Its part of the table."""
        given, rule = self.measured, self.measured.rule
        computed = [compared(given.runouts, values) for values in self.runouts]
        means = [(one.mean, one.std) for one in (given.distribution, *(of.computed for of in (*computed, rule)))]
        yield Row(self.name, tr("run-out [m]"), "{:.0f} ± {:.0f}", *means)
        distances = [(one.wasserstein,) for one in (*computed, rule)]
        yield Row(self.name, "W1 [m]", "{:.1f}", (given.resampled.median,), *distances)
        known = [UNKNOWN if math.isnan(one) else (one,) for one in self.correlations]
        yield Row(self.name, tr("correlation with mass"), "{:.2f}", *known)


def tschamut() -> RockfallScenario:
    """The 18 public runs: blocks in their own boxes, velocities as measured, sub-rounded random rocks."""
    found = of_rocks(physics.load_scenario(assets.SCENARIOS / "rock-tschamut.toml"))
    body = {"blocks": "../field/tschamut/blocks.csv", "shape": "random", "angularity": "sub-rounded"}
    return of_rocks(found.changed(title="Tschamut 2014", body=body, release={"height": found.release.height}))


def worlds_of(scenario: RockfallScenario) -> tuple[RockfallWorld, RockfallWorld]:
    """Worlds with all laws of the soils, and with their presets alone."""
    one, two = (RockfallWorld.of(scenario.changed(**{"soil.laws": laws})) for laws in ("recommended", None))
    return one, two


def measured_at(world: RockfallWorld, stops: Stops) -> tuple[Measured, Array]:
    """Facts of measured stops, and the mass of each rock (n,) [kg] or NaN; ScenarioError without run-outs."""
    mass = np.full(len(stops), math.nan)
    if paired(world, stops):
        mass = np.array([world.with_rock(rock).body.mass for rock in range(len(stops))])
    return measured_of(world, stops), mass


def site(worlds: tuple[RockfallWorld, RockfallWorld], known: tuple[Measured, Array], shown: Shown) -> Site:
    """The rocks of the worlds beside ``measured_at``; ``shown`` gets how many have fallen, of how many."""
    rows = [fallen(world, shown) for world in worlds]
    measured, mass = known
    samples = ((mass, measured.runouts), *((one["mass"], one["runout"]) for one in rows))
    a, b, c = (_correlation(*sample) for sample in samples)
    first, second = (np.asarray(one["runout"], float) for one in rows)
    return Site(title_of(worlds[0].scenario), measured, (first, second), (a, b, c))


def fallen(world: RockfallWorld, shown: Shown) -> Any:
    """Rows of the rocks of a world under its first scheme."""
    ensemble = Ensemble(world)
    with closing(ensemble.march()) as march:
        for done in march:
            shown(done, ensemble.rocks)
    return next(iter(ensemble.results.values())).rows.read()


def _correlation(mass: Array, runout: Array) -> float:
    """NaN where masses are unknown or equal."""
    return float(np.corrcoef(mass, runout)[0, 1]) if np.ptp(mass) > 0.0 else math.nan


# ---- single contacts ----------------------------------------------------------------------------------

SLOPE, INTO, SPEED = 35.0, 35.0, 7.5  # [deg] of the ground, and of the velocity into it; [m/s]
CHANT_SURA = (4.15, 0.37, 67.0, 9.4)  # means of 19 contacts, as ``single_contacts`` has them; of 13 the last
CLEAR = 0.02  # [m] above the ground: the rock has left it


def contacts() -> Iterator[Row]:
    """Means over attitudes of a platy rock that comes down on ``hard`` ground once, without a spin before it.

    Beside the means of the 19 contacts of Chant Sura at this speed, as others pass them on.
    """
    name, hard = tr("Contacts as at Chant Sura"), {"preset": "hard"}
    laws, alone = (single_contacts(soil).mean(axis=0) for soil in (hard | {"laws": "recommended"}, hard))
    quantities = (
        (tr("speed after it [m/s]"), "{:.2f}"),
        (tr("energy of translation after it, share"), "{:.2f}"),
        (tr("deflection [°]"), "{:.0f}"),
        (tr("angular velocity after it [rad/s]"), "{:.1f}"),
    )
    for (quantity, form), measured, one, two in zip(quantities, CHANT_SURA, laws, alone, strict=True):
        yield Row(name, quantity, form, (measured,), (one,), (two,))


def single_contacts(soil: Mapping[str, str | float]) -> Array:
    """Speed [m/s], share of the energy of translation, deflection [deg], rotation [rad/s] after each (CONTACTS, 4)."""
    platy = {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}
    return attitudes(contact(soil, platy, SPEED, INTO, SLOPE), CONTACTS)


def contact(
    soil: Mapping[str, Any], body: Mapping[str, Any], speed: float, into: float, slope: float
) -> physics.Scenario:
    """A body that comes down once at a speed [m/s], an angle [deg] into a slope [deg] or level ground, unspun."""
    down, level = math.radians(slope + into), slope == 0.0
    velocity = (speed * math.cos(down), 0.0, -speed * math.sin(down))
    return physics.Scenario(
        kind="rockfall",
        duration=1.0,
        step=0.002,
        schemes=["implicit"],
        body=body,
        initial={"orientation": "random", "velocity": velocity, "angular_velocity": [0.0, 0.0, 0.0]},
        terrain={"profile": "ramp"} | ({} if level else {"angle": slope}),
        soil=soil,
        release={"position": [300.0 if level else 10.0, 0.0], "height": "clear"},  # past the foot of the ramp, or on it
    )


def attitudes(scenario: physics.Scenario, rocks: int) -> Array:
    """Results of ``single_contacts`` (rocks, 4), of a contact; each on other bumps, if the soil has any."""
    world, found = RockfallWorld.of(scenario), []
    for rock in range(rocks):
        own = {"ensemble.rock": rock} | ({"soil.seed": rock} if of_rocks(scenario).soil.bumps else {})
        found.append(_contact(world, physics.simulate(scenario.changed(**own))["implicit"]))
    return np.array(found)


def _contact(world: RockfallWorld, run: physics.Trajectory) -> Numbers:
    """Before: the start. After: when all corners are clear of the ground again, or the end of the run."""
    corners = run.position[:, None] + apply(run.orientation[:, None], world.body.vertices)
    gaps = (corners[..., 2] - world.terrain.heights_at(corners[..., 0], corners[..., 1])).min(axis=1)
    first = int(np.argmax(run.contact > 0))
    last = first + int(np.argmax(np.append(gaps[first:-1], math.inf) > CLEAR))
    before, after = run.velocity[0], run.velocity[last]
    speed, fast = float(np.linalg.norm(after)), float(np.linalg.norm(before))
    ratio = (speed / fast) ** 2
    turned = math.degrees(math.acos(float(before @ after) / (fast * speed)))
    return speed, ratio, turned, float(np.linalg.norm(run.angular_velocity[last]))


# ---- a slope without measurements ---------------------------------------------------------------------


def alpine(preset: str, rocks: int, seed: int) -> RockfallScenario:
    """Rocks of 0.01 to 30 m³ on the generated alpine slope, all of one soil."""
    scenario = physics.Scenario(
        kind="rockfall",
        duration=120.0,
        step=0.004,
        schemes=["implicit"],
        body={"shape": "random", "size": [1.0, 0.9, 0.8], "density": 2650.0, "angularity": "sub-rounded"},
        initial={"orientation": "random"},
        terrain={"profile": "alpine"},
        soil={"preset": preset},
        release={"height": "clear"},
        ensemble={
            "rocks": rocks,
            "seed": seed,
            "shapes": "each",
            "volume": {"distribution": "lognormal", "median": 0.5, "sigma": 1.5, "min": 0.01, "max": 30.0},
        },
    )
    return of_rocks(scenario)


def invented(shown: Shown) -> Iterator[Row]:
    """``alpine`` on ``medium``, beside what the literature expects."""
    name = tr("Invented slope, medium")
    laws, alone = (falls(world, shown) for world in worlds_of(alpine("medium", 100, 0)))
    quantities: tuple[tuple[str, str, str, Numbers], ...] = (
        (tr("run-out [m]"), "{:.0f} ± {:.0f}", "", UNKNOWN),
        (tr("angle of the energy line [°]"), "{:.1f}", "28-38", (REACH_ANGLE,)),
        (tr("largest speed [m/s]"), "{:.0f}", "< 60", UNKNOWN),
        (tr("correlation with mass"), "{:.2f}", "0.2-0.6", UNKNOWN),
    )
    for (quantity, form, expected, rule), one, two in zip(quantities, laws, alone, strict=True):
        yield Row(name, quantity, form, expected, one, two, rule)


def falls(world: RockfallWorld, shown: Shown) -> tuple[Numbers, ...]:
    """Its rocks' run-out [m], median energy line of rocks at rest [deg], largest speed [m/s], correlation with mass."""
    rows = fallen(world, shown)
    rest, runout = rows[np.isin(rows["stop_reason"], RESTED)], rows["runout"]
    above, below = (world.terrain.heights_at(rest[x], rest[y]) for x, y in (("release_x", "release_y"), ("x", "y")))
    line = float(np.median(np.degrees(np.arctan2(above - below, rest["runout"]))))
    means = float(runout.mean()), float(runout.std(ddof=1))
    return means, (line,), (float(rows["max_velocity"].max()),), (_correlation(rows["mass"], runout),)


# ---- together -----------------------------------------------------------------------------------------


def rows_of(sites: Sequence[Site], shown: Shown) -> tuple[Row, ...]:
    """Sites with measured stops, contacts and the invented slope."""
    return *(row for one in sites for row in one.rows()), *contacts(), *invented(shown)


def table(rows: Sequence[Row]) -> PrintTable:
    """The rows, in words."""
    headings = ("", "", tr("measured"), tr("recommended laws"), tr("preset alone"), rule_name())
    return PrintTable(tr("Sites, measured and computed"), headings, tuple(row.words() for row in rows), _note())


def figure(sites: Sequence[Site]) -> Figure:
    """Cumulated run-outs of each site with measured stops."""
    made, rows = figure_page(len(sites), 1, height=2.6)
    for (axes,), one in zip(rows, sites, strict=True):
        cumulate_measured(axes, one.measured.runouts)
        looks = ((tr("recommended laws"), AXES[2], "solid"), (tr("preset alone"), AXES[0], "dash"))
        for values, (name, colour, dash) in zip(one.runouts, looks, strict=True):
            cumulate(axes, values, color=colour, linestyle=DASHES[dash], label=name)
        name_cumulated(axes, one.name)
    below_all(made, *(row[0] for row in rows), columns=4)
    return made


def _note() -> str:
    return tr(
        "Mean ± standard deviation. W1: mean distance by which computed run-outs would have to be moved to be the "
        "measured ones; of the measured: of these resampled from themselves. {rule}: each rock stops where the line of "
        "sight to its release dips by that angle; nothing is fitted."
    ).format(rule=rule_name())
