"""The papers' figures and tables: all of them draw, say what they show in which unit, and hold the right numbers."""

from __future__ import annotations

import csv
import re
from functools import cache
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import assets
from app.figures import FIGURES, betsch, draw, gustafsson
from app.figures import line_labels as named
from app.plots.print_style import style, write
from app.plots.result_figures import order_figure, write_order
from physics.analysis.convergence import measured, selection, study
from physics.core.rotation import angle_between
from physics.scenario.scenario_file import load_scenario
from physics.schemes import SCHEMES, serving
from physics.systems.scheme_overview import short_names
from tests.app.commanding import complaint, cuboid_file, polhode

CHOSEN = ["implicit", "exact", "quat-vi"]  # for the figures that let one choose


@cache
def made(name):
    """Figure or table, drawn once; what it computes is kept by the functions that compute it."""
    schemes = CHOSEN if FIGURES[name].chosen else None
    with style():
        return draw(name, None, schemes, 4 if FIGURES[name].rocks else None)


# ---- all of them --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_draws(name, tmp_path, caplog):
    drawn = made(name)
    with style(), mpl.rc_context({"savefig.dpi": 50}):
        write(drawn, tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [tmp_path / "x.png"]
    assert not caplog.records  # a font without a glyph or a weight is told there, and not as a warning
    assert FIGURES[name].shows.endswith(".")


@pytest.mark.parametrize("name", [name for name in FIGURES if "table" not in name])
def test_axes_say_what_they_show_and_in_which_unit(name):
    figure = made(name)
    assert isinstance(figure, Figure)
    legends = [*figure.legends]
    shared = {id(other) for axes in figure.axes for other in axes.get_shared_x_axes().get_siblings(axes)}
    for axes in figure.axes:
        labels = [axes.get_ylabel(), *([axes.get_zlabel()] if hasattr(axes, "get_zlabel") else [])]
        if axes.get_xlabel() or id(axes) not in shared:  # of panels above each other, the lowest one says it for all
            labels.append(axes.get_xlabel())
        for label in labels:
            assert re.search(r"\w.* \[.+\]$", label), label
        legends += [axes.get_legend()] if axes.get_legend() else []
        for line in axes.lines:
            assert np.isfinite(line.get_xydata()).all()
            assert len(line.get_xydata()) > 3
    assert any(axes.get_title(loc) for axes in figure.axes for loc in ("left", "center"))
    told = {text.get_text().strip(" =") for axes in figure.axes for text in axes.texts}  # names at the lines
    lines = [line for axes in figure.axes for line in axes.lines]
    named = [line for line in lines if line.get_label() in told]
    assert legends or named == lines or all(hasattr(axes, "get_zlabel") for axes in figure.axes)


@pytest.mark.parametrize("ending", ["svg", "pdf"])
@pytest.mark.parametrize("name", ["betsch-fig-3", "gustafsson-fig-3", "gustafsson-fig-4", "gustafsson-table-2"])
def test_the_same_figure_gives_the_same_bytes(name, ending, tmp_path):
    one, other = tmp_path / f"one.{ending}", tmp_path / f"other.{ending}"
    for path in (one, other):
        assert polhode("figure", name, "-o", path).status == 0
    assert one.read_bytes() == other.read_bytes()


# ---- Leine et al. -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "quantity", "limit", "ends"),
    [
        ("leine-fig-2", "angular velocity", 20.0, ([-16.1245, 0.0, 0.0], [0.0, 0.0, 10.0])),
        ("leine-fig-3", "difference of the axis", 2.0, ([-1.0, 0.0, -1.0], [0.0, 0.0, 0.0])),
    ],
)
def test_figures_2_and_3_show_one_quantity_under_both_schemes(name, quantity, limit, ends):
    """The paper's axes; the explicit scheme ends about -sqrt(C/A) Ω e_x, the implicit one stays about Ω e_z."""
    panels = made(name).axes
    for axes, scheme, end in zip(panels, ("explicit", "implicit"), ends, strict=True):
        assert axes.get_title("left").startswith(f"{scheme}: {quantity}")
        assert axes.get_ylim() == (-limit, limit)
        np.testing.assert_allclose([line.get_ydata()[-1] for line in axes.lines], end, rtol=1e-4, atol=0.02)


# ---- Betsch & Siebert ---------------------------------------------------------------------------------


def at(count, found):
    """The values of a scheme at 1/count s: ``found`` is steps and one or more arrays."""
    steps, *values = found
    (i,) = np.flatnonzero(np.isclose(steps, 1 / count))
    return [array[i] for array in values]


