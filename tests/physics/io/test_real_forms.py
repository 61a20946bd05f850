"""Files in the forms in which surveys, sensors and modelling programs publish them, beside independent readers.

Grids beside GDAL, clouds beside laspy, meshes beside VTK, logs beside pandas.
"""

from __future__ import annotations

from pathlib import Path

import laspy
import numpy as np
import pandas as pd
import pytest
import pyvista as pv
import rasterio
from rasterio import Affine

from physics.bodies.mesh_io import read_mesh
from physics.measured.measured_config import MeasuredConfig
from physics.measured.motion import measured_motion
from physics.terrain.dem import read_terrain

RNG = np.random.default_rng(11)
RELIEF = np.round(600.0 + 0.4 * np.add.outer(np.arange(24.0)[::-1], 0.5 * np.arange(30.0)) + RNG.random((24, 30)), 2)


def grid_text(head: str, form: str = "{:.2f}", end: str = "\n", tail: str = "") -> str:
    rows = (" ".join(map(form.format, row)) + tail for row in RELIEF)
    return (head + "\n".join(rows) + "\n").replace("\n", end)


def points_text(head: str, x: float, y: float, cell: float, form: str, end: str = "\n") -> str:
    rows = (form.format(x + cell * i, y - cell * j, RELIEF[j, i]) for j in range(24) for i in range(30))
    return (head + "\n".join(rows) + "\n").replace("\n", end)


def raster(path: Path, crs: str, west: float, north: float, cell: float, nodata: float, **how: object) -> None:
    heights = RELIEF.astype("float32")
    heights[4:6, 7:9] = nodata
    profile = {"driver": "GTiff", "width": 30, "height": 24, "count": 1, "dtype": "float32", "tiled": True, **how}
    where = Affine(cell, 0, west, 0, -cell, north)
    with rasterio.open(
        path, "w", crs=crs, transform=where, nodata=nodata, blockxsize=16, blockysize=16, **profile
    ) as f:
        f.write(heights, 1)


IGN = "ncols        30\nnrows        24\nxllcorner    974999.500000000000\nyllcorner    6542999.500000000000\n"
TEXTS = {
    "swissALTI3D.xyz": points_text("X Y Z\n", 2600000.25, 1200999.75, 0.5, "{:.2f} {:.2f} {:.2f}"),
    "DGM1-Bavaria.xyz": points_text("", 684000.5, 5340999.5, 1.0, "{:.1f} {:.1f} {:.2f}", "\r\n"),
    "DGM1-NRW.xyz": points_text("", 400000.0, 5700999.0, 1.0, "     {:.3f}    {:.3f}   {:8.3f}"),
    "RGE-ALTI.asc": grid_text(IGN + "cellsize     1.000000000000\nNODATA_value  -99999.00\n", " {:.2f}", "\r\n"),
    "OS-Terrain-50.asc": grid_text(
        "ncols 30\nnrows 24\nxllcorner 280000\nyllcorner 350000\ncellsize 50\n", "{:.1f}", tail=" "
    ),
    "AvaFrame.asc": grid_text(
        "NCOLS 30\nNROWS 24\nXLLCENTER 12.5\nYLLCENTER -7.5\nCELLSIZE 5\nNODATA_VALUE -9999\n", "{:.4e}"
    ),
}
RASTERS = {
    "swissALTI3D.tif": ("EPSG:2056", 2600000.0, 1201000.0, 0.5, -9999.0, {"compress": "deflate", "predictor": 3}),
    "USGS-1m.tif": ("EPSG:26910", 559994.0, 5180006.0, 1.0, -999999.0, {"compress": "lzw", "predictor": 3}),
    "LINZ.tif": ("EPSG:2193", 1748000.0, 5427600.0, 1.0, -9999.0, {"compress": "zstd", "BIGTIFF": "YES"}),
    "AHN.tif": ("EPSG:28992", 120000.0, 487500.0, 0.5, float(np.finfo("float32").max), {"compress": "deflate"}),
    "Lidar-England.tif": ("EPSG:27700", 430000.0, 305000.0, 2.0, -3.4028234663852886e38, {"interleave": "band"}),
}


@pytest.mark.parametrize("name", [*TEXTS, *RASTERS])
def test_grids_have_the_heights_and_places_that_gdal_finds(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name in TEXTS:
        path.write_bytes(TEXTS[name].encode())
    else:
        *where, how = RASTERS[name]
        raster(path, *where, **how)
    with rasterio.open(path) as file:
        known, transform, crs = file.read(1, masked=True).astype(float), file.transform, file.crs
    upright = known[::-1] if transform.e < 0.0 else known
    south = min(transform.f, transform.f + transform.e * file.height) + abs(transform.e) / 2
    found = read_terrain(path)
    assert found.heights.shape == known.shape
    np.testing.assert_allclose(found.origin, (transform.c + transform.a / 2, south), rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.cell, (transform.a, abs(transform.e)), rtol=1e-9)
    there = ~np.ma.getmaskarray(upright)
    np.testing.assert_allclose(found.heights[there], upright[there].data, rtol=0, atol=1e-4)
    assert (found.crs is None) == (crs is None)
    assert ("NODATA" in " ".join(found.notes)) == bool((~there).any())


@pytest.mark.parametrize(("name", "version", "form"), [("scan.las", "1.2", 3), ("tile.laz", "1.4", 6)])
def test_clouds_have_the_mean_heights_of_laspys_points(tmp_path: Path, name: str, version: str, form: int) -> None:
    head = laspy.LasHeader(point_format=form, version=version)
    head.offsets, head.scales = np.array([2600000.0, 1200000.0, 0.0]), np.full(3, 0.001)
    made, (x, y) = laspy.LasData(head), 60.0 * RNG.random((2, 40_000))
    tree = RNG.random(40_000) < 0.3
    made.x, made.y, made.z = 2600000.0 + x, 1200000.0 + y, np.where(tree, 459.0, 450.0)
    made.classification = np.where(tree, 5, 2).astype(np.uint8)
    made.write(tmp_path / name)
    read, found = laspy.read(tmp_path / name), read_terrain(tmp_path / name)
    ground = np.asarray(read.z)[np.asarray(read.classification) == 2]
    assert found.heights.mean() == pytest.approx(ground.mean(), abs=1e-9)
    x0, x1, y0, y1 = found.extent
    assert read.header.mins[0] <= x0 < x1 <= read.header.maxs[0]
    assert read.header.mins[1] <= y0 < y1 <= read.header.maxs[1]


def obj_of_an_asteroid(path: Path, ball: pv.PolyData) -> None:
    """Plates of a shape model: vertices in kilometres, with a remark of the set above them."""
    lines = ["# 433 Eros shape model", *(f"v {x:14.6f} {y:14.6f} {z:14.6f}" for x, y, z in ball.points)]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in ball.regular_faces]
    path.write_text("\r\n".join(lines))


