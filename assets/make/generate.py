"""``python -m assets.make.generate`` writes terrains, a hull and a T-handle into folders of assets, always alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import rasterio

from assets.make.handle_surface import handle
from assets.make.hull_lines import feeder, write_ply
from physics.terrain.profiles import alpine, ramp
from physics.terrain.terrain import Terrain

FOLDER = Path(__file__).parents[1] / "terrain"
HULLS = Path(__file__).parents[1] / "hulls"
BODIES = Path(__file__).parents[1] / "bodies"
# The slope's south-west node in CH1903+ / LV95 [m]; the slope itself is invented.
SITE = (2_782_000.0, 1_181_000.0)


def alpine_on_the_map() -> Terrain:
    """The alpine slope at its site."""
    return replace(alpine(), origin=SITE, crs="EPSG:2056")


def write_geotiff(terrain: Terrain, path: Path) -> None:
    """A compressed float32 GeoTIFF, north up; nodes become the centres of cells."""
    ny, nx = terrain.heights.shape
    corner = rasterio.Affine(*terrain.transform)
    layout = {"count": 1, "width": nx, "height": ny, "dtype": "float32", "nodata": -9999}
    packing = {"compress": "deflate", "predictor": 3, "zlevel": 9}
    with rasterio.open(path, "w", driver="GTiff", crs=terrain.crs, transform=corner, **layout, **packing) as file:
        file.write(terrain.heights[::-1].astype(np.float32), 1)


def write_ascii(terrain: Terrain, path: Path) -> None:
    """An ESRI ASCII grid with centimetres, without needless zeros."""
    ny, nx = terrain.heights.shape
    (x, y), cell = terrain.origin, terrain.cell[0]
    header = {
        "ncols": nx,
        "nrows": ny,
        "xllcorner": x - cell / 2,
        "yllcorner": y - cell / 2,
        "cellsize": cell,
    }
    lines = [f"{name} {value:g}" for name, value in (header | {"NODATA_value": -9999}).items()]
    lines += [" ".join(f"{z:g}" for z in row) for row in np.round(terrain.heights[::-1], 2).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    write_geotiff(alpine_on_the_map(), FOLDER / "alpine.tif")
    write_ascii(ramp(), FOLDER / "ramp.asc")
    HULLS.mkdir(exist_ok=True)
    write_ply(feeder(), HULLS / "feeder.ply", "a feeder ship with flaring ends, made by polhode")
    BODIES.mkdir(exist_ok=True)
    write_ply(handle(), BODIES / "t-handle.ply", "a T-handle, made by polhode")


if __name__ == "__main__":
    main()
