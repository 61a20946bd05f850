"""``polhode report``: a problem report as a text to mail."""

from __future__ import annotations

from argparse import Namespace

from physics import PhysicsError
from physics.io.trajectory_writers import check_output, replacing


def report(arguments: Namespace) -> int:
    """``polhode report``: write version, platform, packages, OpenGL and a scenario; return the exit status."""
    from app.document.open import saved_for
    from app.document.problem_report import report as text_of

    output = check_output(arguments.output, (".txt", ".md"))
    saved = saved_for(arguments.scenario) if arguments.scenario else None
    with replacing(output) as part:
        part.write_text(text_of(saved, None, _drawing(), ()), encoding="utf-8")
    return 0


def _drawing() -> list[str]:
    """The facts of OpenGL, or why nothing can be drawn."""
    from app.stage.plotter import offscreen, opengl_facts

    try:
        plotter = offscreen((16, 16), samples=0)
    except PhysicsError as error:
        return [str(error)]
    try:
        return opengl_facts(plotter.render_window)
    finally:
        plotter.close()
