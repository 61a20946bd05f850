"""A plan is true to scale on its paper, and says what it shows, of what, and whence."""

from __future__ import annotations

import json
import re
from argparse import ArgumentTypeError
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rasterio
import shapely

from app.cli.options import scale
from app.hazard.layers import results_of
from app.hazard.plan import PAPERS, check_plan, grouped, plan_of, write_plan
from app.plots.print_style import style
from physics import Scenario, ScenarioError, World
from physics.hazard.ensemble import COUNTING
from physics.io import vector_files
from physics.systems.rockfall.map_layers import layers_of
from physics.systems.rockfall.world import RockfallWorld
from tests.app.commanding import polhode
from tests.small import features, write_map

POINT = 72.0 / 25.4  # [pt] of a millimetre


def scenario(**changes: Any) -> Scenario:
    plain = {"kind": "rockfall", "title": "A slope", "duration": 1.0, "step": 0.01, "schemes": ["implicit", "explicit"]}
    ground = {"terrain": {"profile": "ramp"}, "release": {"position": [5.0, 0.0]}, "source": "made up"}
    body = {"shape": "cuboid", "size": [0.9, 0.7, 0.5], "mass": 700.0}
    fence = {"line": [[80.0, -20.0], [80.0, 20.0]], "height": 3.0}
    return Scenario(**plain, **ground, body=body, barrier=[fence]).changed(**changes)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return written(tmp_path, scenario())


def written(folder: Path, chosen: Scenario) -> Path:
    """A folder as polhode ensemble writes it, of one scheme: seven rocks, two of them at rest, a map."""
    world = World.of(chosen)
    assert isinstance(world, RockfallWorld)
    terrain = world.terrain
    places = [(150.0, 3.0), (160.0, -4.0)]
    rests = [({"scheme": "explicit"}, {"type": "Point", "coordinates": [*place, 0.0]}) for place in places]
    values = np.full(terrain.heights.shape, -9999.0, np.float32)
    values[50, 40:90] = np.linspace(1e3, 400e3, 50)
    (folder / "maps" / "explicit").mkdir(parents=True)
    told = {"counting": COUNTING, "schemes": {"explicit": {"rocks": 7}}, "scenario": chosen.in_full()}
    (folder / "summary.json").write_text(json.dumps(told))
    (folder / "deposits.geojson").write_text(features(*rests))
    for name, shapes in layers_of(world).items():
        vector_files.write_geojson(folder / f"{name}.geojson", vector_files.features(shapes), None, "")
    shape = {"width": values.shape[1], "height": values.shape[0], "count": 1, "dtype": "float32"}
    place = rasterio.Affine(*terrain.transform)
    path = folder / "maps" / "explicit" / "kinetic_energy_q95.tif"
    with rasterio.open(path, "w", driver="GTiff", transform=place, nodata=-9999.0, **shape) as file:
        file.write(values[::-1], 1)
        file.update_tags(unit="J")
    return folder


def texts(figure: Any) -> str:
    return "\n".join(text.get_text() for axes in figure.axes for text in axes.texts)


def test_soils_forests_and_the_release_are_drawn_named_and_in_the_legend() -> None:
    soft, hard = [[50, -30], [90, -30], [90, 10], [50, 10]], [[70, -10], [110, -10], [110, 30], [70, 30]]
    soil = {"zone": [{"polygon": soft, "preset": "soft"}, {"polygon": hard, "preset": "medium-hard"}]}
    forest = {"zone": [{"polygon": hard, "preset": "dense"}, {"polygon": soft, "drag": 120.0, "height": 9.0}]}
    area = [[5, -20], [20, -20], [20, 20]]
    with style():
        fence = {"line": soft[:2], "height": 3.0}
        figure = plan_of(World.of(scenario(soil=soil, forest=forest, release={"polygon": area}, barrier=(fence,))))
        figure.canvas.draw()
    axes, told = figure.axes[0], texts(figure)
    signs = "release", "other soils", "other forests", "area of release", "barrier", "contour lines"
    for word in ("Soft", "Medium hard", "Dense", "120 kg/s", *signs):
        assert word in told, word
    boxes = [text.get_window_extent() for text in figure.axes[-1].texts]
    assert [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)] == []
    drawn = {tuple(map(tuple, line.get_xydata().tolist())) for line in axes.lines}
    for corners in (soft, hard, area):
        assert any({tuple(map(float, corner)) for corner in corners} == set(line) for line in drawn)
    filled = [shapely.Polygon(patch.get_path().vertices) for patch in axes.patches]
    assert shapely.area(filled).tolist() == [1200.0, 1600.0, 1200.0, 1600.0]  # the later counts where two overlap
    assert "other soils" not in texts(plan_of(World.of(scenario())))


# ---- scale ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ratio", "paper"), [(5000.0, "a4"), (2500.0, "a3"), (3333.0, "a4")])
def test_a_length_on_the_ground_is_as_long_on_the_page_as_the_scale_says(ratio: float, paper: str) -> None:
    with style():
        figure = plan_of(World.of(scenario(**{"export.scale": ratio, "export.paper": paper})))
        figure.canvas.draw()
    assert sorted(figure.get_size_inches() * 25.4) == pytest.approx(sorted(PAPERS[paper]))
    axes = figure.axes[0]
    for step in ((100.0, 0.0), (0.0, 60.0)):
        ends = axes.transData.transform([(0.0, 0.0), step])
        millimetres = np.linalg.norm(ends[1] - ends[0]) / figure.dpi * 25.4
        assert millimetres == pytest.approx(1e3 * np.linalg.norm(step) / ratio, rel=1e-6)
    for axis, texts_of in ((axes.get_xticks(), axes.get_xticklabels()), (axes.get_yticks(), axes.get_yticklabels())):
        told = [text.get_text() for text in texts_of]
        assert any(told)
        assert all(text in ("", grouped(number)) for number, text in zip(axis, told, strict=True))


