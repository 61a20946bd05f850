"""Soils and forests: the categories of RAMMS::ROCKFALL as presets of the laws of Leine et al. (2014), Lu et al. (2019).

The values are literature, approximate: the table of Bartelt, Gerber, Christen & Bühler (INTERPRAEVENT 2016) as others
pass it on. The row ``hard`` is the fixed set of Lu et al. (2019); the ends of the list are confirmed by an independent
account; the rows between them, and snow above all, are less sure. Measure where it matters.

Scars: that of ``hard`` is the set of Lu et al. (2019) for a whole slope, whose single impacts gave 10 to 25 MN/m². The
others are ours: the same drag and density, and moduli that fall with the softness, 10 MN/m² being their lowest. Rock
stays rigid, and so does snow, for which no value is known here.

Impacts: ``laws = "recommended"``. All values are ours: chosen on the 18 public runs of Tschamut (``medium``), and so
that soils rank by their hardness on two maps of the Alps. Restitutions are half at 6 m/s, so that what falls from a
cliff hardly bounces; layers make scars small for large rocks, and roughness, from ``medium-hard`` on, holds small ones.

Forests: the drags of open, medium and dense ones and the height of the layer, passed on likewise; less sure than soils.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np

from physics.core.jit import formula
from physics.core.records import Records, record_type
from physics.core.rotation import Array, Quaternion, Symmetric, Vector, cross_product, dot, inverse, rotate
from physics.core.wording import N_
from physics.terrain.terrain import Kinds, patch, spot

# ---- laws at a place ----------------------------------------------------------------------------------
# Between nodes every parameter is interpolated bilinearly, as heights are (Leine et al. 2014, section 3.5).


class SoilLaw(NamedTuple):
    """Laws of the soil below a rock, as contact takes them; most are numbers of ``[soil]`` under their own names.

    mu_min, mu_max, kappa [1/m], beta [1/s] : friction, see physics.contact.friction
    restitution, fading [s²/m²] : of the normal velocity; fading is 1/K², with K the speed at which it is half
    drag [1/s] : over mass, in contact and for drag_time [s] after a touch-down
    rolling : resistance, the tangent of a slope
    ramp [rad], roughness, scatter : of the normal, see physics.contact.places; roughness over the rock's radius
    bumps [m] : as a rock feels them, see physics.contact.bumps
    scar_depth, scar_drag, scar_layer : see ScarLaws
    """

    mu_min: float
    mu_max: float
    kappa: float
    beta: float
    restitution: float
    fading: float
    drag: float
    drag_time: float
    rolling: float
    ramp: float
    roughness: float
    bumps: float
    scatter: float
    scar_depth: float
    scar_drag: float
    scar_layer: float


@formula
def soil_law(law: Any) -> SoilLaw:
    """The laws in a record: kernels keep these in registers."""
    return SoilLaw(
        mu_min=law.mu_min,
        mu_max=law.mu_max,
        kappa=law.kappa,
        beta=law.beta,
        restitution=law.restitution,
        fading=law.fading,
        drag=law.drag,
        drag_time=law.drag_time,
        rolling=law.rolling,
        ramp=law.ramp,
        roughness=law.roughness,
        bumps=law.bumps,
        scatter=law.scatter,
        scar_depth=law.scar_depth,
        scar_drag=law.scar_drag,
        scar_layer=law.scar_layer,
    )


class ForestLaw(NamedTuple):
    """Laws of the forest around a rock: drag over mass [1/s], height [m], rotational drag [N m s]."""

    drag: float
    height: float
    turning: Symmetric


_ROWS = {
    SoilLaw: record_type([(name, float) for name in SoilLaw._fields]),
    ForestLaw: record_type([("drag", float), ("height", float), ("turning", float, 6)]),
}


class LawMap(NamedTuple):
    """Kinds of soil or of forest on a map, and their laws, as kernels take them; for one rock: there is room in it.

    kinds : (ny, nx) the kind at each node
    laws : (k + 1,) records of the laws of each kind; the last is room for those between nodes of several kinds
    numbers : (k + 1, n) the same memory, without names
    """

    kinds: Kinds
    laws: Records
    numbers: Array


def law_map(kinds: Kinds, laws: Sequence[SoilLaw] | Sequence[ForestLaw]) -> LawMap:
    """The map of kinds and the laws of each."""
    named = np.array([*laws, laws[0]], _ROWS[type(laws[0])])
    return LawMap(kinds, named, named.view(float).reshape(len(named), -1))


@formula
def between(kinds: Kinds, dx: float, dy: float, r: Vector) -> tuple[Any, ...]:
    """The kinds at the four nodes around r, their bilinear weights, and whether all four are one kind."""
    j, i, s, t = spot(kinds.shape[0], kinds.shape[1], dx, dy, r[0], r[1])
    a, b, c, d = kinds[j, i], kinds[j, i + 1], kinds[j + 1, i], kinds[j + 1, i + 1]
    weights = ((1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t)
    return (a, b, c, d), weights, a == b and a == c and a == d


@formula
def blended(laws: LawMap, k: tuple[int, int, int, int], w: tuple[float, float, float, float]) -> Any:
    """The laws between four nodes, in the room for them."""
    table = laws.numbers
    last = table.shape[0] - 1
    for column in range(table.shape[1]):
        south = w[0] * table[k[0], column] + w[1] * table[k[1], column]
        north = w[2] * table[k[2], column] + w[3] * table[k[3], column]
        table[last, column] = south + north
    return laws.laws[last]


@formula
def soil_below(soil: LawMap, dx: float, dy: float, r: Vector) -> SoilLaw:
    """The laws of the soil below r, see Cover.soil_laws."""
    law = soil.laws[0]
    if soil.laws.shape[0] > 2:
        k, w, alike = between(soil.kinds, dx, dy, r)
        law = soil.laws[k[0]] if alike else blended(soil, k, w)
    return soil_law(law)


NO_TREES = 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # drag over mass, rotational drag


@formula
def trees_around(
    forest: LawMap, top: float, heights: Array, dx: float, dy: float, r: Vector
) -> tuple[float, Symmetric]:
    """Drag over mass [1/s] and rotational drag [N m s] at r: zero above the tree tops (Leine et al. 2014, (10), (11)).

    Heights are measured plumb below the centre of mass; top: see Cover.forest_laws.
    """
    if r[2] >= top:
        return NO_TREES
    law = forest.laws[0]
    if forest.laws.shape[0] > 2:
        k, w, _ = between(forest.kinds, dx, dy, r)
        law = blended(forest, k, w)
    if r[2] >= patch(heights, dx, dy, r[0], r[1])[0] + law.height:
        return NO_TREES
    turning = law.turning
    return float(law.drag), (turning[0], turning[1], turning[2], turning[3], turning[4], turning[5])


# ---- scars in compactable soil (Lu et al. 2019) -------------------------------------------------------
# From touch-down until it has left the ground again, a rock meets hard contact only on the ground lowered by d_max.
# In the soil between, F = 1/2 C_d ρ A |v|² acts at the centre of mass against its velocity: C_d = 1 + C_s, A the area
# of the overlap of rock and soil, projected on the plane normal to v. Steps take c = F/|v| at their start and the
# mean of the velocities before and after, so that the work is never positive.

FORM_DRAG = 1.0  # C_f
DEEP = 1e3  # [m] layer that no rock comes through
SHALLOWEST = 1e-9  # [m] separates an impact without vertical speed from none


class ScarLaws(NamedTuple):
    """Numbers of a soil for kernels: d_max over |v_z|^0.8 [m (s/m)^0.8], drag rate over A |v| [1/m³], layer [m]."""

    scar_depth: float = 0.0
    scar_drag: float = 0.0
    scar_layer: float = 0.0


def scar_laws(modulus: float, coefficient: float, density: float, mass: float, layer: float | None = None) -> ScarLaws:
    """Numbers of a soil for a rock.

    modulus: M_E [N/m²]; coefficient: C_s; density: of the soil [kg/m³]; mass: of the rock [kg]; layer: of soil on rigid
    ground [m], None: no rock comes through it.
    """
    # Gerber 2019, in Lu et al. (2019): M_E in kN/m²
    depth = 0.1 * mass ** (1.0 / 3.0) * (1e-3 * modulus) ** -0.4
    drag = 0.5 * (FORM_DRAG + coefficient) * density / mass
    return ScarLaws(float(depth), drag, DEEP if layer is None else layer)


@formula
def deepest(law: SoilLaw | ScarLaws, vertical: float) -> float:
    """d_max [m] of an impact with this vertical speed of the centre of mass at touch-down [m/s]."""
    return max(min(law.scar_depth * math.pow(abs(vertical), 0.8), law.scar_layer), SHALLOWEST)


def double_areas(vertices: Array, faces: Array) -> Array:
    """Twice the area vectors (m, 3) [m²] of triangles, faces (m, 3), of vertices (n, 3) [m]."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return cross_product(b - a, c - a)