def test_the_analytical_solution_is_that_of_the_steady_top():
    time = np.array([0.0, 0.3, 1.0])
    np.testing.assert_allclose(betsch.steady_centre(time)[0], [0, -0.075 * np.sqrt(0.75), 0.0375], atol=1e-17)
    fine = betsch.top("quat-em", 1e-4)
    assert np.linalg.norm(fine.position[3000] - betsch.steady_centre(time)[1]) < 1e-5
    assert angle_between(fine.orientation[-1], betsch.steady_attitude(1.0)) < 1e-3
    reference = [-0.74129324557326048, 0.49974636690044288, 0.015923842809068262, -0.44775475884401469]  # 20 digits
    assert angle_between(betsch.steady_attitude(1.0), reference) < 1e-13


def test_what_quat_em_keeps_and_how_far_the_centre_goes():
    for axes in (made("betsch-fig-1").axes[0], made("betsch-fig-3").axes[0]):
        assert "10$^{-15}$" in axes.get_ylabel()
        assert all(np.abs(line.get_ydata()).max() < 5 for line in axes.lines)
    heights = {
        line.get_label(): line.get_ydata() for n in (4, 5) for line in made(f"betsch-fig-{n}").axes[1].lines
    }  # z in mm
    assert heights["quat-em"].min() == pytest.approx(13.42, abs=0.02)
    assert heights["dir-em"].min() == pytest.approx(34.54, abs=0.02)
    assert heights["quat-vi"].max() == pytest.approx(54.6, abs=0.3)
    assert heights["algo-c1"].min() == pytest.approx(20.7, abs=0.3)
    np.testing.assert_allclose(heights["analytical"], 37.5)


# ---- Gustafsson ---------------------------------------------------------------------------------------


def test_figure_2_rounding_is_as_the_thesis_says_of_its_own_factorization():
    """The claim of figure 2: at the smallest steps orders 4, 6 and 8 err alike, and Magnus less than factorization."""
    last = {
        family: [gustafsson.average_errors(f"{family}-{order}")[1][-1] for order in (4, 6, 8)]
        for family in gustafsson.FAMILIES
    }
    for errors in last.values():
        assert max(errors) < 1.1 * min(errors)
    assert min(last["factorization-e3"]) > 1.5 * max(last["magnus"]) > 1.5 * max(last["factorization"])


def test_figure_2_shows_the_printed_digits():
    axes = made("gustafsson-fig-2").axes[0]
    printed = np.concatenate([points.get_offsets()[:, 1] for points in axes.collections])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["thesis, table 2"]
    np.testing.assert_allclose(sorted(printed)[:3], [5.87069055e-15, 7.11045663e-13 / 2, 7.33070308e-13])
    assert {text.get_text() for text in axes.texts} == {
        f"{family}-{order}" for family in gustafsson.FAMILIES for order in gustafsson.ORDERS
    }


def test_figure_4_says_where_the_damped_vessel_rests():
    assert gustafsson.resting_yaw() == pytest.approx(16.1352, abs=5e-4)
    assert any("16.135°" in axes.get_title("left") for axes in made("gustafsson-fig-4").axes)
    end = gustafsson.vessel("verlet-magnus-8", "damped").orientation[-1]
    np.testing.assert_allclose(end, [-0.99200561, -0.03267696, 0.10165724, 0.06725248], atol=1e-5)
    free = gustafsson.vessel("verlet-magnus-8", "free").orientation[-1]
    reference = [-0.11421541558599284, 0.25265080764728124, 0.43993434952092763, -0.85415465598967314]
    assert angle_between(free, reference) < 1e-9


def rows(name, tmp_path):
    """The rows of a table as its .csv file has them, each a dictionary."""
    path = tmp_path / f"{name}.csv"
    assert polhode("figure", name, "-o", path) == (0, "", "")
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_table_1_adds_up(tmp_path):
    found = rows("gustafsson-table-1", tmp_path)
    for method, totals in (("Magnus", [47, 77, 140, 323]), ("factorization", [146, 171, 195, 219])):
        own = [row for row in found if row["method"] == method]
        printed = {row["part"]: [int(row[f"order {order}"]) for order in (2, 4, 6, 8)] for row in own}
        assert printed["all"] == totals
        ours = {"whole step": method.lower()} | (
            {"whole step about e3": "factorization-e3"} if method[0] == "f" else {}
        )
        for part, family in ours.items():
            assert printed.pop(part) == [round(SCHEMES[f"{family}-{order}"].cost) for order in (2, 4, 6, 8)]
        assert [row["unit"] for row in own] == ["operations"] * (len(own) - len(ours)) + ["ns"] * len(ours)


