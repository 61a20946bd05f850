"""The card of barriers: it says whether the one that is shown stops rocks, and rounds no share to none."""

import numpy as np
import pytest
from PySide6.QtCore import QObject

from app.hazard.source import Summary
from app.hazard.window.tables import BarrierCard
from app.theme import DARK
from physics.hazard.barriers import WIDTH, BarrierSegments, BarrierStatistics


@pytest.mark.parametrize(("held", "said"), [(np.nan, "It measures and does not stop"), (9e5, "It stops lower rocks")])
def test_a_barrier_that_stops_rocks_is_not_said_to_measure_alone(qtbot, held, said):
    lines = BarrierSegments(("net",), np.array([2.0]), np.array([10.0]), np.zeros((0, 6)), np.array([held]), 1)
    found = BarrierStatistics(lines)
    found.add(np.ones((1, WIDTH)) * (np.arange(WIDTH) > 0))  # a crossing of the first barrier
    for _ in range(999):
        found.add(np.zeros((0, WIDTH)))
    card = BarrierCard(DARK, QObject())
    qtbot.addWidget(card)
    card.show_summaries({"implicit": Summary(1000, {}, {}, found.summary())})
    assert card.note.text().startswith(said)
    assert "0.10%" in card.table.text()
    assert "0.0025% - 0.56%" in card.table.text()  # at 0.0025 % one or more of 1000 come in 2.5 % of the cases
