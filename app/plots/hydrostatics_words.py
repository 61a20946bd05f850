"""Words of the hydrostatics sheet that its tables, figures, panel and command share."""

from __future__ import annotations

from app.system.language import tr, translated
from physics.hydrostatics.stability_sheet import Sheet


def heel_words(sheet: Sheet) -> str:
    """The name of the heels of the righting levers."""
    return tr("heel to starboard [°]") if sheet.levers.side > 0 else tr("heel to port [°]")


def code_words(sheet: Sheet) -> str:
    """Heading of the criteria: by which rules, and what that is worth."""
    if sheet.weather is not None:
        return tr("Criteria of the 2008 IS Code, part A, 2.2 and 2.3: a demonstration, not an approval.")
    return tr("General criteria of the 2008 IS Code, part A, 2.2: a demonstration, not an approval.")


def outside(sheet: Sheet) -> list[str]:
    """Sentences on what of the ship lies outside the range of the weather criterion."""
    told = () if sheet.weather is None else sheet.weather.outside
    return [tr("outside its range: {what}").format(what=translated(one)) for one in told]


def outside_words(sheet: Sheet) -> list[str]:
    """Sentences on what of the ship lies outside the range of the weather criterion, which they name."""
    return [f"{tr('weather criterion')}: {words}" for words in outside(sheet)]