def test_table_2_agrees_with_the_thesis_within_the_spread_of_the_starts(tmp_path):
    found = rows("gustafsson-table-2", tmp_path)
    values = {}
    for n, row in enumerate(found):  # a row of ours is followed by its standard errors
        numbers = np.array([float(value) for key, value in row.items() if key.startswith("h =")])
        form = f"{found[n - 1]['form']} ±" if row["form"] == "standard error" else row["form"]
        values[form] = numbers
    for form, printed in gustafsson.PRINTED_2.items():
        np.testing.assert_allclose(values[form[1]], printed, rtol=1e-8)
    for form in (gustafsson.HALF, gustafsson.ROOT):
        own = f"factorization-e3-8, {form}"
        assert (np.abs(values[own] - values[form]) < 3 * values[f"{own} ±"])[1:].all()
        assert values[own][0] < values[form][0]  # rounding, and the reference of the thesis
        assert (values["factorization-8"] < values[form]).all()
    for own, form in (("magnus-8", "quaternions"), ("magnus-8-matrix", "matrices")):
        assert (np.abs(values[own] - values[form]) < 3 * values[f"{own} ±"]).all()
    np.testing.assert_allclose(values["magnus-8"], values["magnus-8-matrix"], rtol=0.02)


def test_table_3_to_all_printed_digits(tmp_path):
    found = rows("gustafsson-table-3", tmp_path)
    assert [row["h [s]"] for row in found] == ["0.1", "0.1", "0.05", "0.05", "0.025", "0.025", "0.0125", "0.0125"]
    for row in found:
        for order in (2, 8):
            for what in ("error", "ratio"):
                ours, thesis = (row[f"order {order} {what} {who}"] for who in ("Polhode", "thesis"))
                assert bool(ours) == bool(thesis)
                if thesis:
                    digits, power = thesis.partition("e")[::2]
                    assert ours.partition("e")[2] == power
                    assert abs(float(ours.partition("e")[0]) - float(digits)) < 1.1e-3  # one in the last digit
    assert found[0]["order 8 error Polhode"] == "1.283e-02"


def test_orders_4_and_6_of_the_vessel_equal_order_8_to_three_digits():
    for order in (4, 6):
        np.testing.assert_allclose(gustafsson.vessel_errors(order)[1:], gustafsson.vessel_errors(8)[1:], rtol=1e-3)


# ---- order and work-precision -------------------------------------------------------------------------


def test_steps_divide_the_duration_and_those_without_solution_are_left_out(tmp_path):
    scenario = load_scenario(cuboid_file(tmp_path)).changed(step=0.3)
    explicit, variational = measured(scenario, ["explicit", "quat-vi"])
    np.testing.assert_allclose(explicit.steps, 0.5 / (8 * 2.0 ** np.arange(10)))
    assert len(variational.steps) == 10
    fast = scenario.changed(initial={"angular_velocity": [0, 0, 100]})
    assert measured(fast, ["quat-vi"])[0].steps.max() < 0.01


@pytest.mark.parametrize("name", ["order", "work-precision"])
@pytest.mark.parametrize("kind", ["free", "vessel"])
def test_every_line_has_its_name_beside_it_and_none_is_hidden_without_a_word(name, kind, tmp_path):
    file = None
    if kind == "vessel":
        file = tmp_path / "ship.toml"
        file.write_text(
            (assets.SCENARIOS / "vessel-restoring.toml").read_text().replace("duration", "duration = 1.0 #")
        )
    with style():
        figure = draw(name, file, ["all"] if name == "order" else None)
        FigureCanvasAgg(figure).draw()
    axes, *over_torques = figure.axes
    assert bool(over_torques) == (name != "order" and kind == "vessel")
    assert bool(figure.get_supxlabel()) == (name != "order")
    able = [scheme for scheme in serving(kind) if SCHEMES[scheme].order is not None]
    schemes = able if name == "order" else selection(kind)
    for below in over_torques:
        assert below.get_xlabel() == "number of torques"
        assert below.get_title("left").startswith(
            "No curve over torques: quat-em, lie-newmark (evaluated in iterations"
        )
        check_names(below, [name for name in schemes if SCHEMES[name].torques], figure)
    check_names(axes, schemes, figure)
    equal = {text.get_text() for text in axes.texts if "=" in text.get_text()}
    if name == "order" and kind == "free":
        assert {"= quat-vi", "= magnus-2", "= magnus-4", "= magnus-6", "= magnus-8"} <= equal
        assert "=: on the line of the name above" in axes.get_title("left")
    if name == "order" and kind == "vessel":
        assert len(equal) >= 5


