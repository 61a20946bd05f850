"""Terrain from every kind of file: points, windows, coarser cells, holes that are filled or cut, units and systems."""

from __future__ import annotations

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio import Affine
from rasterio.crs import CRS
from rasterio.warp import transform

import physics
from physics.contact import vertices
from physics.systems.world import World
from physics.terrain import dem
from physics.terrain.dem import read_terrain
from tests.small import refused

X0, Y0, CELL = 2_600_000.5, 1_200_000.5, 0.5
RNG = np.random.default_rng(4)
HEIGHTS = np.round(1500.0 + RNG.random((13, 17)).cumsum(axis=0).cumsum(axis=1), 3)  # row 0 is south


def tif(path, heights=HEIGHTS, crs="EPSG:2056", nodata=None, transform=None, unit=None, scale=None, **options):
    ny, nx = heights.shape
    transform = transform or Affine(CELL, 0, X0 - CELL / 2, 0, -CELL, Y0 + CELL * (ny - 0.5))
    profile = {"driver": "GTiff", "width": nx, "height": ny, "count": 1, "dtype": heights.dtype, **options}
    with rasterio.open(path, "w", crs=crs, transform=transform, nodata=nodata, **profile) as file:
        file.write(heights[::-1], 1)
        if unit:
            file.units = (unit,)
        if scale:
            file.scales, file.offsets = (scale[0],), (scale[1],)
    return path


def asc(path, heights=HEIGHTS, nodata="NODATA_value -9999\n"):
    ny, nx = heights.shape
    rows = "\n".join(" ".join("-9999" if np.isnan(z) else f"{z:.3f}" for z in row) for row in heights[::-1])
    path.write_text(f"ncols {nx}\nnrows {ny}\nxllcenter {X0}\nyllcenter {Y0}\ncellsize {CELL}\n{nodata or ''}{rows}")
    return path


def xyz(path, heights=HEIGHTS, order=None, mark=" ", header=""):
    ny, nx = heights.shape
    x, y = np.meshgrid(X0 + CELL * np.arange(nx), Y0 + CELL * np.arange(ny))
    rows = np.column_stack([x.ravel(), y.ravel(), heights.ravel()])
    rows = rows[np.isfinite(rows[:, 2])]
    if order is not None:
        rows = rows[order(len(rows))]
    path.write_text(header + "\n".join(mark.join(f"{v:.3f}" for v in row) for row in rows) + "\n")
    return path


def same(found, heights=HEIGHTS, origin=(X0, Y0), cell=CELL):
    np.testing.assert_allclose(found.heights, heights, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.origin, origin, rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.cell, (cell, cell), rtol=1e-9)


@pytest.mark.parametrize("mark", [" ", "\t", ",", ";", ", "])
@pytest.mark.parametrize("header", ["", "x y z\n", "# points\n", "X,Y,Z\n"])
def test_points_are_read_with_any_mark_and_header(tmp_path, mark, header):
    same(read_terrain(xyz(tmp_path / "a.xyz", mark=mark, header=header)))


@pytest.mark.parametrize(
    "order",
    [
        lambda n: np.arange(n)[::-1],
        lambda n: np.random.default_rng(1).permutation(n),
        lambda n: np.arange(n).reshape(13, 17).T.ravel(),
        lambda n: np.arange(n).reshape(13, 17)[::-1].ravel(),
    ],
)
def test_points_are_read_in_any_order(tmp_path, order):
    same(read_terrain(xyz(tmp_path / "a.xyz", order=order)))


def test_points_on_oblong_and_rounded_steps(tmp_path):
    x, y = np.meshgrid(np.round(np.arange(40) / 3, 2), np.arange(5) * 2.0)
    rows = np.column_stack([x.ravel(), y.ravel(), (x + 10 * y).ravel()])
    (tmp_path / "a.xyz").write_text("\n".join(" ".join(map(str, row)) for row in rows))
    found = read_terrain(tmp_path / "a.xyz")
    assert found.heights.shape == (5, 40)
    np.testing.assert_allclose(found.cell, (1 / 3, 2.0), rtol=1e-3)


@pytest.mark.parametrize("write", [tif, asc, xyz])
@pytest.mark.parametrize("on_nodes", [True, False])
def test_windows_are_crops_of_the_map(tmp_path, write, on_nodes):
    path = write(tmp_path / f"a.{write.__name__}")
    off = 0.0 if on_nodes else 0.2
    window = (X0 + 3 * CELL - off, Y0 + 2 * CELL - off, X0 + 11 * CELL + off, Y0 + 7 * CELL + off)
    same(read_terrain(path, window), HEIGHTS[2:8, 3:12], (X0 + 3 * CELL, Y0 + 2 * CELL))
    wide = (X0 - 99, Y0 - 99, X0 + 4 * CELL, Y0 + 99)  # beyond the map: its edge
    same(read_terrain(path, wide), HEIGHTS[:, :5])