@pytest.mark.parametrize("name", ["hull.stl", "hull-text.stl", "eros.obj", "scan.ply"])
def test_meshes_have_the_volume_that_vtk_finds(tmp_path: Path, name: str) -> None:
    ball = pv.Sphere(radius=1.0, theta_resolution=24, phi_resolution=16).scale((16.8, 5.6, 4.1)).triangulate()
    path = tmp_path / name
    if name == "eros.obj":
        obj_of_an_asteroid(path, ball)
    else:
        colours = {"texture": np.full((ball.n_points, 3), 90, np.uint8)} if name == "scan.ply" else {}
        ball.save(path, binary="text" not in name, **colours)
    known, mesh = pv.read(path), read_mesh(path)
    a, b, c = np.moveaxis(mesh.points[mesh.triangles], 1, 0)
    assert len(mesh.triangles) == known.n_cells
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(known.volume, rel=1e-5)
    np.testing.assert_allclose(np.ptp(mesh.points, axis=0), np.ptp(known.points, axis=0), rtol=1e-6)


TIME = 0.01 * np.arange(60)
RATES = np.round(RNG.normal(size=(60, 3)), 6)


def log(head: str, row: str, end: str = "\n") -> str:
    times = [{"i": i, "t": t, "ns": 1_700_000_000_000_000_000 + 10_000_000 * i} for i, t in enumerate(TIME.tolist())]
    lines = [head, *(row.format(*w, **at) for at, w in zip(times, RATES.tolist(), strict=True))]
    return end.join(lines[not head :]) + end


def axes(heading: str, letters: str = "xyz") -> str:
    return ",".join(heading.replace("$", letter) for letter in letters)


NINE = ",0.0" * 9
ECHO = f"1700000000,{{i}}0000000,imu_link,0.0,0.0,0.0,1.0{NINE},{{0}},{{1}},{{2}}{NINE},0.1,0.2,9.8{NINE}"
EUROC = f"#timestamp [ns],{axes('w_RS_S_$ [rad s^-1]')},{axes('a_RS_S_$ [m s^-2]')}"
BLACKBOX = f'"loopIteration","time (us)","axisP[0]",{axes(chr(34) + "gyroADC[$] (deg/s)" + chr(34), "012")}'
STAMPED = f"header.seq,header.stamp.secs,header.stamp.nsecs,header.frame_id,{axes('angular_velocity.$')}"
LOGS = {  # contents; columns of the rates for pandas, by place; radians in a unit
    "phyphox.csv": (
        log(f'"Time (s)",{axes(chr(34) + "Gyroscope $ (rad/s)" + chr(34))}', "{t:.9E},{0},{1},{2}"),
        1,
        1.0,
    ),
    "Gyroscope.csv": (log("time,seconds_elapsed,x,y,z", "{ns},{t:.9f},{0},{1},{2}", "\r\n"), 2, 1.0),
    "euroc-imu0.csv": (log(EUROC, "{ns},{0},{1},{2},9.81,0.1,0.2", "\r\n"), 1, 1.0),
    "blackbox.csv": (log(BLACKBOX, "{i}, {i}0000, 3, {0}, {1}, {2}"), 3, np.pi / 180.0),
    "plotjuggler.csv": (log(f"__time,{axes('/imu/angular_velocity/$')}", "{t:.6f},{0},{1},{2}"), 1, 1.0),
    "bagpy.csv": (log(STAMPED, "{i},1700000000,{i}0000000,imu_link,{0},{1},{2}"), 4, 1.0),
    "ros2-echo.csv": (log("", ECHO), 16, 1.0),
}


@pytest.mark.parametrize("name", LOGS)
def test_logs_have_the_rates_that_pandas_finds(tmp_path: Path, name: str) -> None:
    text, first, unit = LOGS[name]
    (tmp_path / name).write_bytes(text.encode())
    known = pd.read_csv(tmp_path / name, header=None if name == "ros2-echo.csv" else 0).iloc[:, first : first + 3]
    motion = measured_motion(MeasuredConfig(file=name), tmp_path)
    np.testing.assert_allclose(motion.angular_velocity, unit * known.to_numpy(), rtol=0, atol=1e-12)
    np.testing.assert_allclose(motion.time - motion.time[0], TIME, atol=5e-7)
    assert motion.relative  # none tells an attitude: that of the message stands still
    assert (motion.acceleration is not None) == (name in ("euroc-imu0.csv", "ros2-echo.csv"))
