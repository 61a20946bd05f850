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
