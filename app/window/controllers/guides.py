"""Guides: help, keys, palette and gallery, each opened from the table of actions."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.document.help_pages import INDEX, contents
from app.kinds import kind_of
from app.system.errors import noted
from app.system.language import tr
from app.system.own_words import note_of, source_of, title_of
from app.theme import Theme
from app.window.actions import ACTIONS
from app.window.controllers.appearance import language_entries
from app.window.controllers.cameras import Cameras
from app.window.controllers.session_files import SessionFiles
from app.window.ensembles import Ensembles
from app.window.guides.about import About
from app.window.guides.command_palette import CommandPalette, Entry
from app.window.guides.gallery import Gallery
from app.window.guides.help_sections import HelpSection, all_sections
from app.window.guides.help_window import HelpWindow
from app.window.guides.key_sheet import KeySheet
from app.window.guides.problem_report import ProblemReport
from app.window.guides.synonyms import COMMANDS, EXAMPLES, FIELDS, REMOVE, REMOVING
from app.window.panel.scheme_list import scheme_entry
from app.window.rooms import distributions
from app.window.transport import Transport
from app.window.workspace import Workspace
from physics import SCHEMES, Scenario
from physics.schemes import paper_of, papers_in, serving
from physics.schemes.lane import NamedLane, in_words, lane_of, named
from physics.systems import system_of

if TYPE_CHECKING:
    from app.window.charts.measurement import Measurement

LONG = 40  # characters of a note that is too long for a name


class Guides(QObject):
    """Explanations of the window, and search in it."""

    chosen = Signal(object)  # Scenario or SavedSession, to be opened

    def __init__(
        self,
        workspace: Workspace,
        cameras: Cameras,
        ensembles: Ensembles,
        files: SessionFiles,
        transport: Transport,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.workspace, self._window = workspace, parent
        self._cameras, self._ensembles, self._files, self._transport = cameras, ensembles, files, transport
        self._help: HelpWindow | None = None
        self._ending: list[threading.Thread] = []  # of dialogs, some closed, that may still be working

    def set_theme(self, theme: Theme) -> None:
        """Recolour."""
        if self._help is not None:
            self._help.set_theme(theme)

    def show_help(self, page: str = INDEX) -> None:
        """Show a page of the help, in one window."""
        if self._help is None:
            self._help = HelpWindow(self.workspace.theme, self._window)
        self._help.show_page(page)
        self._help.show()
        self._help.raise_()

    def show_keys(self) -> None:
        """Show the sheet of keys."""
        _show(KeySheet(self.workspace.theme, self._window))

    def show_about(self) -> None:
        """Show version, licence, papers and citation."""
        about = About(self.workspace.theme, self._window)
        about.explained.connect(self.show_help)
        _show(about)

    def report_problem(self) -> None:
        """Show a problem report, to be saved."""
        from app.document.problem_report import report  # here: rarely used

        workspace = self.workspace
        screens = [f"{_size(screen.size())} x {screen.devicePixelRatio():g}" for screen in QApplication.screens()]
        drawing = [
            f"window {_size(self._window.size())} on {QApplication.platformName()}, screens {', '.join(screens)}"
        ]
        viewport = workspace.view.viewport
        if viewport is not None and workspace.view.run is not None:
            from app.stage.plotter import opengl_facts

            drawing += [f"view: {viewport.kind}", *opengl_facts(viewport.render_window)]
        text = report(self._files.saved(), workspace.settings, drawing, noted())
        _show(ProblemReport(text, self._window))

    def show_gallery(self) -> None:
        """Show the examples."""
        choice = self.workspace.panel.choice
        choice.load_all()
        gallery = Gallery(tuple(choice.bundled.items()), self.workspace.theme, self._window)
        gallery.opened.connect(self.chosen)
        gallery.copied.connect(lambda text: QApplication.clipboard().setText(text))
        _show(gallery)

    def show_order(self) -> None:
        """Show the fall of the errors as the step is halved."""
        if (scenario := self._smooth(tr("no order can be seen"))) is not None:
            from app.window.charts.order_panel import OrderPanel

            self._open(OrderPanel(scenario, self.workspace.theme, self._window))

    def show_comparison(self) -> None:
        """Compare the lanes that are shown with the true motion, in a table."""
        run = self.workspace.session.run
        if run is None or not all(lane.truth is not None for lane in run.lanes):
            self.workspace.tell(tr("The true motion to compare with is not known yet"))
            return
        from app.window.charts.comparison_panel import ComparisonPanel

        self._open(ComparisonPanel(run, self.workspace.theme, self._window))

    def show_hydrostatics(self) -> None:
        """Show the hydrostatics of the ship, which follow its edits."""
        from app.window.charts.hydrostatics_panel import HydrostaticsPanel

        self._open(HydrostaticsPanel(self.workspace.session, self.workspace.theme, self._window))

    def show_report_card(self) -> None:
        """Show the report card of a scheme, at first that of the first lane."""
        from app.window.charts.report_card_panel import ReportCardPanel

        run = self.workspace.session.run
        scheme = next(iter(SCHEMES)) if run is None else run.scenario.lanes[0].scheme.name
        self._open(ReportCardPanel(scheme, self.workspace.theme, self._window))

    def show_ranking(self) -> None:
        """Rank schemes for the motion that is shown by cost at a given accuracy."""
        if (scenario := self._smooth(tr("there is no ranking"))) is not None:
            from app.window.charts.ranking_panel import RankingPanel

            self._open(RankingPanel(scenario, self.workspace.theme, self._window))

    def show_starts(self) -> None:
        """Run the scenario that is shown from many starts."""
        if (run := self.workspace.session.run) is not None:
            from app.window.charts.starts_panel import StartsPanel

            self._open(StartsPanel(run.schedule.whole, self.workspace.theme, self._window))

    def show_distributions(self) -> None:
        """Let many rocks fall with each lane of the slope that is shown, and compare where they stop."""
        if (run := self.workspace.session.run) is not None:
            self._open(distributions()(run.schedule.whole, self.workspace.theme, self._window))

    def _smooth(self, otherwise: str) -> Scenario | None:
        """The scenario that is shown, with its edits, if its motion is smooth; else a message says that it is not."""
        run = self.workspace.session.run
        if run is None:
            return None
        if not system_of(run.scenario).smooth:
            self.workspace.message.say(
                tr("impacts make motions of kind '{kind}' chaotic: {otherwise}").format(
                    kind=run.scenario.kind, otherwise=otherwise
                )
            )
            return None
        self.workspace.message.hide()  # a message about another motion
        return run.schedule.whole

    def _open(self, panel: Measurement) -> None:
        """Show a dialog that measures, and keep its thread."""
        panel.explained.connect(self.show_help)
        _show(panel)
        self._ending = [*(thread for thread in self._ending if thread.is_alive()), panel.worker]

    def close(self) -> None:
        """Wait for all threads; the dialogs are closed already."""
        for thread in self._ending:
            thread.join()

    def copy_citation(self) -> None:
        """Copy the BibTeX entries of the schemes and of the example."""
        run = self.workspace.session.run
        if run is not None:
            from app.stage.text.caption_text import source  # here: PyVista takes a second to load

            found = [paper for lane in run.scenario.lanes for paper in papers_in(source(lane.scheme))]
            example = paper_of(run.scenario.source)
            papers = dict.fromkeys([*found, *([example] if example is not None else [])])
            QApplication.clipboard().setText("\n".join(paper.bibtex for paper in papers))
            self.workspace.tell(
                tr("Copied as BibTeX: {papers}").format(papers=", ".join(paper.short for paper in papers))
            )

    # ---- palette ---------------------------------------------------------------------------------------

    def show_palette(self, kind: str = "") -> None:
        """Search commands, files and help by a few letters; kind: of entries to begin with."""
        self._leave_palettes()
        if self.workspace.panel.choice.bundled:  # at least the first one is loaded
            self.workspace.panel.choice.load_all()
        query = f"{tr(kind).lower()} " if kind else ""
        CommandPalette(self.entries(), self.workspace.theme, self._window, self.workspace.panel.schemes, query)

    def _leave_palettes(self) -> None:
        for palette in self._window.findChildren(CommandPalette):
            palette.leave()

    def show_unfinished(self) -> None:
        """List ensembles that are incomplete or not saved, to continue or discard them."""
        self._leave_palettes()
        if entries := self._ensembles.left(self.chosen.emit):
            name, prompt = tr("Unfinished ensembles"), tr("Continue an ensemble, or discard it")
            CommandPalette(entries, self.workspace.theme, self._window, None, "", name, prompt)
        else:
            self.workspace.tell(tr("No other ensemble is unfinished"))

    def entries(self) -> list[Entry]:
        """All entries of the palette."""
        workspace = self.workspace
        found = []
        for row in ACTIONS:
            action = workspace.actions[row.id]
            if action.isEnabled():
                state = "" if row.on is None else f" ({tr('on') if action.isChecked() else tr('off')})"
                key = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
                also, removes = f"{row.text} {COMMANDS.get(row.id, '')}", REMOVING.get(row.id, "")
                text = tr(row.text) + state
                found.append(Entry("", text, tr(row.tip), key, action.trigger, also, removes=removes, state=state))
        stems = {id(scenario): stem for stem, scenario in workspace.panel.choice.bundled.items()}
        for scenario in workspace.panel.choice.scenarios:
            about = note_of(scenario)
            name = about.split(":")[0]
            hint = name if len(name) < LONG else ""
            title, note = title_of(scenario) or tr("Untitled"), f"{about} {source_of(scenario)}"
            stem = stems.get(id(scenario), "")
            also = " ".join([scenario.title, *(words for known, words in EXAMPLES.items() if stem.startswith(known))])
            found.append(Entry("Open", title, hint, "", partial(self.chosen.emit, scenario), also, note=note))
        for name in workspace.settings.recent:
            hint = str(Path(name).parent)
            found.append(Entry("Recent", Path(name).name, hint, "", partial(self._files.open, name)))
        found += [*self._cameras.entries(), *self._ensembles.left(self.chosen.emit), *language_entries(workspace)]
        if workspace.panel.schemes is not None and workspace.session.run is not None:
            chosen = workspace.panel.schemes.chosen()
            for name in serving(workspace.session.run.scenario.served):
                kind, removes = ("Remove scheme", REMOVE) if name in chosen else ("Add scheme", "")
                found.append(scheme_entry(SCHEMES[name], kind, partial(self._toggle, name), removes))
            found += [self._own_step(lane_of(name)) for name in chosen if lane_of(name).listed]
            found += [self._half_step(name, workspace.session.run.scenario.step_of(name)) for name in chosen]
        if (run := workspace.session.run) is not None and run.world is not None:
            for chart in kind_of(run.scenario).choices_in(run.world):
                see = partial(self._bring_chart, chart.title)
                found.append(Entry("Chart", tr(chart.title), tr(chart.unit), "", see, chart.title))
        for key, entry in workspace.panel.entries.items():
            if not entry.isHidden():
                go, also = partial(workspace.panel.go_to, key), FIELDS.get(key, "")
                found.append(Entry("Go to", entry.label, entry.toolTip(), "", go, also))
        found += self._ensembles.fields()
        for _, pages in contents():
            found += [Entry("Help", title, "", "", partial(self.show_help, stem)) for stem, title in pages]
        for section in all_sections():
            text = f"{section.page}: {section.heading}" if section.heading else section.page
            found.append(Entry("Help", text, "", "", partial(self._show_section, section), body=section))
        return found

    def _bring_chart(self, title: str) -> None:
        """Show the chart of a title, and the charts where they are hidden."""
        if not (plots := self.workspace.actions["plots"]).isChecked():
            plots.trigger()
        self.workspace.plots.bring(title)

    def _show_section(self, section: HelpSection, query: str) -> None:
        """Show a passage of the help, and mark the query in it."""
        self.show_help(section.stem)
        found = section.place(query)
        assert self._help is not None
        self._help.mark(section.heading, "" if found is None else found[0])

    def _own_step(self, lane: NamedLane) -> Entry:
        """Entry to remove a lane with its own step, or of a variant."""
        call = partial(self._toggle, lane.name)
        return Entry("Remove scheme", lane.row.title, lane.name, lane.scheme.letter, call, removes=REMOVE)

    def _half_step(self, name: str, step: float) -> Entry:
        """Entry to add a lane with half the step [s] of another."""
        lane = lane_of(name)
        half = lane_of(named(lane.scheme.name, lane.variant, f"{step / 2:.12g}"))
        assert self.workspace.panel.schemes is not None
        call = partial(self.workspace.panel.schemes.add_lane, half.name)
        hint = f"{half.scheme.title}, {in_words(step / 2)}"
        text = tr("Add a lane with half the step")
        return Entry("", text, hint, half.scheme.letter, call, "smaller time scheme beside")

    def _toggle(self, name: str) -> None:
        if self.workspace.panel.schemes is not None:
            self.workspace.panel.schemes.toggle(name)


def _show(dialog: QWidget) -> None:
    """Show a dialog, which is deleted when it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()


def _size(size: QSize) -> str:
    return f"{size.width()} x {size.height()}"
