"""Runs as the tables of pandas and the arrays of xarray, for notebooks and scripts.

The columns have the names of trajectory files, see ``physics.io.trajectory_writers``. Both libraries are optional:
``pip install 'polhode[notebook]'``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from physics.core.errors import PhysicsError, ScenarioError
from physics.core.trajectory import COLUMNS, STATE, Trajectory
from physics.core.wording import N_
from physics.io.trajectory_writers import flat_columns
from physics.simulation.integrate import Motion

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

_AXES = {1: (), 3: (("axis", ["x", "y", "z"]),), 4: (("component", ["w", "x", "y", "z"]),)}


def to_pandas(runs: Motion | Trajectory | Mapping[str, Trajectory]) -> pd.DataFrame:
    """Table of runs for pandas, with a row for each stored state and a column for each component.

    Parameters
    ----------
    runs : Motion, Trajectory or mapping of str to Trajectory
        The result of ``physics.integrate`` or ``physics.simulate``, or one of its trajectories.

    Returns
    -------
    pandas.DataFrame
        Columns such as ``orientation_w``, of a mechanism ``upper.position_x``. The index is the time [s]; of several
        lanes it is the lane's name (``scheme``) and the time. ``attrs["units"]`` has the unit of each column.

    Raises
    ------
    PhysicsError
        If pandas is not installed.
    ScenarioError
        If ``runs`` is no run, or holds none.

    Examples
    --------
    >>> import physics
    >>> motion = physics.integrate("implicit", [1.0, 2.0, 3.0], [1, 0, 0, 0], [0.1, 5, 0.1], step=0.01, duration=1.0)
    >>> frame = physics.to_pandas(motion)
    >>> frame.shape
    (101, 11)
    >>> frame.columns[:5].tolist()
    ['orientation_w', 'orientation_x', 'orientation_y', 'orientation_z', 'angular_velocity_x']
    >>> frame.attrs["units"]["angular_velocity_x"]
    'rad/s'
    """
    try:
        import pandas as pd
    except ImportError:
        raise _missing("pandas") from None
    _check(runs)
    if not isinstance(runs, Mapping):
        whole = _columns(runs)
        places = flat_columns(_bodies(runs))
        flat = {name: (kind, i) for name, (kind, i, _) in places.items() if kind in whole and kind != "time"}
        units = {name: places[name][2] for name in flat}
        columns = {name: whole[kind].reshape(len(whole["time"]), -1)[:, i] for name, (kind, i) in flat.items()}
        frame = pd.DataFrame(columns, index=pd.Index(whole["time"], name="time"))
    else:
        frames = {name: to_pandas(run) for name, run in runs.items()}
        frame = pd.concat(frames, names=["scheme"])
        units = next(iter(frames.values())).attrs["units"]
    frame.attrs["units"] = {"time": "s"} | units
    return frame


def to_xarray(runs: Motion | Trajectory | Mapping[str, Trajectory]) -> xr.Dataset:
    """Arrays of runs for xarray, one for each quantity.

    Parameters
    ----------
    runs : Motion, Trajectory or mapping of str to Trajectory
        The result of ``physics.integrate`` or ``physics.simulate``, or one of its trajectories.

    Returns
    -------
    xarray.Dataset
        Arrays along ``time`` [s] and ``axis`` (x, y, z) or ``component`` (w, x, y, z); the states of a mechanism lie
        along ``body`` too. Several lanes lie along ``scheme``; one that ended earlier goes on as NaN. Each array has
        its unit in ``attrs["units"]``.

    Raises
    ------
    PhysicsError
        If xarray is not installed.
    ScenarioError
        If ``runs`` is no run or holds none, or if the times of lanes differ, as those of lanes with steps of their own
        do.

    Examples
    --------
    >>> import physics
    >>> motion = physics.integrate("implicit", [1.0, 2.0, 3.0], [1, 0, 0, 0], [0.1, 5, 0.1], step=0.01, duration=1.0)
    >>> arrays = physics.to_xarray(motion)
    >>> arrays["angular_velocity"].dims, arrays["angular_velocity"].attrs["units"]
    (('time', 'axis'), 'rad/s')
    >>> round(float(arrays["angular_velocity"].sel(time=0.0, axis="y")), 6)
    5.0
    """
    try:
        import xarray as xr
    except ImportError:
        raise _missing("xarray") from None
    _check(runs)
    if not isinstance(runs, Mapping):
        whole = _columns(runs)
        times = whole.pop("time")
        arrays, bodies = {}, _bodies(runs)
        for name, values in whole.items():
            width, unit = COLUMNS[name]
            body = ["body"] if bodies and name in STATE else []
            arrays[name] = (["time", *body, *(axis for axis, _ in _AXES[width])], values, {"units": unit})
        places = {axis: names for width in (3, 4) for axis, names in _AXES[width]}
        places |= {"body": list(bodies)} if bodies else {}
        return xr.Dataset(arrays, {"time": ("time", times, {"units": "s"}), **places})
    longest = max(runs.values(), key=len).time
    for name, run in runs.items():
        if not np.array_equal(run.time, longest[: len(run)]):
            expected = N_("expected lanes that store states at the same times; give them one by one")
            raise ScenarioError("runs", N_("the times of '{name}' are its own; {expected}", name, expected))
    parts = [to_xarray(run) for run in runs.values()]
    return xr.concat(parts, dim=xr.Variable("scheme", list(runs)), join="outer")


def _check(runs: object) -> None:
    """ScenarioError for what is no run, or holds none."""
    one = next(iter(runs.values()), None) if isinstance(runs, Mapping) else runs
    if not isinstance(one, Motion | Trajectory):
        text = N_("no run") if one is None else type(one).__name__
        raise ScenarioError("runs", N_("expected what physics.simulate or physics.integrate returns, got {text}", text))


def _columns(run: Motion | Trajectory) -> dict[str, Any]:
    """The columns that a run has, by their names."""
    return {name: np.asarray(getattr(run, name)) for name in COLUMNS if hasattr(run, name)}


def _bodies(run: Motion | Trajectory) -> tuple[str, ...]:
    """The names of the bodies of a mechanism, see Trajectory."""
    return run.bodies if isinstance(run, Trajectory) else ()


def _missing(library: str) -> PhysicsError:
    return PhysicsError(N_("{library} is not installed; install it with: pip install 'polhode[notebook]'", library))
