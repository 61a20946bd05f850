"""Paths of an ensemble's first rocks: they follow the trajectories, and stay within their bounds."""

from __future__ import annotations

import numpy as np
import pytest

from physics.hazard import rock_record


@pytest.mark.parametrize("name", ["explicit", "implicit"])
def test_paths_follow_the_trajectories(ramp, done, trajectories, name):
    found = done.results[name].paths
    assert found.rock.tolist() == list(range(done.rocks))
    assert found.offsets.dtype == np.int64
    assert found.points.dtype == found.values.dtype == np.float32
    assert found.offsets[-1] == len(found.points) == len(found.values)
    for rock in (0, 7):
        here = slice(found.offsets[rock], found.offsets[rock + 1])
        points, path = found.points[here], trajectories[name, rock]
        position = path.position - np.array([*ramp.terrain.origin, 0.0])
        np.testing.assert_allclose(points[[0, -1]], position[[0, -1]], rtol=1e-6)
        nearest = np.array([np.linalg.norm(position - p, axis=1).argmin() for p in points])
        np.testing.assert_allclose(position[nearest], points, atol=1e-4)
        assert (np.diff(nearest) > 0).all()
        np.testing.assert_allclose(found.values[here, 0], path.kinetic_energy[nearest], rtol=1e-4, atol=1.0)
        times = [*path.time[nearest[:-1]], path.time[-1]]  # at rest all places are near
        np.testing.assert_allclose(found.values[here, 4], times, rtol=1e-6, atol=1e-6)
        speed = np.linalg.norm(path.velocity, axis=1)[nearest]
        np.testing.assert_allclose(found.values[here, 1], speed, rtol=1e-5, atol=0.01)
        # no piece is longer than two metres and a step, and bounces are not cut off
        assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() < rock_record.SPACING + 0.1
        ground = ramp.terrain.heights_at(path.position[:, 0], path.position[:, 1])
        summit = np.argmax(path.position[:, 2] - ground)
        assert np.abs(nearest - summit).min() * np.linalg.norm(path.velocity[summit]) * 0.002 < 1.1