@pytest.mark.parametrize("write", [tif, asc, xyz])
def test_coarser_cells_are_means(tmp_path, write):
    path = write(tmp_path / f"a.{write.__name__}")
    found = read_terrain(path, (X0, Y0, X0 + 11 * CELL, Y0 + 8 * CELL), resolution=1.5)
    means = HEIGHTS[:9, :12].reshape(3, 3, 4, 3).mean(axis=(1, 3))
    same(found, means, (X0 + CELL, Y0 + CELL), 3 * CELL)
    same(read_terrain(path, resolution=0.6))


@pytest.mark.parametrize("write", [tif, asc, xyz])
def test_holes_are_filled_and_told(tmp_path, write):
    slope = 1000.0 + np.add.outer(2.0 * np.arange(30), 1.0 * np.arange(40))
    holes = slope.copy()
    holes[10:14, 20:25] = np.nan
    found = read_terrain(write(tmp_path / f"a.{write.__name__}", holes))
    assert found.notes == (
        f"20 of 1200 cells were NODATA in a.{write.__name__}; their heights were interpolated from those around them",
    )
    assert found.holes.size == 0
    known = np.isfinite(holes)
    np.testing.assert_allclose(found.heights[known], slope[known], atol=1e-9)
    np.testing.assert_allclose(found.heights[~known], slope[~known], atol=4.0)
    assert np.ptp(found.heights[~known]) > 0  # no terrace


@pytest.mark.parametrize("write", [tif, asc, xyz])
def test_holes_are_cut_and_told(tmp_path, write):
    holes = HEIGHTS.copy()
    holes[4, 6] = np.nan
    found = read_terrain(write(tmp_path / f"a.{write.__name__}", holes), nodata="cut")
    assert f"1 of 221 cells were NODATA in a.{write.__name__}; the map ends there" in found.notes[0]
    assert [tuple(cell) for cell in np.argwhere(found.holes)] == [(3, 5), (3, 6), (4, 5), (4, 6)]
    assert np.isfinite(found.heights).all()
    for (column, row), inside in {
        (6, 4): False,
        (5.1, 3.2): False,
        (4.9, 4): True,
        (7.1, 4): True,
        (6, 5.1): True,
    }.items():
        assert found.contains(X0 + CELL * column, Y0 + CELL * row) is inside


@pytest.mark.parametrize("undeclared", [-9999.0, -3.4e38, np.nan, np.inf, 1e20])
def test_heights_that_no_ground_has_are_nodata(tmp_path, undeclared):
    holes = HEIGHTS.copy()
    holes[4, 6] = undeclared
    assert "1 of 221 cells were NODATA" in read_terrain(tif(tmp_path / "a.tif", holes)).notes[0]


SLOPE = np.round(1500.0 - np.add.outer(0.3 * np.arange(22), 0.6 * np.arange(31)), 1)  # [m]
BLOCK = np.zeros(SLOPE.shape, bool)
BLOCK[7:12, 9:14] = True  # cells without height: some means of 2 x 2 hold no other, some do


def scaled(path, holes, **options):
    """A GeoTIFF in tenths of a metre, of 16 bits."""
    return tif(path, np.where(np.isnan(holes), -32768, np.rint(10 * holes)).astype("int16"), scale=(0.1, 0), **options)


UNDECLARED = {  # a file whose numbers of NODATA are written and not declared
    "plain.tif": lambda p, z: tif(p, np.nan_to_num(z, nan=-9999).astype("float32")),
    "masked.tif": lambda p, z: tif(p, np.nan_to_num(z, nan=-9999).astype("float32"), nodata=-1.0),
    "scaled.tif": scaled,
    "feet.tif": lambda p, z: tif(p, np.nan_to_num(z / 0.3048, nan=-9999), unit="ft"),
    "millimetres.tif": lambda p, z: tif(p, np.nan_to_num(1000 * z, nan=-9999).astype("int32"), unit="mm"),
    "large.tif": lambda p, z: tif(
        p, np.nan_to_num(z, nan=1e20).astype("float32"), tiled=True, blockxsize=16, blockysize=16
    ),
    "south-up.tif": lambda p, z: tif(
        p, np.nan_to_num(z, nan=-9999)[::-1], transform=Affine(CELL, 0, X0 - CELL / 2, 0, CELL, Y0 - CELL / 2)
    ),
    "grid.asc": lambda p, z: asc(p, z, nodata=None),
    "points.xyz": lambda p, z: xyz(p, np.nan_to_num(z, nan=-9999)),
}


