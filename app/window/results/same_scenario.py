"""Whether results belong to the scenario that is shown."""

from __future__ import annotations

from physics import Scenario

COUNTS = {"rocks", "rock", "seed"}
# no matter for results
ASIDE = {"schemes", "scheme_files", "view", "export", "title", "note", "source", "record_every"}


def alike(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios give the same rocks."""
    a, b = one.to_plain(), other.to_plain()
    for plain in (a, b):  # how many fall, and which one alone, is no matter; the seed stands in the panel
        plain["ensemble"] = {key: drawn for key, drawn in plain.get("ensemble", {}).items() if key not in COUNTS}
    return all(a.get(key) == b.get(key) for key in (a.keys() | b.keys()) - ASIDE)
