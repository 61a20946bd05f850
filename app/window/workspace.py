"""The workspace: the parts of the window that its controllers share. It does not know the window itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtGui import QAction

from app.document.settings import Settings
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
    """What a controller gets.

    Attributes
    ----------
    theme : the look of everything that is shown
    message : the bar that says what failed
    status : the line that says what goes on
    actions : by the id of their row in the table of actions
    lasting : whether settings and session are written to disk
    tasks : what takes milliseconds and need not be in the next frame
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
    lasting: bool = False
    tasks: TaskQueue = field(default_factory=TaskQueue)
    unfilled: Scenario | None = None  # what was opened, while the panel does not show it yet

    def fill_panel(self) -> None:
        """Show the values of the run that is shown. It takes 0.1 s: those of the first one once there is a picture."""
        run = self.session.run
        assert run is not None
        assert run.world is not None
        if self.unfilled is not None:
            self.panel.show_values(self.unfilled, run.scenario)
            self.unfilled = None
        self.panel.show_world(run.world)

    def complain(self, error: ScenarioError | str) -> None:
        """Explain an error beside its field, or else in the message bar."""
        if not (isinstance(error, ScenarioError) and error.file is None and self.panel.explain(error)):
            self.message.say(str(error))

    def tell(self, sentence: str) -> None:
        """Say in the status line what went well; what failed before is over."""
        self.message.hide()
        self.status.setText(sentence)

    def edit(self, scenario: Scenario, whole: bool = False, afresh: bool = False) -> None:
        """Go on with other values, see Session.edit; a contradiction is explained."""
        try:
            self.session.edit(scenario, whole, afresh)
        except ScenarioError as error:
            self.complain(error)

    def take(self, scenario: Scenario, afresh: bool = False) -> None:
        """Edit the scenario elsewhere than in the panel: it counts from the start; afresh: and plays from there."""
        shown = self.session.history.there(0)
        if shown is not None:
            self.panel.show_values(shown.opened, scenario)
            self.edit(scenario, whole=True, afresh=afresh)