@formula
def swept(faces: Array, areas: Array, depths: Array, q: Quaternion, v: Vector) -> float:
    """A |v| [m³/s]: what the part of the rock below the ground sweeps a second.

    A convex closed surface with area vectors a_i casts the shadow 1/2 Σ |a_i . v| along v. The overlap of rock and
    ground is closed by the parts of the rock's triangles below the ground and by the section with the ground, whose
    area vector is minus the sum of the others. Between the vertices of a triangle the ground counts as flat.

    faces (m, 3): numbers of vertices, unsigned; areas (m, 3): see ``double_areas``; depths (n,): of the vertices [m].
    """
    u = rotate(inverse(q), v)
    shadow = closing = 0.0
    for m in range(faces.shape[0]):
        i, j, k = faces[m, 0], faces[m, 1], faces[m, 2]
        share = _share(depths[i], depths[j], depths[k])
        if share > 0.0:
            flow = share * 0.5 * dot((areas[m, 0], areas[m, 1], areas[m, 2]), u)
            shadow += abs(flow)
            closing += flow
    return 0.5 * (shadow + abs(closing))


@formula
def _share(a: float, b: float, c: float) -> float:
    """The share of a triangle's area that lies below the ground, by the depths of its vertices."""
    if max(a, b, c) <= 0.0:  # most triangles
        return 0.0
    if min(a, b, c) > 0.0:
        return 1.0
    # a: the vertex that is alone on its side
    one = int(a > 0.0) + int(b > 0.0) + int(c > 0.0) == 1
    second, third = (b > 0.0) == one, (c > 0.0) == one
    a, b, c = (b if second else (c if third else a)), (a if second else b), (a if third else c)
    alone = a / (a - b) * (a / (a - c))
    return alone if one else 1.0 - alone


