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
    from collections.abc import Callable, Sequence

    from vtkmodules.vtkRenderingCore import vtkProp

    from app.playback.run import Lane
    from physics import Scenario, World

HERE = Path(__file__).parents[1] / "readme"
GALLERY = Path(__file__).parents[1] / "gallery"
QUALITY = 88  # of WebP, of 100: no difference to be seen


def window(path: Path, at: float = 7.3, size: tuple[int, int] = (1600, 1000)) -> None:
    """A screenshot of the main window on its first scenario at a time [s]."""
    from PySide6.QtWidgets import QApplication

    from app.window.main_window import MainWindow

    app = QApplication.instance() or QApplication(sys.argv[:1])
    shown = MainWindow()
    shown.resize(*size)
    shown.show()
    shown.begin()
    shown.window_layout.open_panel(False)  # as the program opens
    _wait(app, lambda: shown.session.clock.complete and shown.view.stage is not None, 300)
    shown.session.clock.playing = False
    shown.session.seek(at)
    _wait(app, lambda: False, 20)  # until charts and the comparison with the true motion are drawn
    picture = shown.grab()
    shown.close()
    picture.save(str(path), quality=QUALITY)


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
    "joints-first-over": 2.0,
    "joints-four-bar": 9.0,
    "joints-gimbals": 0.4,
    "joints-governor": 5.48,
    "joints-gyrostat": 30.0,
    "joints-hooke": 1.5,
    "joints-pendulum": 2.85,
    "joints-pipe": 49.0,
    "joints-slider-crank": 2.0,
    "joints-wheels": 7.5,
    "measured-toss": 0.9,
    "poinsot": 3.0,
    "rock-alpine": 28.0,
    "rock-chant-sura-like": 12.0,
    "rock-equant": 9.0,
    "rock-quarry": 6.0,
    "rock-ramp": 14.0,
    "rock-tschamut": 18.3,
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
    "top-goryachev-chaplygin": 6.0,
    "top-kovalevskaya": 6.0,
    "top-steady": 1.3,
    "top-unsolved": 0.8,
    "vessel-damped": 3.0,
    "vessel-free": 3.1,
    "vessel-gimbal-lock": 1.5,
    "vessel-restoring": 6.2,
    "vessel-steered": 15.0,
}


def gallery(size: tuple[int, int] = (640, 400), names: Sequence[str] = ()) -> None:
    """A picture of every scenario that comes with the program, or of those that are named, without captions."""
    from PIL import Image

    GALLERY.mkdir(exist_ok=True)
    for file in sorted(SCENARIOS.glob("*.toml")):
        if names and file.stem not in names:
            continue
        scenario = shown(file).changed(**{"export.size": (2 * size[0], 2 * size[1])})
        picture = Image.fromarray(_drawn(scenario, MOMENTS[file.stem])).resize(size, Image.Resampling.LANCZOS)
        picture.save(GALLERY / f"{file.stem}.webp", quality=QUALITY, method=6)


def shown(file: Path) -> Scenario:
    """A scenario with the lanes and overlays of its picture in the gallery."""
    from physics import load_scenario

    scenario = load_scenario(file)
    overlays = scenario.view.overlays or ("vectors", "trails", "ghosts", "grid", "observed", "truth")
    beside = len(scenario.shown) - len(scenario.schemes)  # lanes that are no scheme's
    looks = {"view.overlays": tuple(sorted({*overlays} - {"labels"}))}
    return scenario.changed(**looks, schemes=scenario.schemes[: max(1, 2 - beside)])


# bodies, and what marks lie upon or before; and guides that are faint on purpose
BEHIND = {"ActorGroup", "Ground", "Sea", "Water", "Foam", "Tabletop", "Mirrored", "SoftShadow", "CastShadows", "Mounts"}
BEHIND |= {"Floor"}
FAINT = {"Equator", "Ghosts"}
FEWEST = 40  # pixels of a mark that is measured
FAINTEST = 5  # change of a colour, of 255, that belongs to a mark
ACROSS = 5  # pixels across the edge of a mark and as much of the mark as one sees with it


