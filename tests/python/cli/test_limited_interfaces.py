"""What a calibration says of interfaces with limits is what the cluster's file says."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clusters import as_toml, random_cluster
from typed import run

from lapwing.testbed import Burst, Cluster, Interface, Overhead, Routes, load_cluster

pytestmark = pytest.mark.skipif(shutil.which("smpirun") is None, reason="no smpirun")

PLAIN = replace(
    load_cluster("ib4x"),
    hosts=8,
    latency=3e-6,
    bandwidth=1e9,
    send_overhead=Overhead(1e-6),
    receive_overhead=Overhead(0.7e-6),
    kernels={},
)
FAST = replace(PLAIN, bandwidth=2.5e10, send_overhead=Overhead(4e-6))
SLOW = replace(PLAIN, bandwidth=1e8, latency=6e-5, send_overhead=Overhead(3e-7))
SHARING = replace(PLAIN, serialising=False, eager_limit=4096)
COPYING = replace(PLAIN, send_overhead=Overhead(1e-6, 1.5e-10))
BURSTS = (Burst(4, Overhead(1.5e-6)), Burst(12, Overhead(2.5e-6)))


def profile(folder: Path, cluster: Cluster, only: str = "tables", ranks: str = "") -> Any:
    (folder / "mine.toml").write_text(as_toml(cluster))
    on = f"sim:./mine.toml{ranks}"
    ended = run(
        folder, "calibrate", "--on", on, "--only", only, "-o", "mine.json", "--force", "--json"
    )
    assert (ended.status, ended.err) == (0, "")
    return ended.document


@pytest.mark.parametrize(
    ("cluster", "limits"),
    [
        (PLAIN, {"queue_depth": 2}),
        (PLAIN, {"queue_depth": 48, "bursts": BURSTS}),
        (PLAIN, {"queue_depth": 1}),
        (PLAIN, {"queue_depth": 3, "full_queue": 4e-7}),
        (PLAIN, {"queue_depth": 100, "full_queue": 9e-6, "bursts": BURSTS}),
        (FAST, {"queue_depth": 200}),
        (FAST, {"queue_depth": 130, "full_queue": 2e-6}),
        (SLOW, {"queue_depth": 31, "full_queue": 3e-5}),
        (SLOW, {"queue_depth": 5}),
        (SHARING, {"queue_depth": 27}),
        (SHARING, {"queue_depth": 77, "full_queue": 1e-6}),
        (COPYING, {"queue_depth": 64}),
        (COPYING, {"queue_depth": 20, "full_queue": 1e-6}),
        (FAST, {"queue_depth": 150, "outstanding_limit": 4 << 20, "outstanding_bandwidth": 0.4}),
    ],
)
def test_the_queue_depth_is_found(cluster: Cluster, limits: dict, tmp_path: Path) -> None:
    document = profile(tmp_path, replace(cluster, interface=Interface(**limits)))
    assert document["queue_depth"] == limits["queue_depth"]
    assert document["queue_depth_reason"] == ""


@pytest.mark.parametrize("name", ["jacquard", "elan3", "elan4"])
def test_shipped_queue_depths_are_found(name: str, tmp_path: Path) -> None:
    cluster = load_cluster(name)
    assert profile(tmp_path, cluster)["queue_depth"] == cluster.interface.queue_depth


@pytest.mark.parametrize("cluster", [PLAIN, SHARING, COPYING, random_cluster(3)])
def test_no_queue_is_found_where_there_is_none(cluster: Cluster, tmp_path: Path) -> None:
    document = profile(tmp_path, replace(cluster, interface=Interface()))
    assert document["queue_depth"] is None
    words = document["queue_depth_reason"].split()
    assert words[-1] == "outstanding"
    assert int(words[-2]) > 200  # most messages of the longest burst are outstanding at its end


@pytest.mark.parametrize("cluster", [PLAIN, SHARING])
def test_directions_that_share_a_bus(cluster: Cluster, tmp_path: Path) -> None:
    limited = replace(cluster, interface=Interface(bus_bandwidth=1.3e9))
    bandwidth = profile(tmp_path, limited)["bandwidth"]
    assert bandwidth["unidirectional"][-1] == pytest.approx(cluster.bandwidth, rel=0.01)
    assert bandwidth["bidirectional"][-1] == pytest.approx(1.3e9, rel=0.01)


@pytest.mark.parametrize("cluster", [PLAIN, SHARING])
@pytest.mark.parametrize("bursts", [BURSTS, (Burst(7, Overhead(2e-6, 1e-12)),)])
def test_overheads_by_burst(cluster: Cluster, bursts: tuple[Burst, ...], tmp_path: Path) -> None:
    """Of messages so long that none has arrived before the last of the burst is initiated."""
    limited = replace(cluster, interface=Interface(bursts=bursts))
    table = profile(tmp_path, limited)["overhead"]
    size = table["sizes"][-1]

    def initiation(outstanding: int) -> float:
        overhead = cluster.send_overhead
        for burst in bursts:
            if outstanding >= burst.outstanding:
                overhead = burst.overhead
        return overhead.base + overhead.per_byte * size

    expected = [
        sum(initiation(message) for message in range(burst)) / burst for burst in table["bursts"]
    ]
    assert table["send"][-1] == pytest.approx(expected, rel=0.01)


def test_unequal_routes(tmp_path: Path) -> None:
    """Slowest and fastest pair of a pattern, by the number of processes."""
    alike = Routes(near=(0.8, 0.8), far=(0.5, 0.5))
    unequal = Routes(near=(0.7, 1.0), far=(0.4, 0.6), seed=3)
    for routes in (alike, unequal):
        limited = replace(PLAIN, interface=Interface(routes=routes))
        patterns = profile(tmp_path, limited, "patterns", ":8")["patterns"]
        for name, (low, high) in (
            ("nearest-neighbour", routes.near),
            ("cross-bisection", routes.far),
        ):
            (pattern,) = (each for each in patterns if each["pattern"] == name)
            assert pattern["processes"][-1] == 8
            slowest, fastest = (
                1 / pattern[end][-1][-1] / PLAIN.bandwidth for end in ("slowest", "fastest")
            )
            assert low * 0.99 <= slowest <= fastest <= high * 1.01
            assert (fastest > 1.02 * slowest) == (routes is unequal)