@pytest.mark.parametrize("strip", [1, 40, 1_000_000])
@pytest.mark.parametrize("resolution", [None, 2 * CELL, 4 * CELL])
@pytest.mark.parametrize("name", UNDECLARED)
def test_nodata_that_no_heading_declares_is_found_before_numbers_are_scaled_or_averaged(
    tmp_path, monkeypatch, name, resolution, strip
):
    holes = np.where(BLOCK, np.nan, SLOPE)
    declared = read_terrain(tif(tmp_path / "declared.tif", holes), resolution=resolution)
    monkeypatch.setattr("physics.terrain.nodata.STRIP", strip)
    path = UNDECLARED[name](tmp_path / name, holes)
    found = read_terrain(path, resolution=resolution)
    np.testing.assert_allclose(found.heights, declared.heights, atol=0.001)
    assert found.heights.min() >= SLOPE.min() - 0.001
    np.testing.assert_allclose((*found.origin, *found.cell), (*declared.origin, *declared.cell))
    k, note = round(found.cell[0] / CELL), found.notes[-1]
    assert note.startswith(f"25 of {22 // k * k * (31 // k * k)} cells were NODATA in {name} (the number ")
    assert "not declared but no height" in note
    window = (X0 + 2, Y0 + 2, X0 + 9, Y0 + 8)
    whole, part = read_terrain(path), read_terrain(path, window, nodata="cut")
    np.testing.assert_allclose(part.heights, whole.heights[4:17, 4:19], atol=2.0)  # heights that are filled differ
    assert part.heights.min() > SLOPE.min() - 0.001
    assert part.holes.sum() == 36


def test_means_without_any_height_are_told(tmp_path):
    path = tif(tmp_path / "a.tif", np.where(BLOCK, np.nan, SLOPE))
    left = "25 of 660 cells were NODATA in a.tif; means of cells leave them out"
    assert read_terrain(path, resolution=1.0).notes == (
        f"{left}, and 4 of 165 means without any were interpolated from those around them",
    )
    whole = SLOPE.copy()
    whole[5, 5] = np.nan
    assert read_terrain(tif(path, whole), resolution=1.0).notes == (
        "1 of 660 cells were NODATA in a.tif; means of cells leave them out",
    )


REAL = {  # heights [m] that no rule for NODATA may take out, in the file's own numbers
    "feet above 9000": (lambda p, z: tif(p, (z + 2500.0) / 0.3048, unit="ft"), 2500.0),
    "millimetres": (lambda p, z: tif(p, np.rint(1000 * (z + 7000.0)).astype("int32"), unit="mm"), 7000.0),
    "a sea floor": (lambda p, z: tif(p, z - 10_400.0), -10_400.0),
    "16 bits": (lambda p, z: tif(p, np.rint(10 * z + 10_000).astype("uint16"), scale=(0.1, -1000.0)), 0.0),
    "summits": (lambda p, z: asc(p, z + 7300.0), 7300.0),
}


@pytest.mark.parametrize("name", REAL)
def test_real_heights_are_kept(tmp_path, name):
    write, level = REAL[name]
    found = read_terrain(write(tmp_path / ("a.asc" if name == "summits" else "a.tif"), SLOPE))
    np.testing.assert_allclose(found.heights, SLOPE + level, atol=0.001)
    assert not any("NODATA" in note for note in found.notes)


@pytest.mark.parametrize("write", [tif, asc, xyz])
@pytest.mark.parametrize(
    ("heights", "sentence"),
    [
        (1000 * SLOPE, "numbers from 1.4757e+06 to 1.5e+06 are no heights; expected heights in metres"),
        (SLOPE + 7510.0, "numbers from 8985.7 to 9010 are not all heights; expected heights in metres"),
        (SLOPE - 10_490.0, "numbers from -9014.3 to -8990 are not all heights; expected heights in metres"),
    ],
)
def test_numbers_in_another_unit_are_no_nodata(tmp_path, write, heights, sentence):
    with refused(sentence):
        read_terrain(write(tmp_path / f"a.{write.__name__}", heights))


SOUTH_UP = Affine(CELL, 0, X0 - CELL / 2, 0, CELL, Y0 - CELL / 2)


@pytest.mark.parametrize("how", [{}, {"resolution": 1.0}, {"window": (X0 + 1, Y0 + 1, X0 + 5, Y0 + 4)}])
def test_rows_may_run_from_the_south(tmp_path, how):
    upright = read_terrain(tif(tmp_path / "a.tif"), **how)
    found = read_terrain(tif(tmp_path / "b.tif", HEIGHTS[::-1], transform=SOUTH_UP), **how)
    same(found, upright.heights, upright.origin, upright.cell[0])


# ---- degrees ------------------------------------------------------------------------------------------


