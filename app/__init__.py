"""The program. In a notebook ``app.show(run)`` shows what ``physics.simulate`` or ``physics.integrate`` returned."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.export.notebook_view import NotebookView
    from physics import Motion, Runs, Scenario


def show(run: Runs | Motion | Scenario, *, height: int = 480) -> NotebookView:
    """The run as a page that plays and can be turned, for a notebook: the cell ends with it.

    run : what ``physics.simulate`` or ``physics.integrate`` returns, or a scenario, which is computed first
    height : [pixels]
    Raises ScenarioError where it cannot be shown. Where a notebook shows no pages, it shows a picture.
    """
    from app.export.notebook_view import view_of

    return view_of(run, height)