def contrasts(names: Sequence[str] = (), size: tuple[int, int] = (960, 600)) -> None:
    """Print the contrast of each mark of the gallery and of its name, in the dark and in the light theme.

    Contrasts are ratios of WCAG 2.2: of marks see ``standing_out``; of names between the brightest and the darkest
    twentieth of their pixels.
    """
    from vtkmodules.vtkRenderingCore import vtkTextActor

    from app.export.offscreen_stage import staged
    from app.stage.bodies.body_mesh import BodyActor
    from app.theme import DARK, LIGHT

    for file in sorted(SCENARIOS.glob("*.toml")):
        if names and file.stem not in names:
            continue
        with staged(*computed(shown(file)), size) as (stage, shoot):
            for theme in (DARK, LIGHT):
                stage.set_theme(theme)
                stage.wait()
                stage.show(MOMENTS[file.stem])
                whole, found, seen = shoot(), [], stage.describe()
                for view, part in (*seen.parts, *seen.extras.parts):
                    kind = type(part).__name__
                    if isinstance(part, BodyActor) or kind in BEHIND | FAINT or not part.on:
                        continue
                    found.append((standing_out(whole, _without(part.props, shoot)), kind, view))
                    for name in (prop for prop in part.props if isinstance(prop, vtkTextActor)):
                        pixels = luminance(whole[(whole != _without([name], shoot)).any(axis=2)])
                        if len(pixels):
                            low, high = np.percentile(pixels, [5, 95])
                            found.append(((high + 0.05) / (low + 0.05), f"name {name.GetInput()}", view))
                for ratio, kind, view in found:
                    if np.isfinite(ratio):
                        print(f"{ratio:6.2f} {theme.name:6}{file.stem:22}{kind} in view {view}", flush=True)


def standing_out(whole: np.ndarray, without: np.ndarray) -> float:
    """Contrast of a mark with what lies just outside it, 1 to 21, from pictures (height, width, 3) with and without it.

    A mark is what changes where it is hidden, with the edge around it. Each pixel that touches it from outside is
    compared with that of the mark at most ACROSS away which differs most from it, by the ratio of WCAG 2.2: a mark is
    seen where it or its edge stands out. Thin lines count as drawn, mixed with what is beside them. Two thirds of its
    outline have at least the result, as curves fade with age. NaN: it has less than FEWEST pixels.
    """
    from scipy.ndimage import binary_dilation, maximum_filter, minimum_filter

    mark = (np.abs(whole.astype(int) - without) > FAINTEST).any(axis=2)
    if mark.sum() < FEWEST:
        return np.nan
    part = tuple(slice(max(0, at.min() - ACROSS), at.max() + ACROSS + 1) for at in np.nonzero(mark))
    mark, whole, without = mark[part], whole[part], without[part]
    here, behind, side = luminance(whole) + 0.05, luminance(without) + 0.05, 2 * ACROSS + 1
    brightest = maximum_filter(np.where(mark, here, 0.0), side)
    darkest = minimum_filter(np.where(mark, here, 2.0), side)
    outline = binary_dilation(mark) & ~mark
    return float(np.percentile(np.maximum(brightest / behind, behind / darkest)[outline], 100.0 / 3.0))


def _without(props: Sequence[vtkProp], shoot: Callable[[], np.ndarray]) -> np.ndarray:
    """The picture without some actors."""
    seen = [prop for prop in props if prop.GetVisibility()]
    for prop in seen:
        prop.SetVisibility(False)
    picture = shoot()
    for prop in seen:
        prop.SetVisibility(True)
    return picture


def luminance(pixels: np.ndarray) -> np.ndarray:
    """Relative luminance of pixels (..., 3) of 0 to 255, by WCAG 2.2."""
    shares = pixels / 255.0
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
    Image.fromarray(_drawn(scenario, at)).save(path, quality=QUALITY, method=6)


def computed(scenario: Scenario) -> tuple[World, tuple[Lane, ...]]:
    """World and finished lanes of a scenario."""
    from app.playback.run import Run

    run = Run(scenario).start()
    run.join()
    if run.error or run.world is None:
        raise RuntimeError(f"{scenario.title}: {run.error}")
    return run.world, run.lanes


def _drawn(scenario: Scenario, at: float) -> np.ndarray:
    """A picture of a scenario at a time [s], without a window."""
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
    window(HERE / "window.webp")
    poinsot(HERE / "poinsot.webp")


if __name__ == "__main__":
    main()
