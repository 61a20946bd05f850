"""The panel *Many starts*: a scenario from many starts, in what share each outcome happens, and the figures of that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.system.language import tr
from app.theme import Theme
from app.window.charts.measurement import Measurement, Progress
from app.window.labels import Plain
from app.window.widgets import filled, make, push
from physics import Scenario, ScenarioError
from physics.core.processors import processors
from physics.ensembles.start_ensemble import StartEnsemble
from physics.systems.joints.scenario import JointsScenario

LEAST, MOST = 70.0, 100.0  # dots an inch of a figure


class StartsPanel(Measurement):
    """The runs of all lanes and of the batch, made once; closing ends them within a block of states."""

    def __init__(self, scenario: Scenario, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Many starts"), QSize(780, 900), theme, parent)
        self.scenario = scenario
        self.ensemble: StartEnsemble | None = None
        self.shares = Plain(tr("Computing…"), wordWrap=True)
        shown = QWidget()
        self.column = filled(QVBoxLayout(shown), self.shares, 1, margins=(0, 0, 0, 0))
        self.area = make(QScrollArea, widgetResizable=True, accessibleName=tr("Many starts"))
        self.area.setWidget(shown)
        page = "joints-study" if isinstance(scenario, JointsScenario) else "start-ensembles"
        self.help_button = self.help_for(page)
        self.save_button = push(tr("Save…"), self.save, autoDefault=False, enabled=False)
        self.save_button.setToolTip(tr("Each run and the figures, in a new folder"))
        self.arrange(self.area, self.note, tall=self.area, buttons=(self.help_button, self.save_button))
        self.measure(self._runs, self._draw)
        self.close_button.setText(tr("Cancel"))

    def save(self) -> None:
        """Ask for a new folder, and write there what the command writes."""
        from app.plots.result_figures import write_starts  # here: it loads what draws figures

        if (ensemble := self.ensemble) is not None:
            kinds, title = "Folders (*)", tr("Save the results in a new folder")
            self.save_as(title, "starts", kinds, lambda path: write_starts(path, ensemble))

    def give_up(self) -> None:
        """End the runs too."""
        super().give_up()
        self.close_button.setText(tr("Close"))
        if self.ensemble is not None:
            self.ensemble.stop()

    def fail(self, wrong: str) -> None:
        """Say it in place of shares."""
        super().fail(wrong)
        self.shares.setText("")

    def _runs(self, progress: Progress) -> Iterator[tuple[StartEnsemble, list[str]]]:
        """The ensemble, when all its runs are made, with a line for each of its shares."""
        from app.plots.result_figures import share_lines  # here: this and the first share load for seconds

        ensemble = self.ensemble = StartEnsemble(self.scenario)
        if ensemble.runs == len(ensemble.series):
            size = self.scenario.ensemble_size
            raise ScenarioError(size, tr("expected more than 1 in the file, and a spread of the starts, got 1"))
        ensemble.prepare()
        progress(0.0)  # it ends here what is given up already
        with closing(ensemble.march(processors())) as march:
            for done in march:
                progress(done / ensemble.runs)
        yield ensemble, share_lines(ensemble)

    def _draw(self, found: tuple[StartEnsemble, list[str]]) -> None:
        """Show figures, and the shares below them."""
        from app.plots.print_style import style
        from app.plots.result_figures import start_figures

        ensemble, lines = found
        with style():
            for place, figure in enumerate(start_figures(ensemble).values()):
                label, fits = Plain(), self.area.viewport().height() / figure.get_figheight()
                label.setPixmap(self.picture_of(figure, min(max(fits, LEAST), MOST)))
                self.column.insertWidget(place, label)
        self.shares.setText("\n".join(lines))
        self.save_button.setEnabled(True)
