"""Clicking: a random user does what one can do with mouse and keyboard; nothing of it may hurt the window.

Each deed is made of events as Qt gets them from a display; between two deeds the window lives, and is looked at.
"""

from __future__ import annotations

import faulthandler
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QPushButton

from app.document.session import SavedSession, from_toml, to_toml
from app.document.settings import load_settings
from app.system.language import tr
from app.window.main import StartupWindow, begin, settle
from app.window.main_window import MainWindow
from app.window.style import application_icon
from app.window.widgets import Question
from physics import load_scenario
from physics.simulation.schedule import Schedule
from tests.soak.bait import Bait
from tests.soak.hand import Hand
from tests.soak.watch import Watch
from tests.soak.windows import SCENES

AUDIT = 120  # deeds, about, between two audits
PATIENCE = 600.0  # [s] for a run that is to be shown: its kernels may have to be compiled, on a busy machine
MOST_STEPS = 12  # that an audit undoes one by one; before, it goes back by as many as there are
SCHEMES = ("http", "https", "mailto", "file")


class Clicking(QObject):
    """A random user of a window that is opened again whenever it was closed.

    A timer brings each deed, so that dialogs, which wait in loops of their own, are answered by the same hand. Where it
    has a process of its own (and the watch a log), garbage is collected as in the program.
    """

    def __init__(self, folder: Path, seed: int, deeds: int, watch: Watch) -> None:
        super().__init__()
        self.rng, self.watch = random.Random(seed), watch
        self.bait = Bait(folder / "bait", self.rng)
        self.hand = Hand(self.rng, self.bait, watch)
        self.done, self.audits, self.addresses = 0, 0, 0
        self._deeds, self._loop, self._acting = deeds, QEventLoop(), False
        self._alone = watch.log is not None
        self._front: StartupWindow | None = None
        self._collector: QTimer | None = None
        self._plan = self._life()
        self._heart = QTimer(self, interval=100)
        self._heart.timeout.connect(self._beat)

    def run(self) -> None:
        """Until all is done, or there is a fault."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        quits = app.quitOnLastWindowClosed()
        app.setQuitOnLastWindowClosed(False)
        for scheme in SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "address")
        self._heart.start()
        self._later()
        self._loop.exec()
        self._heart.stop()
        for scheme in SCHEMES:
            QDesktopServices.unsetUrlHandler(scheme)
        app.setQuitOnLastWindowClosed(quits)

    @Slot(QUrl)
    def address(self, _: QUrl) -> None:
        """What would open a browser."""
        self.addresses += 1

    def _beat(self) -> None:
        """The event loop turns; who has closed a window does not see how long its threads take to end."""
        if self._front is not None and self._front.isVisible():
            self.watch.beat()
        else:
            self.watch.rest()

    # ---- one deed after another --------------------------------------------------------------------------

    def _later(self) -> None:
        QTimer.singleShot(self.rng.choice((0, 0, 5, 20, 60)), self._next)

    def _next(self) -> None:
        """The next deed; where one before waits for a dialog or for a menu of a button, that is answered."""
        waits = self._acting and bool(QApplication.activeModalWidget() or QApplication.activePopupWidget())
        if self._acting and not waits:  # Qt looks at events amid a deed
            QTimer.singleShot(5, self._next)
            return
        self.watch.look()
        if waits:
            self._later()
            self.hand.deed()
            return
        self._acting = True
        try:
            self._later()
            next(self._plan)
        except StopIteration:
            self._deeds = -1
        finally:
            self._acting = False
        if self._deeds < 0:
            self._loop.quit()

    def _life(self) -> Iterator[None]:
        """The plan: deeds, and audits now and then; a window that was closed is opened again."""
        yield from self._open(SavedSession(Schedule.of(load_scenario(self.rng.choice(SCENES)))))
        due = self.rng.randint(AUDIT // 2, AUDIT)
        while self.done < self._deeds and not self.watch.faults:
            if self._front is None or not self._front.isVisible():
                yield from self._open(None if self.rng.random() < 0.3 else self._any())
            self.done += 1
            self.watch.note(f"{self.done}")
            self.hand.deed()
            yield
            self._check()
            due -= 1
            if due == 0:
                due = self.rng.randint(AUDIT // 2, 3 * AUDIT // 2)
                yield from self._audit()
        if self._front is not None and not self.watch.faults:
            yield from self._audit()
        if self._front is not None:
            self._front.close()
            while asked := [one for one in self.window.findChildren(Question) if one.isVisible()]:
                buttons = {button.text(): button for button in asked[0].findChildren(QPushButton)}
                buttons[tr("Don't save") if tr("Don't save") in buttons else tr("Close")].click()
            yield
            self._forget()

    def _any(self) -> SavedSession:
        return SavedSession(Schedule.of(load_scenario(self.rng.choice(SCENES))))

    # ---- the window ------------------------------------------------------------------------------------

    @property
    def window(self) -> MainWindow:
        """The one that is open."""
        assert self._front is not None
        assert self._front.desk is not None
        return self._front.desk

    def _open(self, saved: SavedSession | None) -> Iterator[None]:
        """A window, as the program opens it, with a session or with what was left."""
        self._forget()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setWindowIcon(application_icon())
        self.watch.note(f"opens a window with {saved.schedule.scenario.title if saved else 'nothing'}")
        self._front = StartupWindow(app, load_settings())
        self._front.appear()
        window = self._front.furnish()
        self._collector = settle(window) if self._alone else None
        yield  # the parts get their places
        begin(window, saved, None)
        self._front.activateWindow()
        self.watch.rest()
        yield

    def _forget(self) -> None:
        """What is left of a window that was closed; nobody saw how long its threads took to end."""
        self.watch.rest()
        if self._front is not None:
            if self._collector is not None:
                self._collector.stop()
            self._front.deleteLater()
            self._front = None

    # ---- checks ----------------------------------------------------------------------------------------

    def _check(self) -> None:
        """What holds at any moment."""
        if self._front is None or not self._front.isVisible():
            return
        clock = self.window.session.clock
        if not (math.isfinite(clock.time) and 0.0 <= clock.time <= max(clock.end, clock.total)):
            self.watch.blame(f"the playhead is at {clock.time}, of {clock.end} s")
        if self.done % 50 == 0:
            self.watch.weigh()

    def _audit(self) -> Iterator[None]:
        """Can one get out of everything; is what is stored what is read; do undo and redo lead there and back?"""
        self.watch.note("audit")
        yield from self._get_out()
        if self._front is None or not self._front.isVisible():
            return
        yield from self._settled()
        if not self._good:
            return
        session = self.window.session
        self.audits += 1
        self._stored()
        steps, at = list(session.history.steps), session.history.at
        yield from self._go(-min(at, MOST_STEPS))
        yield from self._go(len(steps) - 1 - session.history.at)
        self._stored()

    def _go(self, by: int) -> Iterator[None]:
        """Undo or redo so many steps, by the keys of the action or its button."""
        session, name = self.window.session, "undo" if by < 0 else "redo"
        action = self.window.actions_by_id[name]
        for _ in range(abs(by)):
            at = session.history.at
            to = session.history.there(-1 if by < 0 else 1)
            if not action.isEnabled():
                self.watch.blame(f"cannot {name} at step {at} of {len(session.history.steps)}")
                return
            action.trigger()
            yield from self._until(lambda: session.pending is None, f"{name} is never shown")
            if self.watch.faults:
                return
            if session.history.at != at + (-1 if by < 0 else 1):
                self.watch.blame(f"{name} did not leave step {at}: {self.window.message.text.text()!r}")
                return
            assert session.run is not None
            assert to is not None
            if session.run.schedule != to.schedule:
                self.watch.blame(f"{name} shows another run than was there")
            self._panel()

    def _panel(self) -> None:
        """Does the panel show what is computed?"""
        panel, run = self.window.panel, self.window.session.run
        assert run is not None
        wrong = [
            f"{key} is {entry.value()!r}, not {entry.field.shown(run.scenario)!r}"
            for key, entry in panel.entries.items()
            if not entry.isHidden() and entry.value() != entry.field.shown(run.scenario)
        ]
        if wrong:
            self.watch.blame(f"the panel shows other values than are computed: {'; '.join(wrong)}")
        elif panel.base is not None and panel.scenario() != run.scenario:  # it is filled after the first picture
            self.watch.blame(f"the panel tells another scenario: {panel.scenario()}, not {run.scenario}")

    def _stored(self) -> None:
        """Is the session that is stored the one that is read?"""
        saved = self.window.shown_session.saved()
        if saved is not None:
            text = to_toml(saved)
            if (again := to_toml(from_toml(text))) != text:
                self.watch.blame(f"what is read is not what was stored:\n{text}\n---\n{again}")

    def _get_out(self) -> Iterator[None]:
        """Get out as a person does: Esc, the buttons of questions, the frames of dialogs."""
        for _ in range(40):
            popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
            dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]
            chosen = popup or modal or next(iter(dialogs), None)
            if chosen is None:
                break
            if isinstance(chosen, QMessageBox):
                QTest.keyClick(chosen, Qt.Key.Key_Return)
            else:
                QTest.keyClick(chosen, Qt.Key.Key_Escape)
            yield
            if chosen in dialogs and chosen in QApplication.topLevelWidgets() and chosen.isVisible():
                chosen.close()
                yield
        else:
            self.watch.blame("there is no way out of the dialogs")
        if self._front is not None and self._front.isVisible():
            self._front.activateWindow()
            for _ in range(2):  # palette, drawing on the terrain
                QTest.keyClick(self._front.focusWidget() or self._front, Qt.Key.Key_Escape)
                yield

    @property
    def _good(self) -> bool:
        """Whether a run is shown, and nothing has gone wrong."""
        seen = self._front is not None and self._front.isVisible() and not self.watch.faults
        return seen and self.window.session.run is not None

    def _settled(self) -> Iterator[None]:
        """Until what was typed is computed and shown."""

        def still() -> bool:
            return self.window.session.pending is None and not self.window.panel._pause.isActive()

        yield from self._until(still, "a run is never shown")

    def _until(self, condition: Callable[[], bool], otherwise: str) -> Iterator[None]:
        """Let the window live until a condition holds."""
        since = time.monotonic()
        while not condition():
            if self._front is None or not self._front.isVisible():
                return
            if time.monotonic() - since > PATIENCE:
                self.watch.blame(otherwise)
                return
            yield


def clicked(folder: Path, seed: int, deeds: int, log: IO[str] | None = None) -> Clicking:
    """So many deeds of a random user in this process, or fewer where there is a fault; see its ``watch``."""
    with Watch(log) as watch:
        clicking = Clicking(folder, seed, deeds, watch)
        clicking.run()
    return clicking


def _alone(seed: int, deeds: int) -> bool:
    """Click in a process of its own, which writes a log; True if nothing was wrong."""
    app = QApplication(["polhode"])
    with Path("log").open("a") as log:
        faulthandler.enable(log)
        clicking = clicked(Path.cwd(), seed, deeds, log)
        app.processEvents()
        watch = clicking.watch
        for text in sorted(watch.said):
            print(f"SAID {text}", file=log)
        told = f"{clicking.done} deeds, {clicking.audits} audits, {clicking.addresses} addresses"
        print(f"{told}, at most {watch.longest:.1f} s between two", file=log)
    return not watch.faults


if __name__ == "__main__":
    sys.exit(not _alone(int(sys.argv[1]), int(sys.argv[2])))
