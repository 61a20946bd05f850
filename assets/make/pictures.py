"""Pictures of README and gallery, taken from the program: ``python -m assets.make.pictures [gallery [NAME…]]``.

``contrasts`` in place of ``gallery`` measures how marks stand out from what is behind them.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assets import SCENARIOS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyvista as pv

    from app.stage.text.cards import FlatPicture
    from physics import Scenario

HERE = Path(__file__).parents[1] / "readme"
GALLERY = Path(__file__).parents[1] / "gallery"


def window(path: Path, at: float = 7.3, size: tuple[int, int] = (1600, 1000)) -> None:
    """A screenshot of the main window on its first scenario at a time [s]."""
    from PySide6.QtWidgets import QApplication

    from app.window.main_window import MainWindow

    app = QApplication.instance() or QApplication(sys.argv[:1])
    shown = MainWindow()
    shown.resize(*size)
    shown.show()
    shown.begin()
    _wait(app, lambda: shown.session.clock.complete and shown.view.stage is not None, 300)
    shown.session.clock.playing = False
    shown.session.seek(at)
    _wait(app, lambda: False, 20)  # until charts and the comparison with the true motion are drawn
    picture = shown.grab()
    shown.close()
    picture.save(str(path))


def _wait(app: object, ready: object, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not ready():
        app.processEvents()
        time.sleep(0.01)


# when the examples of the papers look as in their notes [s]
MOMENTS = {
    "body-boom": 6800.0,
    "body-coarse": 1.0,
    "body-dual-spin": 30.0,
    "body-explorer": 40.0,
    "body-magnus": 395.0,
    "cuboid-intermediate": 7.1,
    "cuboid-major": 14.0,
    "cuboid-minor": 8.0,
    "envisat": 400.0,
    "joints-bricard": 1.2,
    "joints-cat": 1.7,
    "joints-chain": 0.95,
    "joints-explorer": 60.0,
    "joints-four-bar": 9.0,
    "joints-gimbals": 0.4,
    "joints-governor": 5.48,
    "joints-gyrostat": 30.0,
    "joints-hooke": 1.5,
    "joints-pendulum": 2.85,
    "joints-slider-crank": 2.0,
    "joints-wheels": 7.5,
    "measured-toss": 0.9,
    "poinsot": 3.0,
    "rock-alpine": 28.0,
    "rock-chant-sura-like": 12.0,
    "rock-equant": 9.0,
    "rock-quarry": 6.0,
    "rock-ramp": 14.0,
    "rock-tschamut": 8.0,
    "ship-barge": 2.4,
    "ship-beam-sea": 160.0,
    "ship-capsize": 4.6,
    "ship-fins": 2.4,
    "ship-log": 8.0,
    "ship-parametric-roll": 160.0,
    "ship-tanker": 5.5,
    "t-handle": 2.7,
    "table-coin": 1.7,
    "table-disk": 4.0,
    "table-egg": 0.45,
    "table-euler-disk": 9.6,
    "table-hoop": 4.6,
    "table-rattleback": 2.1,
    "table-tippe-top": 1.0,
    "top-steady": 1.3,
    "top-unsolved": 0.8,
    "vessel-damped": 3.0,
    "vessel-free": 3.1,
    "vessel-restoring": 6.2,
}


def gallery(size: tuple[int, int] = (480, 300), names: Sequence[str] = ()) -> None:
    """A picture of every scenario that comes with the program, or of those that are named, without captions."""
    from PIL import Image

    GALLERY.mkdir(exist_ok=True)
    for file in sorted(SCENARIOS.glob("*.toml")):
        if names and file.stem not in names:
            continue
        scenario = shown(file).changed(**{"export.size": (2 * size[0], 2 * size[1])})
        picture = Image.fromarray(_drawn(scenario, MOMENTS[file.stem])).resize(size, Image.Resampling.LANCZOS)
        picture.save(GALLERY / f"{file.stem}.png", optimize=True)


def shown(file: Path) -> Scenario:
    """A scenario with the lanes and overlays of its picture in the gallery."""
    from physics import load_scenario

    scenario = load_scenario(file)
    overlays = scenario.view.overlays or ("vectors", "trails", "ghosts", "grid", "observed", "truth")
    beside = len(scenario.shown) - len(scenario.schemes)  # lanes that are no scheme's
    looks = {"view.overlays": tuple(sorted({*overlays} - {"labels"}))}
    return scenario.changed(**looks, schemes=scenario.schemes[: max(1, 2 - beside)])


BEHIND = ("Ground", "TerrainTiles", "Sea", "Foam", "Tabletop", "Mirrored", "SoftShadow", "Floor", "Equator", "Ghosts")
FEWEST = 40  # pixels of a mark that is measured


def contrasts(names: Sequence[str] = (), size: tuple[int, int] = (960, 600)) -> None:
    """Print the contrast of each mark of the gallery with what is behind it, in the dark and in the light theme.

    A mark is hidden, and the pixels that change are compared by the ratio of WCAG 2.2; the tenth of them that stands
    out most counts, as edges are mixed with what is behind, and curves fade with age.
    """
    from app.bench.frames import computed, staged
    from app.stage.bodies.body_mesh import BodyActor
    from app.theme import DARK, LIGHT

    for file in sorted(SCENARIOS.glob("*.toml")):
        if names and file.stem not in names:
            continue
        with staged(*computed(shown(file)), size, samples=8) as (stage, plotter):
            for theme in (DARK, LIGHT):
                stage.set_theme(theme)
                stage.wait()
                stage.show(MOMENTS[file.stem])
                whole = _luminance(plotter)
                for view, part in stage.describe().parts:
                    kind = type(part).__name__
                    if isinstance(part, BodyActor) or kind in BEHIND or not part.on:
                        continue
                    seen = [prop for prop in part.props if prop.GetVisibility()]
                    for prop in seen:
                        prop.SetVisibility(False)
                    low, high = np.sort([whole, _luminance(plotter)], axis=0)
                    for prop in seen:
                        prop.SetVisibility(True)
                    ratios = ((high + 0.05) / (low + 0.05))[high - low > 1e-3]
                    if len(ratios) > FEWEST:
                        print(f"{np.percentile(ratios, 90):6.2f} {theme.name:6}{file.stem:22}{kind} in view {view}")
                for view, sheets in enumerate(stage.describe().captions.sheets):
                    for name, sheet in zip(("heading", "caption"), sheets, strict=True):
                        if sheet.box is not None:
                            least = _legible(plotter, view, sheet)
                            print(f"{least:6.2f} {theme.name:6}{file.stem:22}{name} in view {view}")


def _legible(plotter: pv.Plotter, view: int, sheet: FlatPicture) -> float:
    """The least contrast of a word of a card with its panel, where what shines through is brightest or darkest."""
    from app.theme import contrast, mixed

    assert sheet.card is not None  # it is laid
    sheet.actor.SetVisibility(False)
    plotter.render_window.Render()
    picture = plotter.screenshot(return_img=True)[::-1]
    sheet.actor.SetVisibility(True)
    card, (x, y) = sheet.card, plotter.renderers[view].GetOrigin()
    seen = picture[y + sheet.bottom : y + sheet.top, x + 1 : x + sheet.right, :3].reshape(-1, 3)
    ends = seen[np.argsort(seen.mean(axis=1))[[len(seen) // 50, -1 - len(seen) // 50]]]
    panels = [mixed(card.panel, "#" + bytes(end.tolist()).hex(), 1.0 - card.opacity) for end in ends]
    words = [run for line in card.lines for run in line if run.text.strip()]
    return min(contrast(run.colour, panel) for run in words for panel in ([run.behind] if run.behind else panels))


def _luminance(plotter: pv.Plotter) -> np.ndarray:
    """Relative luminance (height, width) of the picture of a plotter, by WCAG 2.2."""
    plotter.render_window.Render()
    shares = np.asarray(plotter.screenshot(return_img=True), float)[..., :3] / 255.0
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ (0.2126, 0.7152, 0.0722))


def poinsot(path: Path, at: float = 3.0) -> None:
    """Poinsot's construction under the two schemes at a time [s]."""
    _example(path, "poinsot", at, export={"size": (1600, 800)})


def _example(path: Path, name: str, at: float, **changes: object) -> None:
    """A picture of a scenario that comes with the program, with changes, at a time [s]."""
    from PIL import Image

    from physics import load_scenario

    scenario = load_scenario(SCENARIOS / f"{name}.toml").changed(**changes)
    Image.fromarray(_drawn(scenario, at)).save(path, optimize=True)


def _drawn(scenario: Scenario, at: float) -> np.ndarray:
    """A picture of a scenario at a time [s], without a window."""
    from app.bench.frames import computed
    from app.export.offscreen_stage import studio

    with studio(*computed(scenario)) as take:
        return take(at)


def main() -> None:
    """Take all of them, or those of the gallery, or some of these."""
    if sys.argv[1:2] == ["contrasts"]:
        contrasts(sys.argv[2:])
        return
    gallery(names=sys.argv[2:])
    if sys.argv[1:2] == ["gallery"]:
        return
    HERE.mkdir(exist_ok=True)
    window(HERE / "window.png")
    poinsot(HERE / "poinsot.png")


if __name__ == "__main__":
    main()
