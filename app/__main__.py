"""The command line: ``polhode`` and ``python -m app``; settles exit status and errors for every command.

Nothing heavy is imported before the command is known: ``polhode --help`` needs neither numba nor VTK nor Qt.
"""

from __future__ import annotations

import logging
import os
import sys

from app import interrupt
from app.options import parse
from app.processes import ignore_settings_here
from app.room import shortage
from app.terminal import one_line

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 failed, 2 wrong input or command line, 130 interrupted.

    Without ``argv`` the process is ours: signals, niceness and the output's encoding are set.
    """
    own_process = argv is None
    arguments = parse(sys.argv[1:] if argv is None else argv)
    if own_process:
        _settle(background=arguments.background)
    if short := shortage():
        return _complain(short, FAILED)
    try:
        status = int(arguments.command(arguments))
        sys.stdout.flush()
    except BrokenPipeError:  # `polhode schemes | head`: the reader has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except MemoryError:
        return _complain(
            "not enough memory; expected fewer states (record_every), fewer workers or a smaller map",
            FAILED,
        )
    except Exception as error:  # one line for people; `python -X dev -m app` shows the rest
        if sys.flags.dev_mode:
            raise
        return _told(error)
    return status


def _told(error: Exception) -> int:
    """Say in one line what went wrong; physics' own errors are sentences already."""
    from physics import PhysicsError, ScenarioError

    if isinstance(error, ScenarioError):
        return _complain(str(error), WRONG)
    if isinstance(error, PhysicsError):
        return _complain(str(error), FAILED)
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return _complain(f"{name}{error.strerror or error}", FAILED)
    return _complain(f"the run failed: {type(error).__name__}: {error}", FAILED)


def _complain(text: str, status: int) -> int:
    print("polhode:", one_line(text), file=sys.stderr)
    return status


def _settle(background: bool) -> None:
    """Make the process a good neighbour; ``background`` work gives way to everything else."""
    interrupt.listen()
    ignore_settings_here()
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells each time that a home is full or read-only
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that knows no Greek gets a question mark, not an error
            stream.reconfigure(errors="replace")
    if background and hasattr(os, "nice"):
        os.nice(10)


if __name__ == "__main__":
    sys.exit(main())
