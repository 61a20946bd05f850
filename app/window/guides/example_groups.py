"""Groups of the examples by what one wants to see: the one place that says where an example stands."""

from __future__ import annotations

GROUPS: dict[str, tuple[str, ...]] = {  # title -> stems of assets/scenarios, in the order in which they are listed
    "Flips and spins": (
        "t-handle",
        "cuboid-intermediate",
        "cuboid-major",
        "cuboid-minor",
        "poinsot",
        "body-coarse",
        "body-magnus",
    ),
    "Satellites": ("body-explorer", "joints-explorer", "body-dual-spin", "joints-wheels", "body-boom", "envisat"),
    "Tops and gyroscopes": (
        "top-steady",
        "top-kovalevskaya",
        "top-goryachev-chaplygin",
        "top-unsolved",
        "joints-gimbals",
        "joints-gyrostat",
    ),
    "Mechanisms": (
        "joints-first-over",
        "joints-pendulum",
        "joints-chain",
        "joints-cat",
        "joints-bricard",
        "joints-four-bar",
        "joints-slider-crank",
        "joints-hooke",
        "joints-governor",
    ),
    "Toys": (
        "table-tippe-top",
        "table-rattleback",
        "table-euler-disk",
        "table-egg",
        "table-coin",
        "table-hoop",
        "table-disk",
    ),
    "Ships": (
        "ship-capsize",
        "ship-parametric-roll",
        "ship-beam-sea",
        "ship-fins",
        "ship-log",
        "ship-barge",
        "ship-tanker",
        "vessel-gimbal-lock",
        "vessel-damped",
        "vessel-restoring",
        "vessel-free",
    ),
    "Rocks": ("rock-tschamut", "rock-alpine", "rock-chant-sura-like", "rock-ramp", "rock-equant", "rock-quarry"),
    "Sensors": ("measured-toss",),
}
