"""The workspace: parts of the window that its controllers share, without the window itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtGui import QAction

from app.document.settings import Settings
from app.system.language import translated
from app.theme import Theme
from app.window.charts.chart_row import Plots
from app.window.labels import Plain
from app.window.message_bar import MessageBar
from app.window.panel.panel import Panel
from app.window.session import Session
from app.window.view.frame_timer import TaskQueue
from app.window.view.view import View
from physics import Scenario, ScenarioError


@dataclass
class Workspace:
    """Parts of the window for its controllers.

    Attributes
    ----------
    theme : of all that is shown
    message : bar for failures
    status : line for progress
    actions : by their ids in the table of actions
    letters : factor on the desktop's size of letters
    lasting : settings and session are written to disk
    tasks : work of milliseconds that may wait for some frames
    """

    settings: Settings
    theme: Theme
    session: Session
    panel: Panel
    view: View
    plots: Plots
    message: MessageBar
    status: Plain
    actions: dict[str, QAction]
    letters: float = 1.0
    lasting: bool = False
    tasks: TaskQueue = field(default_factory=TaskQueue)
    unfilled: Scenario | None = None  # opened, but not in the panel yet

    def fill_panel(self) -> None:
        """Show the values of the run in the panel, which takes 0.1 s: at the start after the first picture."""
        run = self.session.run
        assert run is not None
        assert run.world is not None
        if self.unfilled is not None:
            self.panel.show_values(self.unfilled, run.scenario)
            self.unfilled = None
        self.panel.show_world(run.world)

    def complain(self, error: Exception | str) -> None:
        """Show an error, or what it says in English, beside its field, or else in the message bar."""
        if not (isinstance(error, ScenarioError) and error.file is None and self.panel.explain(error)):
            self.message.say(error if isinstance(error, Exception) else translated(error))

    def tell(self, sentence: str) -> None:
        """Show a success in the status line, and hide the last message."""
        self.message.hide()
        self.status.setText(sentence)

    def edit(self, scenario: Scenario, whole: bool = False, afresh: bool = False) -> None:
        """Change values, see Session.edit; errors are shown."""
        try:
            self.session.edit(scenario, whole, afresh)
        except ScenarioError as error:
            self.complain(error)

    def take(self, scenario: Scenario, afresh: bool = False) -> None:
        """Apply an edit from outside the panel, from the start; afresh: also play from there."""
        shown = self.session.history.there(0)
        if shown is not None:
            self.panel.show_values(shown.opened, scenario)
            self.edit(scenario, whole=True, afresh=afresh)
