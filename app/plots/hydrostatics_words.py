"""Words of the hydrostatics sheet that its tables, figures, panel and command share."""

from __future__ import annotations

import math

from app.system.language import tr, translated
from physics.hydrostatics.righting_levers import Criterion
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


def four(value: float, digits: int = 4) -> str:
    """A number with so many significant digits; a dash for one that is never reached."""
    if math.isinf(value):
        return "–"
    text = f"{float(f'{value:.{digits}g}'):.{digits + 5}g}"
    return text.replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")


def judged_value(one: Criterion) -> str:
    """The value of a criterion, with more than four digits where they would put it on the other side of its limit."""
    digits = range(4, 17) if math.isfinite(one.value) else range(0)
    found = (four(one.value, n) for n in digits)
    return next((text for text in found if (float(text) >= one.limit) == one.passed), four(one.value))


def given_words(sheet: Sheet) -> list[str]:
    """Sentences on what is given beside the load: openings, tanks, the side in the wind."""
    given, windage = sheet.inputs, sheet.inputs.windage
    words = [
        tr("opening {number} at ({place}) m").format(number=number, place=_place(place))
        for number, place in enumerate(given.openings, 1)
    ]
    words += [
        tr("free surface of {length:g} x {breadth:g} m, liquid of {density:g} kg/m³").format(
            length=length, breadth=breadth, density=density
        )
        for length, breadth, density in given.tanks
    ]
    if windage is not None:
        text = tr("area in the wind {area:g} m², lever {lever:g} m; edge of the deck ({place}) m; {keels}")
        keels = tr("sharp bilges") if windage.sharp else tr("bilge keels {area:g} m²").format(area=windage.keels)
        place = _place(windage.deck_edge)
        words.append(text.format(area=windage.area, lever=windage.lever, place=place, keels=keels))
    return words


def _place(place: tuple[float, float, float]) -> str:
    return ", ".join(f"{one:g}" for one in place)
