"""Tables 1 to 3 of Leine et al. (2021) beside what Polhode finds."""

from __future__ import annotations

import math

from app.hazard.figures.rock_ensembles import (
    CHANT_SURA,
    RAMP,
    ROCKS,
    SCHEMES,
    RockEnsemble,
    nanoseconds,
    rock_ensemble,
    scenario_of,
    toe,
)
from app.plots.print_style import PrintTable
from app.system.language import tr
from physics.core.wording import per_cent

Pair = tuple[float, float]
SPREAD = (
    "; spread: standard deviation across the slope of the paths through the cells at the foot, which it says is less."
)
PRINTED_1 = {RAMP: (74.25, 161.5), CHANT_SURA: (91.6, 184.5)}  # [s], explicit and implicit
PRINTED_2: dict[str, tuple[Pair, Pair]] = {  # mean and standard deviation, explicit and implicit
    "kinetic_energy": ((168.61, 113.8), (188.03, 131.7)),
    "velocity": ((17.88, 7.4), (17.75, 7.7)),
    "rotation": ((4.12, 1.8), (4.77, 1.9)),
    "jump_height": ((1.93, 1.8), (1.40, 1.1)),
}
PRINTED_3: dict[str, tuple[Pair, Pair]] = {
    "kinetic_energy": ((97.06, 69.3), (131.72, 80.6)),
    "velocity": ((13.29, 5.7), (15.06, 6.0)),
    "rotation": ((3.31, 1.5), (4.01, 1.5)),
    "jump_height": ((1.52, 1.3), (1.50, 1.2)),
}
FITTED = (25e6, 1.6)  # modulus [N/m²] and coefficient of scars: ours, of 30 pairs the nearest to table 2
SHOWN = {  # name, unit, and what that is in the SI
    "kinetic_energy": ("kinetic energy", "kJ", 1e3),
    "velocity": ("translational velocity", "m/s", 1.0),
    "rotation": ("rotational velocity", "rot/s", 2.0 * math.pi),
    "jump_height": ("jump height", "m", 1.0),
}
GROUNDS = {RAMP: "40° ramp", CHANT_SURA: "Chant-Sura-like slope"}


def table_1(rocks: int = ROCKS) -> PrintTable:
    """Computing times of 1000 rocks: the paper's beside Polhode's processor time."""
    rows = []
    for name, ground in GROUNDS.items():
        falls = [rock_ensemble(name, scheme, rocks) for scheme in SCHEMES]
        for scheme, found, printed in zip(SCHEMES, falls, PRINTED_1[name], strict=True):
            seconds = found.seconds * 1000.0 / rocks
            steps = int(found.summary["steps"]) / rocks
            rows.append(
                (tr(ground), scheme, f"{printed:g}", f"{seconds:.2f}", f"{steps:.0f}", f"{nanoseconds(found):.0f}")
            )
        ratios = PRINTED_1[name][1] / PRINTED_1[name][0], falls[1].seconds / falls[0].seconds
        a_step = nanoseconds(falls[1]) / nanoseconds(falls[0])
        longer = int(falls[1].summary["steps"]) / int(falls[0].summary["steps"])
        rows.append((tr(ground), tr("ratio"), f"{ratios[0]:.2f}", f"{ratios[1]:.2f}", f"{longer:.2f}", f"{a_step:.2f}"))
    return PrintTable(
        tr("Computing time of 1000 rocks"),
        (tr("terrain"), tr("scheme"), f"{tr('paper')}\n[s]", "Polhode\n[s]", tr("steps\na rock"), tr("a step\n[ns]")),
        tuple(rows),
        tr(
            "Polhode: processor time of all threads, statistics and maps included, {rocks} rocks, step 0.002 s, "
            "measured now on this machine; the paper does not name its machine.\nRocks under the implicit scheme roll "
            "longer: what the scheme itself costs is the ratio of the times a step. The second terrain is a likeness, "
            "not the site."
        ).format(rocks=rocks),
    )


def table_2(rocks: int = ROCKS) -> PrintTable:
    """Rocks on the 40° ramp: mean and standard deviation, the paper's beside Polhode's."""
    return _statistics(RAMP, PRINTED_2, rocks, tr("Rocks on the 40° ramp"))


def table_3(rocks: int = ROCKS) -> PrintTable:
    """Rocks on a likeness of the Chant Sura slope, not the site: as table 2."""
    return _statistics(CHANT_SURA, PRINTED_3, rocks, tr("Rocks on a likeness of Chant Sura (not the site)"))