def degrees_asc(path, cell=1 / 3600, corner=(7.5, 46.0), relief=SLOPE):
    head = f"ncols {relief.shape[1]}\nnrows {relief.shape[0]}\nxllcorner {corner[0]}\nyllcorner {corner[1]}\n"
    rows = "\n".join(" ".join(f"{z:.4f}" for z in row) for row in relief)
    path.write_text(f"{head}cellsize {cell:.12f}\n{rows}\n")
    return path


def degrees_tif(path):
    with rasterio.open(
        path, "w", driver="GTiff", width=31, height=22, count=1, dtype="float64",
        transform=Affine(1 / 120, 0, -71.0, 0, -1 / 120, -30.0),
    ) as file:  # fmt: skip
        file.write(SLOPE, 1)
    return path


def degrees_xyz(path):
    lon, lat = np.meshgrid(7.5 + np.arange(31) / 3600, 46.0 + np.arange(22) / 3600)
    np.savetxt(path, np.column_stack([lon.ravel(), lat.ravel(), SLOPE.ravel()]), fmt="%.8f")
    return path


def degrees_irregular(path):
    rng = np.random.default_rng(8)
    lon, lat = 7.5 + 0.1 * rng.random(400), 46.0 + 0.1 * rng.random(400)
    np.savetxt(path, np.column_stack([lon, lat, 900.0 + 300.0 * lon * rng.random(400)]), fmt="%.8f")
    return path


DEGREES = {
    "seconds.asc": degrees_asc,
    "thirds.asc": lambda p: degrees_asc(p, 1 / 10_800),
    "flat.asc": lambda p: degrees_asc(p, 1 / 120, (4.0, 52.0), np.round(np.random.default_rng(6).random((22, 31)))),
    "grid.tif": degrees_tif,
    "points.xyz": degrees_xyz,
    "irregular.xyz": degrees_irregular,
}


@pytest.mark.parametrize("resolution", [None, 10.0])
@pytest.mark.parametrize("name", DEGREES)
def test_a_map_in_degrees_that_tells_no_system_is_refused(tmp_path, name, resolution):
    path = DEGREES[name](tmp_path / name)
    with pytest.raises(physics.ScenarioError, match=r"coordinate system: expected metres, got degrees .*project"):
        read_terrain(path, resolution=resolution)


@pytest.mark.parametrize("resolution", [None, 100.0])
@pytest.mark.parametrize(("project", "crs"), [("utm", "EPSG:32632"), ("EPSG:2056", "EPSG:2056")])
@pytest.mark.parametrize("name", ["a.asc", "a.tif", "a.xyz"])
def test_a_map_in_degrees_is_projected(tmp_path, name, project, crs, resolution):
    """A plane in the new system stays one: heights come of places to a thousandth of a millimetre."""
    side, n = 1 / 3600, 60
    lon, lat = np.meshgrid(7.5 + side * np.arange(n), 46.0 + side * np.arange(n))
    x, y = (np.array(found).reshape(n, n) for found in transform("EPSG:4326", crs, lon.ravel(), lat.ravel()))
    x0, y0 = x[0, 0], y[0, 0]
    plane = 900.0 + 0.3 * (x - x0) + 0.2 * (y - y0)
    if name == "a.asc":
        degrees_asc(tmp_path / name, side, (7.5 - side / 2, 46.0 - side / 2), plane[::-1])
        (tmp_path / "a.prj").write_text(CRS.from_epsg(4326).to_wkt())
    elif name == "a.tif":
        where = Affine(side, 0, 7.5 - side / 2, 0, -side, 46.0 + side * (n - 0.5))
        tif(tmp_path / name, plane, "EPSG:4326", transform=where)
    else:
        np.savetxt(tmp_path / name, np.column_stack([lon.ravel(), lat.ravel(), plane.ravel()]), fmt="%.9f")
    found = read_terrain(tmp_path / name, resolution=resolution, project=project)
    guess = " (a guess: a.xyz declares no system)" if name == "a.xyz" else ""
    cell = found.cell[0]
    assert found.notes == (f"{name}: projected from EPSG:4326{guess} to {crs}, to cells of {cell:g} m",)
    assert (found.crs, found.cell) == (crs, (resolution or cell, resolution or cell))
    i, j = np.meshgrid(np.arange(found.heights.shape[1]), np.arange(found.heights.shape[0]))
    expected = 900.0 + 0.3 * (found.origin[0] + cell * i - x0) + 0.2 * (found.origin[1] + cell * j - y0)
    inner = found.holes == 0
    assert inner.mean() > 0.8
    np.testing.assert_allclose(found.heights[:-1, :-1][inner], expected[:-1, :-1][inner], rtol=0, atol=1e-3)
    np.testing.assert_allclose(found.heights[1:, 1:][inner], expected[1:, 1:][inner], rtol=0, atol=1e-3)


