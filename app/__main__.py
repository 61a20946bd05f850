"""The command line, ``polhode`` and ``python -m app``: exit status and errors of every command.

Nothing heavy is imported before the command is known: ``polhode --help`` needs neither numba nor VTK nor Qt.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock

from app.cli.parser import parse
from app.system import signals
from app.system.language import language_in, tr, translated, use
from app.system.processes import ignore_settings_here, keep_caches_together, shortage
from app.system.terminal import one_line

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
_interrupted = Lock()  # taken by the thread that reports it


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 failed, 2 wrong input or command line, 130 interrupted.

    Without ``argv`` the whole process is set up: signals, niceness and the encoding of its output.
    """
    if argv is None:
        _open_streams()
        atexit.register(gc.freeze)  # collecting garbage at exit takes 0.4 s of the 2 s of a short run
    with suppress(RuntimeError):  # of a command before in the same process
        _interrupted.release()
    try:
        status = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:  # `polhode schemes | head` closes the pipe early
        _close_output()
        return DONE
    except KeyboardInterrupt as error:
        return _interrupt(translated(str(error)) if str(error) else tr("interrupted"))
    except MemoryError:
        return _complain(
            tr("not enough memory; expected fewer states (record_every), fewer workers or a smaller map"),
            FAILED,
        )
    except Exception as error:  # one line for people; `python -X dev -m app` shows a traceback
        if isinstance(error, SystemError) and signals.requested():  # Ctrl+C while a kernel returned
            return _interrupt(tr("interrupted"))
        if sys.flags.dev_mode:
            raise
        status = report(error)
        with suppress(OSError):
            sys.stdout.flush()
            return status
        _close_output()  # a full device: output fails as well
    return status


def _run(argv: list[str] | None) -> int:
    """The exit status of a command, or of printed help."""
    words = sys.argv[1:] if argv is None else argv
    if language := language_in(words):
        use(language)
    try:
        arguments = parse(words)
    except SystemExit as end:  # argparse has printed why
        return int(end.code or DONE)
    if argv is None:
        _settle(background=arguments.background)
    if short := shortage():
        return _complain(short, FAILED)
    return int(arguments.command(arguments))


def _open_streams() -> None:
    """Open closed standard streams to the null device: else the next opened file would become one of them."""
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open until the end


def _close_output() -> None:
    """Send remaining output to the null device: Python would try to print it at exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report(error: Exception) -> int:
    """Print an error on one line; the status. Errors of physics are sentences already."""
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return _complain(f"{name}{error.strerror or error}", FAILED)
    from physics import PhysicsError, ScenarioError

    if isinstance(error, ScenarioError):
        return _complain(translated(error), WRONG)
    if isinstance(error, PhysicsError):
        return _complain(translated(error), FAILED)
    return _complain(tr("the run failed: {name}: {error}").format(name=type(error).__name__, error=error), FAILED)


def _complain(text: str, status: int) -> int:
    with suppress(OSError):  # standard error may be closed
        print("polhode:", one_line(text), file=sys.stderr, flush=True)
    return status


def _interrupt(text: str) -> int:
    """Print once that the process was interrupted, whichever thread ends it."""
    return _complain(text, INTERRUPTED) if _interrupted.acquire(blocking=False) else INTERRUPTED


def _end() -> None:
    """End the process at once, with no temporary file and no child process left behind."""
    if (begun := sys.modules.get("physics.core.cancellation")) is not None:  # importing could block
        begun.undo_all()
    _interrupt(tr("interrupted"))
    os._exit(INTERRUPTED)


def _settle(background: bool) -> None:
    """Set up signals, caches, output and, for ``background`` work, a low priority."""
    signals.listen(_end)
    keep_caches_together()
    ignore_settings_here()
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns on every start if the home is read-only
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # question marks where a terminal has no Greek
            stream.reconfigure(errors="replace")
    if background and hasattr(os, "nice"):
        os.nice(10)


if __name__ == "__main__":
    sys.exit(main())