def _statistics(name: str, printed: dict[str, tuple[Pair, Pair]], rocks: int, title: str) -> PrintTable:
    falls = [rock_ensemble(name, scheme, rocks) for scheme in SCHEMES]
    rows = [_compared(f"{tr(text)} [{unit}]", key, printed, falls) for key, (text, unit, _) in SHOWN.items()]
    runouts = [(f.summary["runout"]["mean"], f.summary["runout"]["std"]) for f in falls]
    rows.append(_row(tr("run-out [m]"), None, (runouts[0], runouts[1])))
    if name == RAMP:
        rows.append(_spread(tr("spread at the foot of the slope [m]"), [f.spread(toe(f)) for f in falls]))
        fitted = [rock_ensemble(name, scheme, rocks, scar=FITTED) for scheme in SCHEMES]
        rows += [
            _compared(tr("{quantity}, fitted scars").format(quantity=f"{tr(text)} [{unit}]"), key, printed, fitted)
            for key, (text, unit, _) in SHOWN.items()
        ]
    return PrintTable(
        tr("{title}: {rocks} rocks, step 0.002 s").format(title=title, rocks=rocks),
        (
            tr("quantity"),
            *(f"{what}\n{whose}" for what in (*SCHEMES, tr("sign")) for whose in (tr("paper"), "Polhode")),
        ),
        tuple(rows),
        tr(
            "Mean ± standard deviation. Polhode weights every metre of path alike; the paper does not say how it "
            "weights. Sign: implicit against explicit. Run-out: horizontal distance from release to rest, for which "
            "the paper prints no number but says longer"
        )
        + f"{tr(SPREAD) if name == RAMP else '.'}{_unstopped(falls)}\n{_soil(name)}"
        + (f" {_fitted()}" if name == RAMP else ""),
    )


def _compared(
    title: str, quantity: str, printed: dict[str, tuple[Pair, Pair]], falls: list[RockEnsemble]
) -> tuple[str, ...]:
    """A row of one quantity."""
    scale = SHOWN[quantity][2]
    explicit, implicit = ((f.summary[quantity]["mean"] / scale, f.summary[quantity]["std"] / scale) for f in falls)
    return _row(title, printed[quantity], (explicit, implicit))


def _fitted() -> str:
    """Source of the second pair, in words."""
    return tr(
        "Fitted scars: {modulus:g} MN/m², coefficient {number:g}, which no impact gave: chosen by us because the means "
        "come nearer to this table."
    ).format(modulus=FITTED[0] / 1e6, number=FITTED[1])


def _unstopped(falls: list[RockEnsemble]) -> str:
    """A sentence on rocks that did not come to rest; "" where all did."""
    shares = [fall.summary["censored"] for fall in falls]
    if not any(shares):
        return ""
    words = f" {tr('and')} ".join(
        tr("{share} under {scheme}").format(share=per_cent(share, 1), scheme=name)
        for name, share in zip(SCHEMES, shares, strict=True)
    )
    text = tr("Of the rocks {words} did not come to rest, and are counted where they were last.")
    return f" {text.format(words=words)}"


def _row(text: str, printed: tuple[Pair, Pair] | None, found: tuple[Pair, Pair]) -> tuple[str, ...]:
    paper = [f"{mean:g} ± {deviation:g}" for mean, deviation in printed] if printed else ["", ""]
    ours = [f"{mean:.4g} ± {deviation:.3g}" for mean, deviation in found]
    sign = _sign(printed[0][0], printed[1][0]) if printed else "+"
    return (text, paper[0], ours[0], paper[1], ours[1], sign, _sign(found[0][0], found[1][0]))


def _spread(text: str, found: list[float]) -> tuple[str, ...]:
    return (text, "", f"{found[0]:.3g}", "", f"{found[1]:.3g}", "−", _sign(found[0], found[1]))


def _sign(explicit: float, implicit: float) -> str:
    return "+" if implicit > explicit else "−"


def _soil(name: str) -> str:
    """The laws of the ground, in words."""
    soil = scenario_of(name).soil
    laws = [
        tr("μ {low:g} to {high:g}").format(low=soil.mu_min, high=soil.mu_max),
        f"β {soil.beta:g}/s",
        f"κ {soil.kappa:g}/m",
    ]
    laws.append(tr("restitution {number:g}").format(number=soil.restitution))
    if (scar := soil.pressed) is not None:
        laws += [
            tr("scars of {modulus:g} MN/m²").format(modulus=scar.modulus / 1e6),
            tr("coefficient {number:g}").format(number=scar.coefficient),
            f"{scar.density:g} kg/m³",
        ]
    return tr(
        "Soil: {laws}. The paper refers to Lu et al. (2019), who give the friction, and fit modulus "
        "and coefficient to single impacts: this pair is the one of their third impact."
    ).format(laws=", ".join(laws))