# ---- presets ------------------------------------------------------------------------------------------

LABEL = "literature, approximate"
PRESET_LAWS = ("mu_min", "mu_max", "beta", "kappa", "drag")  # laws that a preset gives: friction and drag
CATEGORIES = "Bartelt, Gerber, Christen & Bühler, INTERPRAEVENT 2016, as passed on in secondary sources"


class Scar(NamedTuple):
    """Compactable soil: M_E [N/m²], C_s, density [kg/m³], layer [m], see ``scar_laws``."""

    modulus: float
    coefficient: float = 1.5
    density: float = 1700.0
    layer: float | None = None


class Impact(NamedTuple):
    """Laws of impact of a soil, under the keys of the scenario's ``[soil]``, and its scar; None: it stays rigid."""

    restitution: float
    ramp: float
    roughness: float = 0.0
    scar: Scar | None = None
    restitution_speed: float = 6.0
    scatter: float = 0.2

    def laws(self) -> dict[str, float]:
        """All but the scar."""
        return {key: value for key, value in self._asdict().items() if key != "scar"}


@dataclass(frozen=True)
class Soil:
    """A category of ground.

    Attributes
    ----------
    ground : what it typically is, for people
    mu_min, mu_max : friction coefficient of a fresh contact, and after long slip
    beta : decay of slip in flight [1/s]
    kappa : growth of friction with slip [1/m]
    drag : viscous drag over mass while in contact [1/s]
    source : where the values come from
    scar : what ``ground = "compactable"`` stands for; None where the ground stays rigid
    impact : what ``laws = "recommended"`` stands for
    label : how far to trust the values
    """

    ground: str
    mu_min: float
    mu_max: float
    beta: float
    kappa: float
    drag: float
    source: str = CATEGORIES
    label: str = LABEL
    scar: Scar | None = None
    impact: Impact = field(kw_only=True)

    def laws(self) -> dict[str, float]:
        """The values under the keys of the scenario's ``[soil]``."""
        return {key: getattr(self, key) for key in PRESET_LAWS}


