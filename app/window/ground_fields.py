"""The fields of the panel that tell the ground of a rockfall, and where on it rocks start."""

from __future__ import annotations

from app.window.field import Field
from physics.ground.soil import SOILS

SOIL = (
    Field(
        "soil.preset",
        "Soil",
        tip="Values from the literature, approximate; numbers given below win over them",
        optional=True,
        choices=("", *SOILS),
    ),
    Field(
        "soil.mu_min", "Friction μ min", "", (), "Of a fresh contact; 0 or more; 0.55 in Lu et al. 2019", optional=True
    ),
    Field(
        "soil.mu_max", "Friction μ max", "", (), "After long slip; at least μ min; 2 in Lu et al. 2019", optional=True
    ),
    Field(
        "soil.kappa",
        "Growth κ",
        "1/m",
        (),
        "How fast friction grows with slip; 0 or more; 3 in Lu et al. 2019",
        optional=True,
    ),
    Field(
        "soil.beta",
        "Decay β",
        "1/s",
        (),
        "How fast slip is forgotten in flight; 0 or more; 185 in Lu et al. 2019",
        optional=True,
    ),
    Field(
        "soil.restitution",
        "Restitution",
        "",
        (),
        "Of the normal velocity; 0 to 1; 0: impacts do not bounce",
        optional=True,
    ),
    Field("soil.drag", "Ground drag", "1/s", (), "Viscous drag over mass while in contact; 0 or more", optional=True),
)
SCAR = (
    Field(
        "soil.scar.modulus",
        "Modulus",
        "N/m²",
        (),
        "Of compactable soil, at least 1e5; 1e7 to 2.5e7 in Lu et al. 2019",
        optional=True,
    ),
    Field(
        "soil.scar.coefficient",
        "Scar drag",
        "",
        (),
        "Added to the form drag of 1; 0.1 to 4 in Lu et al. 2019",
        optional=True,
    ),
    Field("soil.scar.density", "Soil density", "kg/m³", (), "Above 0; 1700 in Lu et al. 2019", optional=True),
)
FOREST = (
    Field(
        "forest.drag",
        "Drag",
        "kg/s",
        (),
        "Force over velocity below the tree tops; 0 or more; 0: no forest",
        optional=True,
    ),
    Field("forest.height", "Height", "m", (), "Of the tree tops above the ground; above 0", optional=True),
)
RELEASE = (
    Field(
        "release.place",
        "From",
        tip="A point, or where the rocks of an ensemble start; a single run shows one of them",
        choices=("position", "line", "polygon", "file", "slope_above"),
    ),
    Field(
        "release.position",
        "Position",
        "m",
        ("x", "y"),
        "On the map; empty: a steep, high cell",
        optional=True,
        only=("release.place", ("position",)),
    ),
    Field(
        "release.line",
        "Corners of the line",
        "m",
        (),
        "x, y; x, y; … Rocks start anywhere on it, evenly by length",
        corners=True,
        only=("release.place", ("line",)),
    ),
    Field(
        "release.polygon",
        "Corners of the polygon",
        "m",
        (),
        "x, y; x, y; x, y; … Rocks start anywhere in it, evenly by area of the map",
        corners=True,
        only=("release.place", ("polygon",)),
    ),
    Field(
        "release.file",
        "Places",
        "",
        (),
        "Points in turn, lines or polygons (.geojson), or columns x, y (.csv)",
        endings=(".geojson", ".json", ".csv", ".gpkg", ".shp"),
        only=("release.place", ("file",)),
    ),
    Field(
        "release.slope_above",
        "Cells steeper than",
        "°",
        (),
        "Rocks start anywhere in such cells; above 0, below 90",
        only=("release.place", ("slope_above",)),
    ),
)
TERRAIN = (
    Field("terrain.angle", "Angle", "°", (), "Of the ramp; above 0, below 85"),
    Field("terrain.drop", "Drop", "m", (), "Height of the ramp; above 0"),
    Field("terrain.width", "Width", "m", (), "Of the ramp; above 0"),
    Field("terrain.file", "File", "", (), "Heights in metres on a grid", endings=(".asc", ".tif", ".tiff", ".xyz")),
    Field(
        "terrain.window",
        "Part",
        "m",
        ("x min", "y min", "x max", "y max"),
        "Of the file that is read; empty: all of it",
        optional=True,
    ),
    Field(
        "terrain.resolution",
        "Cells of about",
        "m",
        (),
        "Cells of the file are averaged to this size; empty: as they are",
        optional=True,
    ),
    Field(
        "terrain.nodata",
        "Without height",
        tip="Fill cells that have no height from those around, or end the map there",
        choices=("fill", "cut"),
    ),
)
