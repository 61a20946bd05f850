"""Results of a fit: the fitted scenario, marked as such, the table of trials, and the facts of summary.json."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from physics.analysis import sobol
from physics.core.wording import N_, joined
from physics.hazard.fit import FRESH, Fit, MeasuredRuns, Outcome, Score
from physics.hazard.fit_parameters import Parameter, at, changed, fingerprints, values_by_field
from physics.hazard.posterior import Posterior
from physics.hazard.posterior import posterior_facts as facts_of_posterior
from physics.hazard.validation import REACH_ANGLE, distribution, first_places, reach_runouts, releases, resampled
from physics.io.trajectory_writers import polhode_version, write_csv
from physics.systems.rockfall.observations import Stops
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks
from physics.systems.rockfall.world import RockfallWorld

WORDS = {"fitted": "fitted runs", "held_out": "held-out runs"}
OBJECTIVE = (
    "score: W1, the distance of Wasserstein of computed and measured run-outs [m], within each block, in the mean over "
    "the runs; of all runs at once where rocks do not start where runs did, or no blocks are given. wasserstein: of "
    "all runs at once, as polhode validate prints it. Rocks that did not come to rest count where they were last"
)
JUDGED = (
    f"start and fitted: scores of {FRESH} times as many rocks as the trials have, none of which a trial has seen; "
    "best_of_trials: that of the rocks that chose it, and lower"
)


@dataclass(frozen=True)
class Report:
    """A fit with all reported numbers.

    Attributes
    ----------
    asked : the scenario before the fit
    rule : part of the runs -> score of a constant angle of reach, see physics.hazard.validation
    chance : part of the runs -> W1 [m] of measured run-outs resampled from themselves, the median
    posterior : sets of values that agree with the fitted runs; None where none are drawn
    """

    asked: RockfallScenario
    stops: Stops
    fit: Fit
    outcome: Outcome
    rule: dict[str, Score]
    chance: dict[str, float]
    posterior: Posterior | None = None

    @property
    def runs(self) -> MeasuredRuns:
        """The measured runs."""
        return self.fit.runs

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The free parameters."""
        return self.fit.parameters

    @property
    def values(self) -> dict[str, float]:
        """The fitted values, by field."""
        return values_by_field(np.array(self.outcome.best.values), self.parameters)

    @property
    def says(self) -> str:
        """Summary of the fit: on what data, and how good it is."""
        return joined(" ", self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The same, sentence by sentence."""
        n, held, file = len(self.runs), int(self.runs.held_out.sum()), self.stops.path.name
        score = {name: self._score(name) for name in self.runs.parts}
        found: list[str] = [
            N_(
                "Fitted on {held} of {n} measured runs of {file}, not a prediction: {values}.",
                n - held,
                n,
                file,
                at(self.values),
            ),
            N_("Score there: {score}.", score["fitted"]),
        ]
        if held:
            better = self.outcome.fitted["held_out"].score < self.outcome.start["held_out"].score
            found.append(N_("On the {held} held out: {score}.", held, score["held_out"]))
            found += [] if better else [N_("There it is no better than the start.")]
        else:
            found.append(N_("No run was held out, so the fit is untested on other runs."))
        if self.posterior is not None:
            part = "held_out" if held else "fitted"
            found.append(self.posterior.sentence(part))
        at_bounds = [one.field for one in self.parameters if not 0.01 < one.share(self.values[one.field]) < 0.99]
        found += [N_("At a bound: {at_bounds}.", ", ".join(at_bounds))] if at_bounds else []
        return (
            *found,
            *([N_("The search was stopped before all trials were made.")] if self.outcome.interrupted else []),
        )

    def _score(self, part: str) -> str:
        """Scores of a part of the runs: fitted, at the start, and of the rule."""
        found, start, rule = (one[part].score for one in (self.outcome.fitted, self.outcome.start, self.rule))
        return N_(
            "{found:.1f} m (start {start:.1f} m, an angle of reach of {reach_angle:g}° {rule:.1f} m)",
            found,
            start,
            REACH_ANGLE,
            rule,
        )


def report(world: RockfallWorld, stops: Stops, fit: Fit, outcome: Outcome, drawn: Posterior | None = None) -> Report:
    """A fit beside what would be found without one."""
    places, runs = releases(world, stops, len(stops)), fit.runs
    if len(places) < len(runs):  # some are unknown: those of the rocks that are compared with each run
        places = first_places(world, len(runs))
    runouts, rule, chance = reach_runouts(world, places), {}, {}
    for name, part in runs.parts.items():
        rule[name] = runs.score(part, np.flatnonzero(part), runouts[part], np.ones(part.sum(), bool))
        chance[name] = resampled(runs.runouts[part]).median
    return Report(world.scenario, stops, fit, outcome, rule, chance, drawn)


def fitted_scenario(found: Report) -> RockfallScenario:
    """The scenario with the values that were found; its note and its table ``[fitted]`` say what it is."""
    prints = np.array(fingerprints(found.stops))
    table = {
        "table": found.stops.path.name,
        "digest": hashlib.blake2b(found.stops.path.read_bytes(), digest_size=16).hexdigest(),
        "values": found.values,
        "runs": sorted(set(prints[~found.runs.held_out].tolist())),
        "held_out": sorted(set(prints[found.runs.held_out].tolist())),
    }
    by = f"{found.says} By polhode fit {polhode_version()}, {len(found.outcome.trials)} trials, seed {found.fit.seed}."
    title, note = found.asked.title or "Rockfall", found.asked.note
    changes = {"title": f"{title}, fitted", "note": f"{by} {note}".strip(), "fitted": table}
    return of_rocks(changed(found.asked, found.values).changed(**changes))


def write_trials(path: Path, found: Report) -> None:
    """A row a trial, in their order; the best is the lowest score within the bounds."""
    columns = ["score [m]", "wasserstein [m]", "mean [m]", "std [m]", "not_at_rest"]
    rows = (
        [
            number,
            trial.stage,
            *values_by_field(np.array(trial.values), found.parameters).values(),
            *asdict(trial.score).values(),
        ]
        for number, trial in enumerate(found.outcome.trials)
    )
    write_csv(path, ["trial", "stage", *(one.field for one in found.parameters), *columns], rows)


def fit_facts(found: Report) -> dict[str, Any]:
    """All numbers, as plain values; the same for the same command, whatever the number of threads."""
    fit, outcome, runs = found.fit, found.outcome, found.runs
    return {
        "says": found.says,
        "prediction": False,
        "objective": OBJECTIVE,
        "judged": JUDGED,
        "version": polhode_version(),
        "scenario": found.asked.in_full(),
        "observed": str(found.stops.path),
        "seed": fit.seed,
        "rocks": len(fit.numbers),
        "trials": len(outcome.trials),
        "interrupted": outcome.interrupted,
        "paired": runs.paired,
        "by_block": runs.paired and any(runs.blocks),
        "runs": {name: (np.flatnonzero(part) + 1).tolist() for name, part in runs.parts.items()},
        "parameters": [_parameter(found, i) for i in range(len(found.parameters))],
        "best_of_trials": asdict(outcome.best.score),
        "posterior": None if found.posterior is None else facts_of_posterior(fit, found.posterior),
        "scores": {
            name: {
                "measured": asdict(distribution(runs.runouts[part])) | {"drawn_again": found.chance[name]},
                "start": asdict(outcome.start[name]),
                "fitted": asdict(outcome.fitted[name]),
                f"reach_{REACH_ANGLE:g}": asdict(found.rule[name]),
            }
            for name, part in runs.parts.items()
        },
    }


def _parameter(found: Report, i: int) -> dict[str, Any]:
    """One parameter: its bounds, values, scores alone at both bounds, and sensitivities."""
    one, bounds = found.parameters[i], found.parameters[i].bounds
    alone = [trial.score.score for trial in found.outcome.trials if trial.stage == "alone"][2 * i : 2 * i + 2]
    sensitivities = {name: _indices(indices, i) for name, indices in found.outcome.sensitivities.items()}
    return {
        "field": one.field,
        "low": bounds.low,
        "high": bounds.high,
        "logarithmic": bounds.logarithmic,
        "start": one.start,
        "fitted": found.values[one.field],
        "score_alone_at_bounds": alone,
        "sensitivities": sensitivities or "not computed: one field, or too few trials",
    }


def _indices(indices: sobol.Indices, i: int) -> dict[str, Any]:
    return {
        "first": float(indices.first[i]),
        "first_bounds": indices.first_bounds[i].tolist(),
        "total": float(indices.total[i]),
        "total_bounds": indices.total_bounds[i].tolist(),
    }