@pytest.mark.parametrize("nodata", ["fill", "cut"])
def test_cells_without_height_of_a_projected_map_are_filled_or_cut(tmp_path, nodata):
    holes = SLOPE.copy()
    holes[8:12, 10:15] = -9999.0
    degrees_asc(tmp_path / "a.asc", relief=holes)
    found = read_terrain(tmp_path / "a.asc", nodata=nodata, project="utm")
    whole = read_terrain(degrees_asc(tmp_path / "b.asc"), project="utm")
    assert abs(int(found.holes.sum()) - int(whole.holes.sum()) > 10) == (nodata == "cut")
    assert ("the map ends there" in " ".join(found.notes)) == (nodata == "cut")
    assert found.heights.min() > 0.0


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"project": "EPSG:4258"}, "terrain.project: expected metres, got degrees"),
        ({"project": "mercator"}, "terrain.project: no coordinate system 'mercator'"),
        ({"project": "utm", "resolution": 1.0}, "resolution: expected at least the map's cells of"),
        ({"project": "utm", "crs": "EPSG:2056"}, "coordinate system: expected metres, got degrees"),
        ({"project": "utm", "window": (1.0, 2.0, 3.0, 4.0)}, "window: holds nothing of the map; expected x 7.5"),
    ],
)
def test_a_projection_that_cannot_be_is_one_sentence(tmp_path, how, sentence):
    with refused(sentence):
        read_terrain(degrees_asc(tmp_path / "a.asc"), **how)


def test_maps_near_a_pole_and_in_no_system_have_no_zone(tmp_path):
    with pytest.raises(physics.ScenarioError, match=r"UTM ends at .* the map's middle is at 86\.0°"):
        read_terrain(degrees_asc(tmp_path / "a.asc", corner=(7.5, 86.0)), project="utm")
    with pytest.raises(physics.ScenarioError, match=r"declares no coordinate system, and is not in degrees"):
        read_terrain(asc(tmp_path / "b.asc"), project="utm")


def test_a_slope_of_the_laboratory_is_in_metres(tmp_path):
    chute = 1.0 - np.add.outer(0.0 * np.arange(40), np.tan(np.radians(60.0)) * 0.01 * np.arange(60))
    found = read_terrain(degrees_asc(tmp_path / "a.asc", 0.01, (0.0, 0.0), chute))
    np.testing.assert_allclose(found.heights, chute, atol=1e-4)


# ---- texts as they are found --------------------------------------------------------------------------


GRIDS = {  # what is changed in the text of a grid
    "dx and dy": lambda text: text.replace(f"cellsize {CELL}", f"dx {CELL}\ndy {CELL}"),
    "decimal commas": lambda text: text.replace(".", ","),
    "a remark": lambda text: "# made here\n\n// with care\n" + text,
    "a byte order mark": lambda text: "\ufeff" + text,
    "tabs": lambda text: text.replace(" ", "\t"),
    "a word for NODATA": lambda text: text.replace("-9999", "null"),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "capitals": lambda text: text.upper(),
    "blanks behind": lambda text: text.replace("\n", "  \n"),
    "powers of ten": lambda text: text.replace("-9999", "-9.999e3"),
    "corners of cells": lambda text: text.replace(f"xllcenter {X0}", f"xllcorner {X0 - CELL / 2}"),
    "one line": lambda text: text[: text.index("-9999") + 6] + text[text.index("-9999") + 6 :].replace("\n", " "),
}


@pytest.mark.parametrize("name", GRIDS)
def test_grids_as_they_are_found(tmp_path, name):
    holes = np.where(BLOCK, np.nan, SLOPE)
    plain, changed = asc(tmp_path / "a.asc", holes), tmp_path / "b.asc"
    changed.write_text(GRIDS[name](plain.read_text()), encoding="utf-8")
    for resolution in (None, 1.0):
        first, found = read_terrain(plain, resolution=resolution), read_terrain(changed, resolution=resolution)
        same(found, first.heights, first.origin, first.cell[0])
        assert found.notes == tuple(note.replace("a.asc", "b.asc") for note in first.notes)


def test_cells_of_a_grid_may_be_oblong(tmp_path):
    asc(tmp_path / "a.asc").write_text(asc(tmp_path / "a.asc").read_text().replace(f"cellsize {CELL}", "dx 0.5\ndy 2"))
    assert read_terrain(tmp_path / "a.asc").cell == (0.5, 2.0)


