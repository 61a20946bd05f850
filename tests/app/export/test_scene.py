"""Scenes: a model that is true glTF and holds the motion, and a page that plays it in a browser without network."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pyvista as pv
from PIL import Image

from app.document.open import scenario_for
from app.document.session import SavedSession, SessionView, save_session
from app.export.gltf import glb
from app.export.scene_files import page, write_scene
from app.export.scene_model import keys, model_of
from app.kinds import kind_of
from app.playback.verdicts import departure, verdict
from app.system.language import speaking
from app.theme import THEMES, contrast
from physics import Scenario, simulate
from physics.core.rotation import angle_between, apply, conjugate
from physics.core.separation import NEAR, RIGHT
from physics.simulation.schedule import Schedule
from tests.app.commanding import polhode
from tests.app.staging import example, finished, stage_of
from tests.app.windowing import cuboid, rock
from tests.small import top

NUMBERS = {5126: "<f4", 5123: "<u2", 5125: "<u4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SHIP = {
    "kind": "vessel", "duration": 0.3, "step": 0.01, "schemes": ("verlet-exact",),
    "body": {"shape": "inertia", "mass": 1.0, "inertia": (1.0, 3.0, 4.0)},
    "initial": {"angular_velocity": (1.0, 0.5, 0.2)},
    "vessel": {"metacentric_height": {"transverse": 0.2, "longitudinal": 1.0}},
}  # fmt: skip

TOY = {
    "kind": "table", "duration": 0.3, "step": 1e-3, "schemes": ("implicit",),
    "body": {"shape": "tippe-top", "radius": 0.02, "mass": 0.02}, "initial": {"angular_velocity": (1.0, 0.0, 30.0)},
}  # fmt: skip


class Document:
    """A .glb as its header, its JSON and its buffer say."""

    def __init__(self, data: bytes) -> None:
        assert data[:8] == b"glTF" + (2).to_bytes(4, "little")
        assert int.from_bytes(data[8:12], "little") == len(data)
        size = int.from_bytes(data[12:16], "little")
        assert size % 4 == 0
        assert (data[16:20], data[24 + size : 28 + size]) == (b"JSON", b"BIN\0")
        self.json: dict[str, Any] = json.loads(data[20 : 20 + size])
        self.data = data[28 + size :]
        assert len(self.data) == int.from_bytes(data[20 + size : 24 + size], "little")
        assert len(self.data) == self.json["buffers"][0]["byteLength"]

    def array(self, number: int) -> np.ndarray:
        row = self.json["accessors"][number]
        view = self.json["bufferViews"][row["bufferView"]]
        values = np.frombuffer(
            self.data, NUMBERS[row["componentType"]], row["count"] * WIDTHS[row["type"]], view["byteOffset"]
        )
        assert values.nbytes == view["byteLength"]
        return values.reshape(row["count"], -1)


def document(scenario: Scenario) -> tuple[Document, Any]:
    run = finished(scenario)
    return Document(glb(model_of(run.world, run.lanes))), run


@pytest.mark.parametrize(
    "scenario",
    [
        cuboid(duration=0.5),
        rock(duration=0.5),
        top(duration=0.3, schemes=("quat-em",)),
        Scenario(**SHIP),
        Scenario(**TOY),
    ],
    ids=lambda s: s.kind,
)
def test_a_model_is_well_formed(scenario: Scenario) -> None:
    model, _ = document(scenario)
    tables = model.json
    for number, row in enumerate(tables["accessors"]):
        values = model.array(number)
        assert np.isfinite(values).all()
        if "min" in row:
            np.testing.assert_array_equal(values.min(axis=0), np.float32(row["min"]))
            np.testing.assert_array_equal(values.max(axis=0), np.float32(row["max"]))
    for mesh in tables["meshes"]:
        for drawn in mesh["primitives"]:
            counts = {tables["accessors"][a]["count"] for a in drawn["attributes"].values()}
            assert len(counts) == 1
            assert "min" in tables["accessors"][drawn["attributes"]["POSITION"]]
            assert drawn["material"] < len(tables["materials"])
            if "indices" in drawn:
                assert model.array(drawn["indices"]).max() < counts.pop()
            if "NORMAL" in drawn["attributes"]:
                lengths = np.linalg.norm(model.array(drawn["attributes"]["NORMAL"]), axis=1)
                np.testing.assert_allclose(lengths, 1.0, atol=1e-5)
    children = [child for node in tables["nodes"] for child in node.get("children", [])]
    assert sorted(children + tables["scenes"][0]["nodes"]) == list(range(len(tables["nodes"])))  # a tree


def test_a_model_moves_as_the_run_does() -> None:
    model, run = document(rock(duration=2.0, schemes=("explicit", "implicit")))
    (animation,) = model.json["animations"]
    x0, x1, y0, y1 = run.world.terrain.extent
    shift = np.array([(x0 + x1) / 2, (y0 + y1) / 2, 0.0])
    assert facts_of(model)["origin"] == shift.tolist()
    moved = {}
    for channel in animation["channels"]:
        name = model.json["nodes"][channel["target"]["node"]]["name"]
        moved.setdefault(name, {})[channel["target"]["path"]] = animation["samplers"][channel["sampler"]]
    bodies = [(paths["translation"], paths["rotation"]) for name, paths in moved.items() if name.endswith(", body")]
    for lane, (place, turn) in zip(run.lanes, bodies, strict=True):
        times = model.array(place["input"])[:, 0]
        assert (np.diff(times) > 0).all()
        at = [lane.trajectory.at(float(time)) for time in times]
        np.testing.assert_allclose(model.array(place["output"]), [s.position - shift for s in at], atol=2e-3)
        turned = model.array(turn["output"])[:, [3, 0, 1, 2]]
        np.testing.assert_allclose(np.abs(np.sum(turned * [s.orientation for s in at], axis=1)), 1.0, atol=1e-5)
        assert (np.sum(turned[1:] * turned[:-1], axis=1) > 0).all()  # never the long way round


def test_a_body_on_a_table_leaves_the_trail_of_its_contact() -> None:
    run = finished(Scenario(**TOY))
    model = model_of(run.world, run.lanes)
    (curve,) = model.actors[0].curves
    assert not curve.around
    assert np.abs(curve.points[:, 2]).max() < 1e-9
    assert max(np.ptp(mesh.points[:, 0]) for mesh in model.ground) > 0.1  # the table


def test_arrows_point_along_omega_and_spin() -> None:
    world_run = finished(cuboid(duration=1.0, initial={"angular_velocity": (1.0, 5.0, 2.0)}))
    actor = model_of(world_run.world, world_run.lanes).actors[1]
    states = [world_run.lanes[1].trajectory.at(float(time)) for time in actor.times]
    along = {
        "omega": np.array([apply(s.orientation, s.angular_velocity) for s in states]),
        "ink": np.tile(world_run.lanes[1].trajectory.spin[0], (len(states), 1)),  # which the scheme keeps
    }
    for arrow in actor.arrows:
        wanted = along[arrow.ink]
        lengths = np.linalg.norm(wanted, axis=1)
        pointed = np.array([apply(q, np.array([1.0, 0.0, 0.0])) for q in arrow.orientations])
        np.testing.assert_allclose(pointed, wanted / lengths[:, None], atol=1e-6)
        np.testing.assert_allclose(arrow.scales, lengths / lengths.max(), rtol=1e-6)


def test_short_arrows_point_along_the_flight_and_down_in_an_orbit() -> None:
    """Orbit about y, with the planet below at the start: along x and -z then, and on with the turn of the orbit."""
    run = finished(example("body-boom", duration=800.0, schemes=("verlet-exact",)))
    (actor,) = model_of(run.world, run.lanes).actors
    flight, down = (arrow for arrow in actor.arrows if arrow.feet is not None)
    turn = 2.0 * math.pi / 6052.4135 * actor.times
    for arrow, x, z in (flight, np.cos(turn), -np.sin(turn)), (down, -np.sin(turn), -np.cos(turn)):
        pointed = np.array([apply(q, np.array([1.0, 0.0, 0.0])) for q in arrow.orientations])
        np.testing.assert_allclose(pointed, np.stack([x, 0.0 * turn, z], axis=1), atol=1e-6)


def test_the_ground_is_where_the_terrain_is() -> None:
    model, run = document(rock(duration=0.1))
    drawn = model.json["meshes"][model.json["asset"]["extras"]["ground"][0]]["primitives"][0]
    points, places = (model.array(drawn["attributes"][name]) for name in ("POSITION", "TEXCOORD_0"))
    x0, x1, y0, y1 = run.world.terrain.extent
    x, y = points[:, 0] + (x0 + x1) / 2, points[:, 1] + (y0 + y1) / 2
    np.testing.assert_allclose(points[:, 2], run.world.terrain.heights_at(x, y), atol=1e-3)
    np.testing.assert_allclose(places, np.column_stack([(x - x0) / (x1 - x0), (y1 - y) / (y1 - y0)]), atol=1e-6)


@pytest.mark.parametrize("ending", [".html", ".glb"])
def test_a_scene_is_made_again_from_itself(tmp_path: Path, ending: str) -> None:
    run = finished(cuboid(duration=0.2))
    write_scene(run.world, run.lanes, tmp_path / f"first{ending}")
    again = scenario_for(tmp_path / f"first{ending}")
    assert again.changed(view={}, export={}).to_plain() == run.scenario.changed(view={}, export={}).to_plain()
    assert polhode("scene", tmp_path / f"first{ending}", "-o", tmp_path / f"again{ending}") == (0, "", "")
    assert (tmp_path / f"first{ending}").read_bytes() == (tmp_path / f"again{ending}").read_bytes()


def shown_text(lane: dict[str, Any], name: str, row: int) -> str:
    """A number of a page's caption, behind its name."""
    words = (table["words"][table["at"][row]].removeprefix("!") for table in lane["numbers"]["texts"])
    return next(one for one in words if one.startswith(f"{name} "))


