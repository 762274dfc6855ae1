"""The engine on a torus and a dragonfly, against the simulated clusters of that shape."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from clusters import as_toml
from typed import Lapwing

from lapwing.testbed import Cluster, Overhead

# Hosts of a cluster, its topology, the same for the engine, and links between the nearest two hosts
# and between the farthest two. Hosts of a torus have no interface but the links of the torus.
SHAPES = {
    "torus": (15, "torus:5x3", "torus:5x3,interfaces=4,hop=1us", 1, 3),
    "dragonfly": (24, "dragonfly:3x4x2", "dragonfly:3x4x2,hop=1us", 2, 5),
}


def clusters(shape: str, serialising: bool) -> tuple[Cluster, Cluster]:
    """A cluster whose links take a microsecond each, and one of its two nearest hosts."""
    hosts, topology, _, nearest, farthest = SHAPES[shape]
    whole = Cluster(
        name=shape,
        description="",
        hosts=hosts,
        latency=farthest * 1e-6,
        bandwidth=1e9,
        serialising=serialising,
        send_overhead=Overhead(0.5e-6),
        receive_overhead=Overhead(0.5e-6),
        eager_limit=0,
        topology=topology,
        taper=1,
        kernels={},
    )
    return whole, replace(whole, hosts=2, latency=nearest * 1e-6, topology="flat")


@pytest.mark.parametrize("serialising", [False, True], ids=["sharing", "serialising"])
@pytest.mark.parametrize("shape", [pytest.param("torus", marks=pytest.mark.nightly), "dragonfly"])
def test_engine_is_the_simulated_cluster(
    lapwing: Lapwing, tmp_path: Path, shape: str, serialising: bool
) -> None:
    whole, pair = clusters(shape, serialising)
    (tmp_path / "whole.toml").write_text(as_toml(whole))
    (tmp_path / "pair.toml").write_text(as_toml(pair))
    words = ["--only", "tables,latency,protocol", "-o", "machine.json"]
    assert lapwing("calibrate", "--on", "sim:./pair.toml:2", *words).status == 0
    profile = json.loads((tmp_path / "machine.json").read_text())

    def errors(interconnect: str) -> list[float]:
        document = profile | {"topology": {"interconnect": interconnect}}
        (tmp_path / "machine.json").write_text(json.dumps(document))
        words = ["--on", f"sim:./whole.toml:{whole.hosts}", "--size", "1KB,64KB", "--json"]
        made = lapwing("validate", "machine.json", "alltoall", "allgather", "bcast", *words)
        return [abs(result["error"]) for result in made.document["results"]]

    with_links, without = errors(SHAPES[shape][2]), errors("flat")
    assert len(with_links) == len(without) >= 20
    # What differs is 16 bytes that the cluster adds to a message on each link, and who of several
    # messages at one moment is first.
    assert median(with_links) < 0.005
    assert max(with_links) < 0.15
    assert median(without) > 0.2
