"""The dialog *Compare by distribution*: where many rocks stop with each scheme of a slope, and with a reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFormLayout, QScrollArea, QVBoxLayout, QWidget

from app.system.language import tr
from app.system.own_words import title_of
from app.theme import Theme
from app.window.charts.measurement import BAR, Measurement, Progress
from app.window.labels import Plain
from app.window.widgets import DecimalBox, filled, make, push
from physics import Scenario
from physics.core.processors import processors
from physics.hazard.lane_distributions import LEAST_ROCKS, LaneComparison, LaneEnsemble
from physics.systems.rockfall.scenario import RockfallScenario, of_rocks

ROCKS, MOST = 200, 100_000  # at first, and at most
LEAST_DOTS, MOST_DOTS = 60.0, 120.0  # an inch of the figure


class DistributionPanel(Measurement):
    """The same rocks under every lane and under the reference, for the number that is set."""

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Compare by distribution"), QSize(880, 620), theme, parent)
        self.scenario = scenario
        self.compared: LaneComparison | None = None
        self._falling: LaneEnsemble | None = None
        self.rocks = DecimalBox(accessibleName=tr("Rocks"), decimals=0, keyboardTracking=False)
        self.rocks.setRange(LEAST_ROCKS, MOST)
        self.rocks.setValue(ROCKS)
        self.picture, self.sentences = Plain(), Plain("", "value", wordWrap=True)
        shown = QWidget()
        filled(QVBoxLayout(shown), self.sentences, self.picture, 1, margins=(0, 0, 0, 0))
        self.area = make(QScrollArea, widgetResizable=True, accessibleName=tr("Compare by distribution"))
        self.area.setWidget(shown)
        self.run_button = push(tr("Let them fall"), self.fall, autoDefault=False)
        self.save_button = push(tr("Save…"), self.save, autoDefault=False, enabled=False)
        self.save_button.setToolTip(tr("The figure, or the table of all numbers"))
        head = QFormLayout()
        head.addRow(tr("Rocks of each scheme"), self.rocks)
        buttons = (self.help_for("ensembles"), self.save_button, self.run_button)
        self.arrange(head, self.area, self.note, tall=self.area, buttons=buttons)
        self.fall()

    def fall(self) -> None:
        """Let as many rocks fall as are set."""
        self.save_button.setEnabled(False)
        self.sentences.setText(tr("Computing…"))
        self.note.setText("")
        self.picture.clear()
        scenario = of_rocks(self.scenario.changed(**{"ensemble.rocks": int(self.rocks.value())}))
        self.measure(lambda progress: self._fallen(scenario, progress), self._draw)

    def save(self) -> None:
        """Ask for a file, and write there what the command writes."""
        if (compared := self.compared) is not None:
            kinds = "PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;CSV (*.csv)"
            title, write = tr("Save the comparison"), lambda path: self._write(path, compared)
            self.save_as(title, "distributions", kinds, write, self.scenario)

    def give_up(self) -> None:
        """End the fall too."""
        super().give_up()
        if self._falling is not None:
            self._falling.ensemble.pause()

    def fail(self, wrong: str) -> None:
        """Say it in place of sentences."""
        super().fail(wrong)
        self.sentences.setText("")

    def _write(self, path: Path, compared: LaneComparison) -> None:
        from app.hazard.figures.lane_distributions import write_comparison  # here: it loads what draws figures

        write_comparison(path, compared, self._title)

    @property
    def _title(self) -> str:
        return title_of(self.scenario) or tr("Rockfall")

    def _fallen(self, scenario: RockfallScenario, progress: Progress) -> Iterator[tuple[LaneComparison, list[str]]]:
        """The comparison, when all rocks have come down, and its sentences."""
        from app.hazard.figures.lane_distributions import sentences  # here: this and the ensemble load for seconds

        falling = self._falling = LaneEnsemble(scenario)
        progress(0.0)  # it ends here what is given up already
        with closing(falling.ensemble.march(processors())) as march:
            for done in march:
                progress(done / falling.ensemble.rocks)
        compared = falling.compared()
        yield compared, sentences(compared)

    def _draw(self, found: tuple[LaneComparison, list[str]]) -> None:
        """Show the sentences and the figure."""
        from app.hazard.figures.lane_distributions import figure, table
        from app.plots.print_style import style

        self.compared, lines = found
        with style():
            made = figure(self.compared, "", ())
            fits = (self.area.viewport().width() - BAR) / made.get_figwidth()
            self.picture.setPixmap(self.picture_of(made, min(max(fits, LEAST_DOTS), MOST_DOTS)))
        self.sentences.setText("\n".join(lines))
        self.note.setText(table(self.compared, self._title).note)
        self.save_button.setEnabled(True)