@pytest.mark.parametrize("piece", [1, 7, 100])
def test_a_window_of_a_grid_is_read_piece_by_piece(tmp_path, monkeypatch, piece):
    path = asc(tmp_path / "a.asc", SLOPE)
    whole = read_terrain(path)
    monkeypatch.setattr(dem, "PIECE", piece)
    found = read_terrain(path, (X0 + 2, Y0 + 2, X0 + 9, Y0 + 8))
    np.testing.assert_array_equal(found.heights, whole.heights[4:17, 4:19])


def columns(path, heading, mark, order=(0, 1, 2), comma=False, more=(), rows=None):
    """Points with headings, columns in an order, and more columns of numbers."""
    ny, nx = SLOPE.shape
    x, y = np.meshgrid(X0 + CELL * np.arange(nx), Y0 + CELL * np.arange(ny))
    points = np.column_stack([x.ravel(), y.ravel(), SLOPE.ravel()]) if rows is None else rows
    values = np.column_stack([points[:, list(order)], *(np.full(len(points), value) for value in more)])
    text = heading + "\n".join(mark.join(f"{value:.2f}" for value in row) for row in values)
    path.write_text(text.replace(".", ",") if comma else text)
    return path


TOLD = "a.xyz: x, y, z are its columns {}; others are left out"
POINTS = {
    "decimal commas": ({"heading": "E;N;H\n", "mark": ";", "comma": True}, ()),
    "decimal commas, blanks": ({"heading": "", "mark": "  ", "comma": True}, ()),
    "decimal commas, tabs": ({"heading": "x\ty\tz\n", "mark": "\t", "comma": True}, ()),
    "a class": ({"heading": "x y z class\n", "mark": " ", "more": (2,)}, (TOLD.format("x, y, z"),)),
    "colours": ({"heading": "", "mark": ",", "more": (9, 8, 7)}, (TOLD.format("1, 2, 3"),)),
    "north first": (
        {"heading": "Northing [m];Easting [m];Height [m]\n", "mark": ";", "order": (1, 0, 2)},
        (TOLD.format("Easting [m], Northing [m], Height [m]"),),
    ),
    "remarks": ({"heading": "# surveyed\n# in May\nx y z\n", "mark": " "}, ()),
    "a count": ({"heading": f"{SLOPE.size}\n", "mark": " "}, ()),
    "capitals": ({"heading": "X,Y,Z\n", "mark": ","}, ()),
    "bars": ({"heading": "Easting|Northing|Elevation\n", "mark": "|"}, ()),
    "a byte order mark": ({"heading": "\ufeffx;y;z\n", "mark": ";"}, ()),
    "heights first": ({"heading": "h,x,y\n", "mark": ",", "order": (2, 0, 1)}, (TOLD.format("x, y, h"),)),
    "remark of names": (
        {"heading": "// surveyed\n# y x z\n", "mark": " ", "order": (1, 0, 2)},
        (TOLD.format("x, y, z"),),
    ),
}


@pytest.mark.parametrize("name", POINTS)
def test_points_as_surveys_give_them(tmp_path, name):
    how, notes = POINTS[name]
    found = read_terrain(columns(tmp_path / "a.xyz", **how))
    same(found, SLOPE)
    assert found.notes == notes


def test_a_column_that_counts_the_points_is_refused(tmp_path):
    path = xyz(tmp_path / "a.xyz", SLOPE)
    path.write_text("\n".join(f"{i} {line}" for i, line in enumerate(path.read_text().splitlines())))
    with pytest.raises(physics.ScenarioError, match="the first column counts the points"):
        read_terrain(path)


def test_tiles_may_share_a_border(tmp_path):
    lines = xyz(tmp_path / "a.xyz", SLOPE).read_text().splitlines()
    border = lines[31 * 10 : 31 * 11]
    (tmp_path / "a.xyz").write_text("\n".join([*lines, *border]))
    found = read_terrain(tmp_path / "a.xyz")
    same(found, SLOPE)
    assert found.notes == ("a.xyz: 31 points share a place with others; the highest counts",)
    x, y, z = border[3].split()
    (tmp_path / "a.xyz").write_text("\n".join([*lines, f"{x} {y} {float(z) + 5:.3f}", f"{x} {y} -9999"]))
    found = read_terrain(tmp_path / "a.xyz")
    assert found.heights[10, 3] == SLOPE[10, 3] + 5.0
    np.testing.assert_array_equal(np.delete(found.heights, 10, axis=0), np.delete(SLOPE, 10, axis=0))


def rockfall(path, schemes=("implicit",), **tables):
    return physics.Scenario(
        kind="rockfall",
        duration=20.0,
        step=0.002,
        schemes=list(schemes),
        body=tables.pop("body", {"shape": "eota", "size": [0.93, 0.93, 0.47], "mass": 780.0}),
        terrain={"file": str(path), **tables.pop("terrain", {})},
        **tables,
    )


