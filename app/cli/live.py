"""Command ``live``: tosses of a sensor that is read while it measures, printed as they land."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from app.document.live import ENDED, Status, Toss, TossWatch
from app.kinds.measured_body import air_words, ratio_words
from app.system import signals
from app.system.language import tr, translated
from app.system.terminal import one_line

LOOK = 0.2  # [s] between two looks for what has come
SOON = 0.5  # [s] in which it lets the sensor go


def live(arguments: Namespace) -> int:
    """``polhode live``: print each toss of a sensor as it lands, until Ctrl+C or after a number of tosses."""
    with ExitStack() as stack:
        folder = arguments.output or stack.enter_context(
            TemporaryDirectory(prefix="polhode-live-", ignore_cleanup_errors=True)  # a thread may still write there
        )
        watch = TossWatch(arguments.address, Path(folder))
        stack.callback(watch.end, SOON)
        watch.start()
        count = 0
        try:
            while arguments.tosses is None or count < arguments.tosses:
                event = watch.next(LOOK)
                signals.check()
                if isinstance(event, Toss):
                    count += 1
                    _print(event, arguments.output is not None, arguments.json)
                elif event is not None:
                    _note(event)
        except KeyboardInterrupt:
            if not signals.at_terminal():
                raise
    return 0


def _note(status: Status) -> None:
    if status.state == ENDED and status.error is not None:
        raise status.error
    print("polhode:", one_line(translated(status.text)), file=sys.stderr, flush=True)


def _print(toss: Toss, kept: bool, as_json: bool) -> None:
    found = toss.found
    if as_json:
        facts: dict[str, object] = {"toss": toss.number, "file": str(toss.file) if kept else None}
        facts["sentence"] = toss.sentence
        print(json.dumps(facts | (found.facts() if found is not None else {"fitted": False})), flush=True)
        return
    lines = [toss.words]
    if found is not None and found.fitted:
        lines.append(f"  {tr('moments over the largest')}  {ratio_words(found)}")
        lines += [f"  {translated(air)}"] if (air := air_words(found)) else []
        left = tr("flight from {begin:.2f} to {end:.2f} s of the sensor's time, {residual:.3g} {unit} are left")
        span = {"begin": found.begin, "end": found.end}
        lines.append(f"  {left.format(**span, residual=found.residual, unit=found.unit)}")
    lines += [f"  {tr('saved: {path}').format(path=toss.file)}"] if kept else []
    print("\n".join(" " * (len(line) - len(line.lstrip())) + one_line(line) for line in lines), flush=True)