def check_names(axes, schemes, figure):
    assert [line.get_label() for line in axes.lines] == schemes
    places = sorted((Text.get_window_extent(text) for text in axes.texts), key=lambda box: box.y0)
    assert all(one.y0 + 0.75 * one.height < other.y0 for one, other in pairwise(places))  # none on another one
    assert all(box.x1 <= figure.bbox.x1 for box in places)
    assert sorted(text.get_text().strip(" =") for text in axes.texts) == sorted(schemes)
    for group in named.coinciding(axes.lines):
        assert (len(group) > 1) == (group[0].get_linewidth() > 3)
    marks = {
        SCHEMES[line.get_label()].page: (line.get_marker(), line.get_markerfacecolor() == "white")
        for line in axes.lines
        if not line.get_label().endswith("-matrix")
    }
    assert len(set(marks.values())) == len(marks)


def test_the_order_plot_of_a_top_has_a_third_diagram_and_a_column_of_torques(tmp_path):
    top = load_scenario(assets.SCENARIOS / "top-steady.toml").changed(schemes=["quat-em", "rk4"])
    points = list(study(top))
    with style():
        figure = order_figure(points, top)
    assert [axes.get_xlabel() for axes in figure.axes] == ["step [s]", "computing time [s]", "number of torques"]
    assert [len(axes.lines) for axes in figure.axes] == [2, 2, 1]
    assert figure.legends[0].get_title().get_text().startswith("No curve over torques: quat-em")
    write_order(points, top, tmp_path / "a.csv")
    header, *rows = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert header == "scheme,step [s],attitude error [deg],computing time [s],number of torques"
    assert [row.rpartition(",")[2] for row in rows] == [str(point.torques) for point in points]


def test_the_caption_tells_which_schemes_are_hidden_and_how_to_show_them():
    with style():
        figure = draw("order")
        FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines] == selection("free")
    told = figure.get_supxlabel()
    able = [name for name in serving("free") if SCHEMES[name].order is not None]
    hidden = [name for name in able if name not in selection("free")]
    assert " ".join(told.split()) == (
        f"{len(axes.lines)} of {len(able)} schemes. Not shown: {short_names(hidden)}. "
        "They are drawn with --scheme NAME, again for each, or with --scheme all."
    )
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == len(axes.lines)


def test_a_scheme_without_a_solution_of_any_step_is_told(tmp_path):
    file = tmp_path / "e3.toml"
    file.write_text(
        cuboid_file(tmp_path).read_text().partition("[initial]")[0] + "[initial]\nangular_velocity = [0, 0, -2]\n"
    )
    with style():
        figure = draw("order", file, ["factorization-e3-8", "factorization-8", "implicit"])
    assert "factorization-e3-8: no solution of any of these steps" in figure.axes[0].get_title("left")
    assert [text.get_text() for text in figure.axes[0].texts] == ["factorization-8", "implicit"]
    said = complaint("figure", "order", "-o", tmp_path / "x.png", "--scenario", file, "--scheme", "factorization-e3-2")
    assert "factorization-e3-2: no solution of any step" in said


def test_torque_is_compared_with_an_extrapolated_truth():
    top = betsch.top_scenario("quat-em", 0.005)
    (points,) = measured(top, ["verlet-exact"])
    assert points.errors[3] / points.errors[4] == pytest.approx(4, rel=0.02)
    assert points.errors[-2] / points.errors[-1] == pytest.approx(4, rel=0.02)


# ---- the command --------------------------------------------------------------------------------------


def test_the_list_names_every_figure():
    outcome = polhode("figure", "--list")
    assert outcome.status == 0
    assert [line.split()[0] for line in outcome.out.splitlines()] == list(FIGURES)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["gustafsson-fig-9", "-o", "x.png"], "'gustafsson-fig-9' is not a figure"),
        (["betsch-fig-1"], "expected NAME and -o OUT"),
        (["order", "-o", "x.png", "--list"], "expected NAME and -o OUT"),
        (["leine-fig-2", "-o", "x.png", "--rocks", "5"], "leine-fig-5"),
        (["-o", "x.png"], "expected NAME and -o OUT"),
        (["betsch-fig-1", "-o", "x.jpg"], ".png or .svg or .pdf or .csv"),
        (["betsch-fig-1", "-o", "x"], "got none"),
        (["betsch-fig-1", "-o", "x.csv"], "a figure has no table"),
        (["betsch-fig-1", "-o", "there/is/none/x.png"], "there is no folder"),
        (["betsch-fig-1", "-o", "x.png", "--scheme", "implicit"], "the paper's own"),
        (["order", "-o", "x.png", "--scheme", "euler"], "'euler' is not a scheme"),
        (["order", "-o", "x.png", "--scenario", "none.toml"], "none.toml"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told in complaint("figure", *words)
    assert list(tmp_path.iterdir()) == []
