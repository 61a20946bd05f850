"""Threads that give way to the window's."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from app.system.processes import LOWER, give_way


def niceness() -> int:
    """Of the thread that asks."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_a_thread_gives_way_and_the_others_do_not() -> None:
    before, told = niceness(), []
    thread = threading.Thread(target=lambda: (give_way(), told.append(niceness()), give_way()))  # twice: 19 at most
    thread.start()
    thread.join()
    assert told == [min(before + LOWER, 19)]
    assert niceness() == before