@pytest.mark.parametrize("nodata", ["fill", "cut"])
def test_a_rock_that_reaches_a_hole_has_left_the_map(tmp_path, nodata):
    plane = np.tile(1000.0 - 0.8 * CELL * np.arange(120), (60, 1))
    plane[:, 80:90] = np.nan
    path = tif(tmp_path / "a.tif", plane)
    scenario = rockfall(path, terrain={"nodata": nodata}, release={"position": [X0 + 5, Y0 + 15]})
    run = physics.simulate(scenario)["implicit"]
    assert run.events[-1].kind == "left-map"
    edge = X0 + CELL * (79 if nodata == "cut" else 119)
    assert edge < run.position[-1, 0] < edge + 0.2
    assert World.of(scenario).notes[0].startswith("600 of 7200 cells were NODATA in a.tif; ")


def test_a_release_in_a_hole_is_refused(tmp_path):
    holes = HEIGHTS.copy()
    holes[4, 6] = np.nan
    path = tif(tmp_path / "a.tif", holes)
    with pytest.raises(physics.ScenarioError, match=r"release\.position: .* lies off the map"):
        World.of(rockfall(path, terrain={"nodata": "cut"}, release={"position": [X0 + 3, Y0 + 2]}))


@pytest.mark.parametrize(
    ("unit", "name", "factor"),
    [("ft", "foot", 0.3048), ("US survey foot", "US survey foot", 1200 / 3937), ("dm", "decimetre", 0.1)],
)
def test_heights_in_other_units_become_metres_and_it_is_told(tmp_path, unit, name, factor):
    found = read_terrain(tif(tmp_path / "a.tif", unit=unit))
    np.testing.assert_allclose(found.heights, HEIGHTS * factor)
    assert f"heights in '{name}' were converted to metres" in found.notes[0]


def test_a_unit_that_is_not_known_is_told(tmp_path):
    found = read_terrain(tif(tmp_path / "a.tif", unit="m above the sea"))
    same(found)
    assert found.notes == ("heights in 'm above the sea' were taken for metres in a.tif",)


def test_scale_and_offset_of_a_band_count(tmp_path):
    decimetres = np.rint(10 * (HEIGHTS - 1000)).astype("int16")
    found = read_terrain(tif(tmp_path / "a.tif", decimetres, scale=(0.1, 1000.0)))
    np.testing.assert_allclose(found.heights, HEIGHTS, atol=0.051)


def test_the_coordinate_system_goes_through_to_the_terrain(tmp_path):
    assert read_terrain(tif(tmp_path / "a.tif"), (X0, Y0, X0 + 2, Y0 + 2), 1.0).crs == "EPSG:2056"


def image(path):
    place = {"crs": "EPSG:2056", "transform": Affine(1, 0, 9, 0, -1, 9)}
    shape = {"width": 4, "height": 3, "count": 3, "dtype": "uint8", "photometric": "RGB"}
    with rasterio.open(path, "w", driver="GTiff", **shape, **place) as file:
        file.write(np.ones((3, 3, 4), "uint8"))
    return path


def plain_image(path):
    Image.fromarray(HEIGHTS.astype(np.float32)).save(path)
    return path


REFUSED_TIF = {
    "nowhere": (plain_image, "names neither its corner nor its cells"),
    "rotated": (lambda p: tif(p, transform=Affine.rotation(20.0)), "the grid is rotated"),
    "degrees": (lambda p: tif(p, crs="EPSG:4326"), "expected metres, got degrees (EPSG:4326)"),
    "feet": (lambda p: tif(p, crs="EPSG:2263"), "expected metres, got US survey foot"),
    "image": (image, "an image in colours; expected one band of heights"),
    "all nodata": (lambda p: tif(p, np.full((3, 3), np.nan)), "all cells are NODATA"),
}


@pytest.mark.parametrize("name", REFUSED_TIF)
def test_rasters_that_are_no_map_in_metres_are_one_sentence(tmp_path, name):
    write, sentence = REFUSED_TIF[name]
    path = write(tmp_path / "a.tif")
    with refused(sentence, file=path):
        read_terrain(path)