SOILS = {
    "extra-soft": Soil(
        "moor, very wet",
        *(0.20, 2.0, 50.0, 1.0, 0.9),
        scar=Scar(2e6),
        impact=Impact(0.28, 16.0, scar=Scar(4e6, layer=0.32)),
    ),
    "soft": Soil(
        "deep soft meadow",
        *(0.25, 2.0, 100.0, 1.25, 0.8),
        scar=Scar(4e6),
        impact=Impact(0.34, 15.0, scar=Scar(7e6, layer=0.18)),
    ),
    "medium-soft": Soil(
        "meadow", *(0.30, 2.0, 125.0, 1.5, 0.7), scar=Scar(7e6), impact=Impact(0.38, 14.5, scar=Scar(10e6, layer=0.15))
    ),
    "medium": Soil(
        "meadow with stones",
        *(0.35, 2.0, 150.0, 2.0, 0.6),
        scar=Scar(10e6),
        impact=Impact(0.42, 14.0, scar=Scar(14e6, layer=0.12)),
    ),
    "medium-hard": Soil(
        "dense scree, forest road",
        *(0.40, 2.0, 175.0, 2.5, 0.5),
        scar=Scar(12.5e6),
        impact=Impact(0.44, 13.5, 0.025, Scar(22e6, layer=0.1)),
    ),
    "hard": Soil(
        "coarse scree, mixed rock and soil",
        *(0.55, 2.0, 185.0, 3.0, 0.4),
        "friction, scar: Lu et al., Landslides 16, 2353-2367 (2019); drag: " + CATEGORIES,
        scar=Scar(15e6),
        impact=Impact(0.46, 12.5, 0.045, Scar(35e6, layer=0.08)),
    ),
    "extra-hard": Soil("bedrock, asphalt", *(0.80, 2.0, 200.0, 4.0, 0.3), impact=Impact(0.53, 12.0, 0.055)),
    "snow": Soil("snow", *(0.10, 0.35, 150.0, 2.0, 0.7), impact=Impact(0.12, 16.0)),
}


# Presets of the soil types 0 to 7 of Rockyfor3D: river or swamp, fine material deeper than a metre, less deep or sand,
# scree or forest road, talus, rock below a thin cover, bedrock, asphalt. The types as a tool of the Geological Survey
# of Norway lists them (P. Nicolet, PimpMyRockyfor, 2021); which preset each has: ours
SOIL_TYPES = "extra-soft", "soft", "medium-soft", "medium-hard", "hard", "extra-hard", "extra-hard", "extra-hard"


class Forest(NamedTuple):
    """A forest: force over velocity of the centre of mass [kg/s], height of the trees [m]."""

    drag: float
    height: float = 30.0


FORESTS = {  # the drags: CATEGORIES
    "clearing": Forest(0.0),
    "open": Forest(250.0),
    "medium": Forest(500.0),
    "dense": Forest(750.0),
}

FRACTURE_RATIOS = {  # energy that breaks a stem, to that of a silver fir; LABEL, see physics.contact.obstacles
    "conifer": 0.93,
    "fir": 1.0,
    "broadleaved": 1.59,
}

T = TypeVar("T", Soil, Forest, float)


def soil(name: str) -> Soil:
    """The soil of that name; ValueError, with the nearest name and all names, when there is none."""
    return _preset(name, SOILS, "soil")


def forest(name: str) -> Forest:
    """The forest of that name; ValueError, with the nearest name and all names, when there is none."""
    return _preset(name, FORESTS, "forest")


def fracture_ratio(species: str) -> float:
    """The ratio of a species; ValueError, with the nearest name and all names, when it is unknown."""
    return _preset(species, FRACTURE_RATIOS, "species")


def _preset(name: str, known: Mapping[str, T], what: str) -> T:
    if name in known:
        return known[name]
    near = difflib.get_close_matches(hyphened(name), known, n=1)
    hint = N_("did you mean '{near}'? ", near[0]) if near else ""
    raise ValueError(
        N_("{name!r:.40} is not a {what}; {hint}expected one of {known}", name, what, hint, ", ".join(known))
    )


def hyphened(name: str) -> str:
    """The name of a preset as people read and write it ("Medium hard") in the form of scenarios."""
    return "-".join(name.lower().split())