def test_a_page_has_the_numbers_signs_and_charts_of_the_stage(plotter: pv.Plotter) -> None:
    run = finished(example("table-tippe-top", duration=0.4))
    facts = Document(glb(model_of(run.world, run.lanes))).json["asset"]["extras"]
    stage = stage_of(run, plotter, overlays=run.scenario.view.overlays)
    assert facts["decimals"] == 3  # of 0.4 s
    times = facts["lanes"][0]["numbers"]["times"]
    for row in (0, len(times) // 2, len(times) - 1):
        time = times[row]
        stage.show(time)
        for lane, facts_of_lane in zip(run.lanes, facts["lanes"], strict=True):
            told = " ".join(stage.describe().numbers[lane.scheme.name].split())
            for name in ("tilt", "spin", "slip"):
                assert shown_text(facts_of_lane, name, row) in told
    for facts_of_lane, (_, scene) in zip(facts["lanes"], stage.describe().scenes, strict=True):
        tips = [(tip.body, tip.hand, *tip.hub, *tip.arm) for tip in scene.truth.tips]
        found = [(tip["body"], tip["hand"], *tip["hub"], *tip["arm"]) for tip in facts_of_lane["tips"]]
        assert found == tips
        assert any(tip["hand"] and tip["about"] for tip in facts_of_lane["tips"])  # a tippe top looks alike as it spins
    signs = [text for text, _ in facts["signs"]["dark"]]
    assert {"contact rolls", "slips", "friction", "outline: true motion"} <= set(signs)
    assert "angular velocity ω" not in signs  # its arrows are off
    wanted = kind_of(run.scenario).chosen(run.scenario.export.charts, run.world)
    assert [chart["title"] for chart in facts["charts"]] == [one.title for one in wanted]
    tilt = facts["charts"][[one.title for one in wanted].index("Tilt")]
    (curve, _), (low, high) = tilt["curves"], (tilt["marks"][0], tilt["marks"][-1])
    degrees = [float(curve["texts"]["words"][at]) for at in curve["texts"]["at"]]
    least, most = (float(number.rstrip("°")) for _, number in (low, high))
    scale = (most - least) / (high[0] - low[0])
    np.testing.assert_allclose(least + scale * (np.array(curve["y"]) - low[0]), degrees, atol=0.1)
    for name, theme in THEMES.items():
        assert all(contrast(lane["inks"][name][1], theme.panel) >= 4.5 for lane in facts["lanes"])
    assert "charts" not in Document(glb(model_of(run.world, run.lanes), tubes=True)).json["asset"]["extras"]


@pytest.mark.parametrize("size", [(3.0, 2.0, 1.0), (2.0, 1.0, 4.0)])
def test_a_page_says_that_it_draws_the_shape_after_the_last_edit(size: tuple[float, float, float]) -> None:
    edit = {"time": 0.5, "body": {"shape": "cuboid", "mass": 12.0, "size": size}}
    run = finished(cuboid(duration=1.0, schemes=("exact",), edit=(edit,)))
    signs = [text for text, _ in model_of(run.world, run.lanes).signs["dark"]]
    assert ("bodies as after the last edit" in signs) == (size != (3.0, 2.0, 1.0))


def test_a_page_tells_a_verdict_from_the_state_on_from_which_it_holds() -> None:
    """Numbers of 600 of 2001 states are in a page, and of those at which a lane leaves the true motion."""
    model, run = document(cuboid(duration=20.0, schemes=("explicit",)))
    (lane,), told = run.lanes, facts_of(model)["lanes"][0]["numbers"]
    found, said = departure(lane), told["verdicts"]
    for bound, word in ((RIGHT, "drifts"), (NEAR, "leaves")):
        row = told["times"].index(found.passages[bound].left)
        assert [word in said["words"][said["at"][k]] for k in (row - 1, row)] == [False, True]
    assert told["times"][-1] == lane.trajectory.time[-1]


def test_a_page_tells_what_has_become_of_a_lane_that_ends_before_the_others() -> None:
    model, run = document(example("top-unsolved"))
    over = run.lanes[1]
    last, end = (float(lane.trajectory.time[-1]) for lane in run.lanes)
    told, after = facts_of(model)["lanes"][1]["numbers"], math.nextafter(end, math.inf)
    said = verdict(over, end), verdict(over, last)
    assert told["times"][-2:] == [end, after]
    for name, words in (("standing", ("✓ 0.00°", "– no solution after 0 s")), ("verdicts", said)):
        assert [told[name]["words"][row] for row in told[name]["at"][-2:]] == [*words]


def test_a_model_has_poinsots_construction_and_forces_at_a_contact() -> None:
    run = finished(example("poinsot", duration=2.0))
    model = model_of(run.world, run.lanes)
    for actor in model.actors:
        disc, _, *polhodes, skin = actor.parts
        (bead,) = (arrow for arrow in actor.arrows if arrow.feet is not None)
        normal = apply(model.world.orientation, model.world.body.spin(model.world.angular_velocity))
        lifts = disc.mesh.points @ normal
        np.testing.assert_allclose(lifts, lifts[0], rtol=1e-5)  # across the angular momentum
        assert len(polhodes) == 2
        axes = np.abs(skin.mesh.points).max(axis=0)
        feet = apply(conjugate(actor.orientations), bead.feet - actor.positions)
        on_ellipsoid = np.sum((feet / axes) ** 2, axis=1)
        np.testing.assert_allclose(on_ellipsoid, 1.0, atol=5e-3)  # of the facets
        assert {curve.turning for curve in actor.curves if curve.around} == {False, True}
    toy = finished(example("table-tippe-top", duration=0.2))
    arrows = model_of(toy.world, toy.lanes).actors[0].arrows
    assert [arrow.ink for arrow in arrows] == ["normal", "alarm", "slip"]
    np.testing.assert_allclose(arrows[0].feet[:, 2], 0.0, atol=1e-4)  # on the table
    plain = finished(example("cuboid-intermediate", duration=0.2))
    assert all(actor.parts == () for actor in model_of(plain.world, plain.lanes).actors)


GOES = {
    "vectors": {"angular velocity", "angular momentum"},
    "trails": {"curve", "spin", "tracer"},
    "truth": {"true motion"},
    "grid": {"ground"},
}


@pytest.mark.parametrize(
    "scenario",
    [cuboid(duration=0.5), rock(duration=0.5), top(duration=0.3), Scenario(**SHIP), Scenario(**TOY)],
    ids=lambda s: s.kind,
)
def test_a_session_with_overlays_off_is_written_without_them(scenario: Scenario, tmp_path: Path) -> None:
    def drawn(*shown: str) -> set[str]:
        name = "-".join(("with", *shown))
        session, model = tmp_path / f"{name}.polhode.toml", tmp_path / f"{name}.glb"
        save_session(session, SavedSession(Schedule.of(scenario), SessionView(overlays=shown)))
        assert polhode("scene", session, "-o", model) == (0, "", "")
        found = Document(model.read_bytes())
        return {node["name"].split(", ")[-1].rstrip(" 0123456789") for node in found.json["nodes"]}

    usual = drawn(*GOES)
    assert {"curve", "ground"} <= usual or scenario.kind == "free"
    land = {"ground"} if scenario.kind == "rockfall" else set()  # of which only the contour lines go
    for off, names in GOES.items():
        assert usual - drawn(*(name for name in GOES if name != off)) == (names & usual) - land
    bare = drawn()
    assert bare == usual - set().union(*GOES.values()) | land
    scenario = scenario.changed(view={"overlays": ()})  # and a page plays without them
    (lane, *_), signs, said = (facts_of(document(scenario)[0])[name] for name in ("lanes", "signs", "said"))
    assert said == []  # nor headline and lines, as in a picture
    assert (lane["arrows"], lane["curves"], lane["truth"], lane["spin"]) == ([], [], None, None)
    assert not any("angular velocity" in text or "contour" in text for text, _ in signs["dark"])


def test_a_page_of_a_slope_names_heights_and_shows_the_rocks_from_near() -> None:
    run = finished(example("rock-alpine", duration=0.2, schemes=("explicit",)))
    model = glb(model_of(run.world, run.lanes))
    facts = Document(model).json["asset"]["extras"]
    terrain = run.world.terrain
    x0, x1, y0, y1 = terrain.extent
    places = np.array([place for _, place in facts["heights"]])
    assert [float(text.removesuffix(" m")) for text, _ in facts["heights"]] == places[:, 2].tolist() != []
    found = terrain.heights_at(places[:, 0] + round((x0 + x1) / 2), places[:, 1] + round((y0 + y1) / 2))
    np.testing.assert_allclose(found, places[:, 2], atol=1.0)  # they stand on a coarser grid
    assert facts["nearRocks"]
    assert "close-up: axis of rotation" in [text for text, _ in facts["signs"]["dark"]]


def test_a_page_asks_nothing_of_the_network() -> None:
    run = finished(cuboid(duration=0.2, title="</script><script>alert(1)</script>"))
    text = page(run.world, glb(model_of(run.world, run.lanes)))
    assert not re.findall(r"\ssrc=|<link|@import|fetch\(|XMLHttp|WebSocket|import\(", text)
    assert "default-src 'none'" in text
    assert "alert(1)</script>" not in text
    assert "{{" not in text
    assert text.count("url(data:font/woff;base64,") == 2


def test_a_page_speaks_the_language_in_use_and_its_keys_are_those_that_its_buttons_name() -> None:
    run = finished(cuboid(duration=0.2))
    with speaking("de"):
        text = page(run.world, glb(model_of(run.world, run.lanes)))
    assert '<html lang="de">' in text
    controls = re.findall(r'title="([^"]+) \((.+?)\)">([^<]*)<', text)
    assert ("Alle Verfahren in einer Ansicht oder nebeneinander", "O", "Überlagert") in controls
    read = re.findall(r'(?:" "|\b[a-z0-9]): flip\.\w+', text)
    assert {key.lower().replace("space", '" "') for _, key, _ in controls} == {one.split(":")[0] for one in read}
    assert "braucht WebGL 2" in text


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_page_plays_in_a_browser(tmp_path: Path) -> None:
    run = finished(cuboid(duration=1.0))
    write_scene(run.world, run.lanes, tmp_path / "scene.html")
    words = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    words += [
        "--hide-scrollbars",
        "--window-size=800,500",
        "--virtual-time-budget=2000",
        f"--user-data-dir={tmp_path}/me",
    ]
    command = [str(CHROMIUM), *words, f"--screenshot={tmp_path}/shot.png", f"file://{tmp_path}/scene.html#t=0.5"]
    subprocess.run(command, capture_output=True, check=True)
    with Image.open(tmp_path / "shot.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)[100:380]  # between title and captions
    for lane, half in zip(run.lanes, np.array_split(pixels, 2, axis=1), strict=True):
        ink = np.array([int(lane.scheme.colour[k : k + 2], 16) for k in (1, 3, 5)])
        assert (np.abs(half - ink).max(axis=2) < 70).sum() > 30  # edges and curve in the lane's colour


def test_trails_of_a_model_are_tubes_about_their_curves(tmp_path: Path) -> None:
    run = finished(cuboid(duration=0.5))
    write_scene(run.world, run.lanes, tmp_path / "model.glb")
    model = Document((tmp_path / "model.glb").read_bytes())
    assert not any(drawn.get("mode") == 3 for drawn in primitives(model.json))  # lines are not rendered by Blender
    named = {node["name"]: node for node in model.json["nodes"]}
    for told in facts_of(model)["lanes"]:
        node = named[f"{told['letter']} {told['title']}, curve"]
        solid = model.json["meshes"][node["mesh"]]["primitives"][0]
        points = model.array(solid["attributes"]["POSITION"])
        near = [np.linalg.norm(curve - points[::7, None], axis=2).min(axis=1) for curve in _curves(model, told)]
        assert np.min([away.max() for away in near]) < 0.05 * run.world.body.radius


def _curves(model: Document, told: dict[str, Any]) -> list[np.ndarray]:
    return [model.array(curve["points"]) for curve in told["curves"]]


def facts_of(model: Document) -> dict[str, Any]:
    return model.json["asset"]["extras"]


def primitives(tables: Any) -> list[Any]:
    return [drawn for mesh in tables["meshes"] for drawn in mesh["primitives"]]


def test_a_table_lies_once_below_all_lanes() -> None:
    model, run = document(Scenario(**TOY).changed(schemes=("explicit", "implicit")))
    nodes = model.json["nodes"]
    lanes = [node for node in nodes if any(nodes[k]["name"].endswith(", body") for k in node.get("children", []))]
    grounds = [node for node in nodes if node.get("name") == "ground"]
    assert sorted(node["mesh"] for node in grounds) == sorted(model.json["asset"]["extras"]["ground"])
    top = model.json["meshes"][grounds[0]["mesh"]]["primitives"][0]
    reach = grounds[0]["scale"][0] * np.abs(model.array(top["attributes"]["POSITION"])[:, 0]).max()
    assert len(lanes) == 2
    for lane in lanes:
        aside = np.array(lane["translation"]) - grounds[0]["translation"]
        assert np.linalg.norm(aside) + run.world.body.radius < reach


def test_a_program_that_turns_evenly_from_key_to_key_stays_within_a_twentieth_of_a_degree() -> None:
    """A cuboid that flips within half a second: keys 1/60 s apart would be a quarter of a degree off between them."""
    flipping = {"initial": {"angular_velocity": (1e-3, 20.0, 1e-3)}, "duration": 2.0, "step": 0.0005}
    run = simulate(cuboid(schemes=["exact"], **flipping))["exact"]
    kept = keys(run)
    assert 4 * len(kept) < len(run)
    off = [angle_between(kept.at(float(time)).orientation, run.orientation[i]) for i, time in enumerate(run.time)]
    assert max(off) < math.radians(0.05)
