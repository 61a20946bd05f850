"""The card of measured run-outs: hidden without them, a curve and a column for each, and why nothing is compared."""

import dataclasses
import json

import numpy as np
import pytest

from app.hazard.source import Summary
from app.hazard.window.tables import ValidationCard
from app.theme import DARK, LIGHT
from physics.hazard.validation import Measured, Validation, checked, compared, distribution, resampled

FIELD = np.linspace(60.0, 140.0, 17)


def summary(values) -> Summary:
    computed = compared(FIELD, values, zones=(0.25, 0.75))
    rule = compared(FIELD, FIELD - 20.0)
    measured = Measured(distribution(FIELD), FIELD, resampled(FIELD), rule, ("<toe>", "elsewhere"), (0.5, 0.5))
    found = Validation(measured, {"implicit": computed}, {}, {}, {}, {})
    told = measured.facts() | {"computed": found.facts_of("implicit")}
    return Summary(len(values), {}, {}, [], None, "", told)


@pytest.fixture
def card(qtbot):
    card = ValidationCard(DARK)
    qtbot.addWidget(card)
    return card


def test_nothing_is_shown_where_nothing_was_measured(card):
    card.show_summaries({"implicit": Summary(3, {}, {}, [])})
    assert card.isHidden()


def test_curves_and_columns_tell_both_distributions(card):
    card.show_summaries({"explicit": summary(FIELD + 7.0), "implicit": summary(FIELD + 30.0)})
    assert not card.isHidden()
    curves = card.plot.getPlotItem().listDataItems()
    ends = [float(curve.getData()[0][-1]) for curve in curves]
    assert ends == [147.0, 170.0, 140.0]  # explicit, implicit, measured
    text = card.table.text()
    for number in ("7.0", "30.0", "20.0", "50%", "25%", "in &lt;toe&gt;", "27.5°"):
        assert f">{number}<" in text, number
    assert "mean rank" in text
    before = text
    card.set_theme(LIGHT)
    assert card.table.text() != before


def test_the_error_of_the_model_has_rows_of_its_own(card):
    plain = summary(FIELD + 40.0)
    told = plain.validation | {
        "computed": plain.validation["computed"] | {"with_error": summary(FIELD).validation["computed"]}
    }
    card.show_summaries({"implicit": plain})
    assert "with the error of the model" not in card.table.text()
    card.show_summaries({"implicit": dataclasses.replace(plain, validation=checked(json.loads(json.dumps(told))))})
    before, after = card.table.text().split("with the error of the model")
    assert (before.count("mean rank"), after.count("mean rank")) == (1, 1)
    assert ">0.50<" in after
    assert ">0.50<" not in before.rpartition("mean rank")[2].partition("±")[2]


def test_what_is_fitted_and_why_nothing_is_compared_stands_in_its_place(card) -> None:
    card.show_summaries({"implicit": summary(FIELD)})
    assert card.fitted.isHidden()
    one = summary(FIELD)
    says = "Fitted on 9 of these 17 runs, not a prediction: soil.drag"
    card.show_summaries({"implicit": dataclasses.replace(one, validation=one.validation | {"fitted": says})})
    assert card.fitted.text() == says
    assert not card.fitted.isHidden()
    card.show_summaries(
        {"implicit": Summary(3, {}, {}, [], None, "", {"fault": "stops.csv: one stop; expected two or more"})}
    )
    assert card.fault.text() == "Stops.csv: one stop; expected two or more"
    assert card.table.isHidden()
    assert card.plot.isHidden()
