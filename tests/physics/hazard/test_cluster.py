"""Ensembles on dask.distributed: a real cluster of processes gives the same numbers; without one, one sentence."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess

import numpy as np
import pytest

import physics
from physics.core.arithmetic import elementary_functions
from physics.hazard import cluster
from physics.hazard.ensemble import Ensemble
from physics.io.trajectory_writers import polhode_version
from physics.systems.world import World
from tests.physics.falling import ROCKS, SCHEMES, scenario
from tests.small import write_map

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")  # distributed's own


@pytest.fixture(scope="module")
def local(done):
    """A cluster of two processes; the kernels are compiled already (done)."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def same(one, other):
    for name in SCHEMES:
        a, b = one.results[name], other.results[name]
        np.testing.assert_array_equal(a.rows.read(), b.rows.read())
        mine, theirs = a.arrays(), b.arrays()
        assert mine.keys() == theirs.keys()
        for key, array in mine.items():
            np.testing.assert_array_equal(array, theirs[key], err_msg=key)


def test_a_cluster_gives_the_same_bits_as_threads(local, ramp, done):
    ensemble = Ensemble(ramp)
    assert list(cluster.march(ensemble, local.scheduler_address)) == list(range(1, ROCKS + 1))
    same(ensemble, done)
    assert ensemble.workers == 2
    assert ensemble.cpu_time > 0.0


def test_rocks_of_a_lost_worker_are_done_by_another(local, ramp, done):
    ensemble = Ensemble(ramp)
    march = cluster.march(ensemble, local.scheduler_address)
    next(march)
    os.kill(local.workers[0].pid, signal.SIGKILL)
    list(march)
    same(ensemble, done)


def test_workers_out_of_memory_are_told_and_threads_go_on(ramp, done):
    settings = {"distributed.scheduler.allowed-failures": 0, "distributed.worker.memory.spill": False}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, memory_limit="170MB", dashboard_address=":0", silence_logs=50
        ) as small,
    ):
        ensemble = Ensemble(ramp)
        with pytest.raises(physics.PhysicsError, match="the same rocks ended several workers of dask; is their memory"):
            list(cluster.march(ensemble, small.scheduler_address))
    list(ensemble.march(1))
    same(ensemble, done)


def test_a_march_that_was_paused_goes_on_by_threads(local, ramp, done):
    ensemble = Ensemble(ramp)
    for rocks in cluster.march(ensemble, local.scheduler_address):
        if rocks == 5:
            ensemble.pause()
    assert ensemble.done == 5
    list(ensemble.march(1))
    same(ensemble, done)


@pytest.fixture
def certificates(tmp_path):
    """A certificate that signs itself, for all three parts of a cluster."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("certificates are made with openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=polhode"]
    words += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *words], check=True, capture_output=True)
    return str(certificate), str(key)


def test_a_cluster_over_tls_gives_the_same_bits_and_none_without_the_certificate(certificates, ramp, done):
    certificate, key = certificates
    parts = {
        f"tls_{part}_{what}": f
        for part in ("client", "scheduler", "worker")
        for what, f in zip(("cert", "key"), certificates, strict=True)
    }
    security = distributed.Security(tls_ca_file=certificate, require_encryption=True, **parts)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, security=security, protocol="tls://", dashboard_address=":0", silence_logs=50
    ) as cluster_:
        address = cluster_.scheduler_address
        assert address.startswith("tls://")
        with pytest.raises(physics.ScenarioError, match="no scheduler answers"):
            next(cluster.march(Ensemble(ramp), address))
        missing = dict.fromkeys(("ca-file", "client.cert", "client.key"), "/nowhere")
        with (
            dask.config.set({f"distributed.comm.tls.{name}": value for name, value in missing.items()}),
            pytest.raises(physics.ScenarioError, match=r"--dask: the certificates .* cannot be read: No such file"),
        ):
            next(cluster.march(Ensemble(ramp), address))
        settings = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
        with dask.config.set({f"distributed.comm.tls.{name}": value for name, value in settings.items()}):
            ensemble = Ensemble(ramp)
            list(cluster.march(ensemble, address))
    same(ensemble, done)


def test_files_travel_with_the_scenario(tmp_path):
    x = np.mgrid[0:30, 0:50][1]
    (tmp_path / "maps").mkdir()
    write_map(tmp_path / "maps" / "slope.asc", 50.0 - x, 2.0)
    (tmp_path / "stops.csv").write_text("x,y\n40,30\n")  # what was measured stays here: no rock asks for it
    more = {"release": {"position": [20.0, 30.0]}, "observed": {"stops": "stops.csv"}}
    own = scenario(terrain={"file": "maps/slope.asc"}, folder=str(tmp_path), **more)
    (tmp_path / "worker").mkdir()
    found = cluster.unpacked(cluster.packed(own), tmp_path / "worker")
    assert found.path(found.terrain.file).read_text() == (tmp_path / "maps" / "slope.asc").read_text()
    assert found.path(found.terrain.file).is_relative_to(tmp_path / "worker")
    np.testing.assert_array_equal(World.of(found).terrain.heights, World.of(own).terrain.heights)


def test_nobody_who_answers_is_told_in_one_sentence(ramp, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts, and says nothing
        for address in (f"tcp://127.0.0.1:{silent.getsockname()[1]}", "tcp://127.0.0.1:1", "nonsense://x", "no host"):
            with pytest.raises(physics.ScenarioError, match=f"--dask: no scheduler answers at '{address}'"):
                next(cluster.march(Ensemble(ramp), address))


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (("0.0.1", elementary_functions()), r"a worker of dask has polhode .*, here it is 0\.0\.1"),
        ((polhode_version(), "0" * 16), r"the worker of dask on .* with another last digit"),
    ],
)
def test_a_worker_that_computes_otherwise_is_told(ramp, program, words):
    with pytest.raises(physics.PhysicsError, match=words):
        cluster.rocks_of(cluster.packed(ramp.scenario), "key", program, 0, 1)
