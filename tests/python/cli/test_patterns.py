"""Many ranks at once, and pairs within a node, on clusters with known results."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import as_toml
from typed import run

from lapwing.testbed import Cluster, load_cluster

pytestmark = pytest.mark.skipif(shutil.which("smpirun") is None, reason="no smpirun")

LARGE = 1 << 20


def calibrated(folder: Path, cluster: Cluster, ranks: int, *words: str) -> dict:
    """The quick profile of `ranks` ranks on `cluster`."""
    (folder / "mine.toml").write_text(as_toml(cluster))
    target = f"sim:./mine.toml:{ranks}"
    ended = run(
        folder,
        "calibrate",
        "--on",
        target,
        "--quick",
        "--only",
        "pairs,patterns",
        "-o",
        "mine.json",
        *words,
    )
    assert (ended.status, ended.err) == (0, "")
    document: dict = json.loads((folder / "mine.json").read_text())
    return document


def rates(profile: dict, pattern: str, size: int) -> dict[int, tuple[float, float]]:
    """G of the slowest and the fastest pair, by the number of processes."""
    (table,) = [table for table in profile["patterns"] if table["pattern"] == pattern]
    column = table["sizes"].index(size)
    return {
        processes: (slowest[column], fastest[column])
        for processes, slowest, fastest in zip(
            table["processes"], table["slowest"], table["fastest"], strict=True
        )
    }


@pytest.mark.parametrize(
    ("hosts", "taper", "serialising"),
    [(32, 1, True), (36, 2, False), (40, 5, True)],
)
def test_taper_is_seen(hosts: int, taper: int, serialising: bool, tmp_path: Path) -> None:
    tapered = load_cluster("ib4x-tapered")
    cluster = replace(tapered, hosts=hosts, taper=taper, serialising=serialising)
    below, _, _ = cluster.tree
    words = ["--ranks", f"{below},{hosts}"]
    profile = calibrated(tmp_path, cluster, hosts, *words)
    near = rates(profile, "nearest-neighbour", LARGE)
    across = rates(profile, "cross-bisection", LARGE)
    alone = 1 / cluster.bandwidth
    for processes in (below, hosts):
        assert near[processes] == pytest.approx((alone, alone), rel=0.02)
    # From half of the hosts under one leaf switch to the other half.
    assert across[below] == pytest.approx((alone, alone), rel=0.02)
    assert across[hosts][0] / near[hosts][0] == pytest.approx(taper, rel=0.02)
    assert across[hosts][1] / near[hosts][1] == pytest.approx(taper, rel=0.02)
    # Up and down are separate links.
    both = rates(profile, "bidirectional", LARGE)
    assert both[hosts][0] == pytest.approx(across[hosts][0], rel=0.03)


@pytest.mark.parametrize("name", ["ib4x", "hdr"])
def test_one_receiver_shares_its_link_among_all(name: str, tmp_path: Path) -> None:
    cluster = load_cluster(name)
    profile = calibrated(tmp_path, cluster, 8, "--ranks", "2,8")
    slowest = {processes: G for processes, (G, _) in rates(profile, "gather", LARGE).items()}
    assert slowest[2] == pytest.approx(1 / cluster.bandwidth, rel=0.02)
    assert slowest[8] == pytest.approx(7 / cluster.bandwidth, rel=0.02)
    everyone = rates(profile, "alltoall", LARGE)
    # All links are busy, except while messages for one receiver queue before those for others.
    assert 0.98 / cluster.bandwidth <= everyone[8][1] <= everyone[8][0] < 2 / cluster.bandwidth
    for table in profile["patterns"]:
        assert table["processes"] == [2, 8]
        assert all(0 < value <= 1 for row in table["fairness"] for value in row)


@pytest.mark.parametrize("name", ["ib4x", "hdr"])
def test_within_a_node_and_between(name: str, tmp_path: Path) -> None:
    cluster = load_cluster(name)
    words = ["--ppn", "2", "--pair", "1,3", "--ranks", "4"]
    profile = calibrated(tmp_path, cluster, 4, *words)
    pairs = {pair["name"]: pair for pair in profile["pairs"]}
    assert [pair["ranks"] for pair in profile["pairs"]] == [[0, 1], [0, 2], [1, 3]]
    within, between = pairs["within a node"], pairs["between nodes"]
    assert within["loggp"]["L"] == pytest.approx(0.5e-6, rel=0.02)
    assert within["loggp"]["G"] == pytest.approx(1 / 4e9, rel=0.02)
    for pair in (between, pairs["1,3"]):
        assert pair["loggp"]["L"] == pytest.approx(cluster.latency, rel=0.02)
        assert pair["loggp"]["G"] == pytest.approx(1 / cluster.bandwidth, rel=0.02)
        assert pair["bandwidth"][-1] == pytest.approx(cluster.bandwidth, rel=0.02)
    # The main figures are between nodes.
    assert profile["loggp"]["L"] == pytest.approx(cluster.latency, rel=0.02)
    # Two ranks of a node share the node's link.
    across = rates(profile, "cross-bisection", LARGE)
    assert across[4][0] == pytest.approx(2 / cluster.bandwidth, rel=0.02)