REFUSED_XYZ = {
    "no points": ("\n\n", "no points; expected lines x y z"),
    "header alone": ("x y z\n", "no points; expected lines x y z"),
    "two columns": ("0 0\n1 0\n0 1\n1 1\n", "expected three numbers x, y, z a line, got 2"),
    "a word": ("0 0 1\n1 0 2\n0 one 3\n1 1 4\n", "line 3: expected three numbers x, y, z, got 'one'"),
    "a word below a header": ("x y z\n0 0 1\n1 0 2\n0 one 3\n", "line 4: expected three numbers x, y, z, got 'one'"),
    "ragged": ("0 0 1\n1 0 2\n0 1\n1 1 4\n", "line 3: expected three numbers x, y, z, like the lines before"),
    "on a slanting line": ("0 0 1\n1.1 1.1 2\n1.7 1.7 3\n3.3 3.3 5\n", "the points lie on one line; expected a grid"),
    "one line": ("0 0 1\n1 0 2\n2 0 2\n3 0 2\n", "all points have y = 0; expected a grid"),
    "few": ("0 0 1\n1 1 2\n", "expected at least 2 x 2 points, found 2"),
    "nan": ("nan 0 1\n1 0 2\n0 1 3\n1 1 4\n", "expected finite coordinates"),
    "sparse": ("0 0 1\n1 1 2\n1e7 1e7 2\n1e7 0 3\n", "points share a place or make no"),
}


@pytest.mark.parametrize("name", REFUSED_XYZ)
def test_points_that_are_no_grid_are_one_sentence(tmp_path, name):
    text, sentence = REFUSED_XYZ[name]
    path = tmp_path / "a.xyz"
    path.write_text(text)
    with refused(sentence, file=path):
        read_terrain(path)


@pytest.mark.parametrize("write", [tif, asc, xyz])
def test_a_map_above_the_limit_names_its_extent_and_a_window_opens_it(tmp_path, write, monkeypatch):
    for limit in ("dem.MAX_NODES", "dem.LARGEST_RASTER"):
        monkeypatch.setattr(f"physics.terrain.{limit}", 100)
    path = write(tmp_path / f"a.{write.__name__}")
    with refused("window = [xmin, ymin, xmax, ymax]", "2600000.5"):
        read_terrain(path)
    assert read_terrain(path, (X0, Y0, X0 + 4, Y0 + 4)).heights.shape == (9, 9)


@pytest.mark.parametrize("write", [tif, asc, xyz])
def test_a_window_beside_the_map_is_refused(tmp_path, write):
    with pytest.raises(physics.ScenarioError, match=r"window: holds nothing of the map; expected x 2600000\.5 to"):
        read_terrain(write(tmp_path / f"a.{write.__name__}"), (0, 0, 10, 10))


@pytest.mark.parametrize("write", [tif, asc, xyz])
def test_a_window_of_one_cell_and_a_finer_resolution_are_refused(tmp_path, write):
    path = write(tmp_path / f"a.{write.__name__}")
    with pytest.raises(physics.ScenarioError, match="at least 2 x 2"):
        read_terrain(path, (X0 - 1, Y0 - 1, X0, Y0))
    with pytest.raises(physics.ScenarioError, match=r"resolution: expected at least the map's cells of 0\.5 m"):
        read_terrain(path, resolution=0.1)


@pytest.mark.parametrize(
    ("terrain", "sentence"),
    [
        ({"window": [0, 0, 0, 5]}, r"terrain\.window: expected xmin < xmax"),
        ({"window": [0, 0, 5]}, r"terrain\.window"),
        ({"resolution": 0.0}, r"terrain\.resolution: expected a number above 0"),
        ({"nodata": "keep"}, r"terrain\.nodata"),
        (
            {"file": None, "profile": "ramp", "window": [0, 0, 5, 5]},
            r"terrain\.window: expected none beside profile",
        ),
    ],
)
def test_wrong_keys_are_one_sentence(terrain, sentence):
    with pytest.raises(physics.ScenarioError, match=sentence):
        rockfall("map.tif", terrain=terrain)


def test_a_large_map_is_held_in_single_precision(tmp_path, monkeypatch):
    path = tif(tmp_path / "a.tif", HEIGHTS.astype("float32"))
    exact = read_terrain(path)
    monkeypatch.setattr(dem, "MAX_NODES", 100)
    found = read_terrain(path)
    assert (exact.heights.dtype, found.heights.dtype) == (np.float64, np.float32)
    np.testing.assert_array_equal(found.heights, exact.heights)
    x, y = np.array([X0 + 1.1, X0 + 3.7]), np.array([Y0 + 0.3, Y0 + 4.9])
    np.testing.assert_array_equal(found.heights_at(x, y), exact.heights_at(x, y))
    for place in zip(x, y, strict=True):
        assert found.height(*place) == exact.height(*place)
        np.testing.assert_array_equal(found.normal(*place), exact.normal(*place))


def test_clearances_of_single_precision_are_never_below_those_of_double():
    heights = np.cumsum(np.random.default_rng(2).normal(0.0, 1.0, (40, 50)), axis=1).astype(np.float32)
    exact = vertices.clearance(heights.astype(float), (2.0, 1.5), 2.2)
    found = vertices.clearance(heights, (2.0, 1.5), 2.2)
    assert found.dtype == np.float32
    assert (found >= exact).all()
    np.testing.assert_allclose(found, exact, rtol=3e-7)
