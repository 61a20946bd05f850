"""The program. In a notebook ``app.show(run)`` shows a result of ``physics.simulate`` or ``physics.integrate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.export.notebook_view import NotebookView
    from physics import Motion, Runs, Scenario


def show(run: Runs | Motion | Scenario, *, height: int = 480) -> NotebookView:
    """A run as an animated 3D page, to end the cell of a notebook with.

    run : result of ``physics.simulate`` or ``physics.integrate``, or a scenario, which is computed first
    height : [pixels]
    Raises ScenarioError if it cannot be shown. A notebook that shows no pages gets a picture.
    """
    from app.export.notebook_view import view_of

    return view_of(run, height)