def test_the_scale_bar_in_the_file_is_as_long_as_it_says(tmp_path: Path) -> None:
    write_plan(World.of(scenario(**{"export.scale": 5000.0})), (), tmp_path / "plan.svg")
    svg = (tmp_path / "plan.svg").read_text(encoding="utf-8")
    wide, high = (float(re.search(rf'<svg[^>]* {side}="([\d.]+)pt"', svg)[1]) for side in ("width", "height"))
    assert sorted((wide / POINT, high / POINT)) == pytest.approx(sorted(PAPERS["a4"]), abs=0.01)
    corners = []
    for part in range(4):
        path = re.search(rf'id="scale-{part}">\s*<path d="([^"]+)"', svg)
        corners += [float(x) for x, _ in re.findall(r"[ML] ([\d.]+) ([\d.]+)", path[1])]
    length = float(re.findall(r">([\d.]+) m</text>", svg)[-1])  # those before are of contour lines
    assert (max(corners) - min(corners)) / POINT == pytest.approx(1e3 * length / 5000.0, abs=0.01)


# ---- what it tells -------------------------------------------------------------------------------------


def test_a_plan_shows_deposits_map_and_legend_and_says_whence(results: Path) -> None:
    wanted = {"export.results": str(results), "export.map": "kinetic_energy_q95"}
    fence = {"line": [[60.0, -20.0], [60.0, 20.0]], "height": 3.0}
    forest = {"stems": 200.0, "dbh": 30.0, "zone": [{"polygon": [[50, -30], [90, -30], [90, 10]], "preset": "dense"}]}
    since = {"hazard.cell": 25.0, "barrier": [fence], "release.position": [15.0, 5.0], "forest": forest}
    with style():
        figure = plan_of(World.of(scenario(**wanted | since)))  # edited since the rocks were counted
    told = texts(figure)
    for word in (
        "A slope",
        "Kinetic energy, 95 % quantile of 20 rocks or more, 7 rocks",
        "[kJ]",
        "2 rocks at rest",
        "barrier",
        "release",
    ):
        assert word in told
    for word in (
        "scheme explicit (Leine",
        "not a hazard map",
        "Source: made up",
        "weak < 30 kJ",
        "a square of 10 m around",
        "contour lines, 25 m",
    ):
        assert word in told.replace("\n", " ")
    places = [line.get_xydata().tolist() for line in figure.axes[0].lines]
    assert [[150.0, 3.0], [160.0, -4.0]] in places
    assert [[80.0, -20.0], [80.0, 20.0]] in places
    assert [[5.0, 0.0]] in places
    assert [[60.0, -20.0], [60.0, 20.0]] not in places
    assert not {"other forests", "tree"} & set(told.splitlines())


def test_the_same_plan_has_the_same_bytes_and_its_recipe(tmp_path: Path) -> None:
    world = World.of(scenario())
    for name in ("a.svg", "b.svg"):
        write_plan(world, (), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "# Made with Polhode" in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"export.scale": 1e6}, "export.scale"),
        ({"export.map": "reach_probability"}, "export.map"),
        ({"export.results": "nowhere"}, "export.results"),
    ],
)
def test_what_cannot_be_drawn_is_told(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ScenarioError) as told:
        plan_of(World.of(scenario(**changes)))
    assert told.value.field == field


@pytest.mark.parametrize("text", ["0", "1:0", "1:-5", "5000:1", "large", "1:1e9", ""])
def test_a_scale_that_is_none_is_told(text: str) -> None:
    assert (scale("1:5000"), scale("2500")) == (5000.0, 2500.0)
    with pytest.raises(ArgumentTypeError, match="such as 1:5000"):
        scale(text)


def test_results_of_another_terrain_are_refused_and_what_was_edited_since_is_named(results: Path) -> None:
    shown = scenario(**{"export.results": str(results)})
    again = Scenario(**shown.portable() | {"soil": {"restitution": 0.0}, "title": "Another"})  # values that are usual
    edited = shown.changed(**{"barrier": (), "body.mass": 1.0, "ensemble.seed": 4})
    found = [getattr(results_of(one), "edited", None) for one in (shown, again, edited)]
    assert found == [(), (), ("barrier", "body.mass")]
    with pytest.raises(ScenarioError, match=r"export\.results: are of another terrain .* terrain\.angle differs"):
        check_plan(shown.changed(**{"terrain.angle": 31.0}))


def test_a_plan_of_a_map_of_another_scheme_is_told(results: Path) -> None:
    with pytest.raises(ScenarioError, match="holds nothing of implicit"):
        plan_of(World.of(scenario(**{"export.results": str(results), "export.whose": "implicit"})))


def test_bodies_without_terrain_have_no_plan() -> None:
    free = Scenario(kind="free", duration=1.0, step=0.1, schemes=["exact"], body={"inertia": [1, 2, 3], "mass": 1.0})
    with pytest.raises(ScenarioError, match="a plan applies to rockfall"):
        check_plan(free)


def test_a_plan_of_a_map_in_degrees_names_the_system_to_which_it_is_projected(tmp_path: Path) -> None:
    heights = 900.0 + 12.0 * np.arange(40)[:, None] + np.zeros((40, 40))
    write_map(tmp_path / "tile.asc", heights, 0.000277777778, (7.5, 46.0))
    words = "plan", tmp_path / "tile.asc", "-o", tmp_path / "plan.svg"
    refused = polhode(*words)
    assert refused.status == 2
    assert "expected metres, got degrees" in refused.err
    assert polhode(*words, "--project", "utm").status == 0
    assert "EPSG:32632" in (tmp_path / "plan.svg").read_text()
