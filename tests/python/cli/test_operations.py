"""The costs of all operations, and the protocol, on random simulated clusters."""

import json
import os
import shutil
from pathlib import Path
from random import Random

import pytest
from clusters import as_toml, random_cluster
from typed import COMMAND

from lapwing.launch import parse, run
from lapwing.testbed import Cluster, load_cluster

ROOT = Path(__file__).parents[3]


def measured(folder: Path, cluster: str, part: str) -> dict:
    """The profile of a simulated cluster with one part of a calibration."""
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    output = folder / f"{part}.json"
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(COMMAND.parent))
    words = ["calibrate", "--only", part, "--output", str(output)]
    run(parse(f"sim:{cluster}:2"), words, timeout=200)
    document: dict = json.loads(output.read_text())
    return document


def written(folder: Path, seed: int) -> tuple[str, Cluster]:
    path = folder / "mine.toml"
    path.write_text(as_toml(random_cluster(seed)))
    return str(path), load_cluster(str(path))


@pytest.mark.parametrize("seed", range(30, 34))
def test_costs_of_operations_are_what_the_cluster_says(seed: int, tmp_path: Path) -> None:
    path, cluster = written(tmp_path, seed)
    operations = measured(tmp_path, path, "operations")["operations"]
    assert {"isend", "put", "get", "rput", "rget"} <= {costs["name"] for costs in operations}
    for costs in operations:
        for i, size in enumerate(costs["sizes"]):
            send = cluster.send_overhead.base + cluster.send_overhead.per_byte * size
            receive = cluster.receive_overhead.base + cluster.receive_overhead.per_byte * size
            one_way = send + cluster.latency + size / cluster.bandwidth + receive
            name = f"{costs['transport']} {costs['name']} {size}"
            if costs["name"] in {"isend", "put", "get", "rput", "rget"}:
                bursts = len(costs["bursts"])
                assert costs["overhead"][i] == pytest.approx([send] * bursts, rel=0.02), name
            if costs["name"] == "isend":
                # A round trip, whose answer is empty.
                empty = cluster.send_overhead.base + cluster.receive_overhead.base
                way_back = empty + cluster.latency
                assert costs["latency"][i] == pytest.approx(one_way + way_back, rel=0.02), name
                assert costs["asymptotic"][i] == pytest.approx(send, rel=0.02), name
            elif costs["transport"] == "rma":
                # There and back, and nothing at the target.
                both_ways = send + 2 * cluster.latency + size / cluster.bandwidth
                assert costs["latency"][i] == pytest.approx(both_ways, rel=0.02), name
                assert costs["asymptotic"][i] == pytest.approx(send, rel=0.02), name
        if costs["name"] == "isend" and cluster.serialising:
            wire = costs["sizes"][-1] / cluster.bandwidth
            processor = max(send, receive)  # of the largest size
            bandwidth = costs["sizes"][-1] / max(wire, processor)
            assert costs["bandwidth"][-1] == pytest.approx(bandwidth, rel=0.02)


@pytest.mark.parametrize("seed", range(40, 46))
def test_the_eager_limit_is_found_to_the_byte(seed: int, tmp_path: Path) -> None:
    path, cluster = written(tmp_path, seed)
    protocol = measured(tmp_path, path, "protocol")["protocol"]
    # A message of the limit's size waits for its receive.
    within = 16 < cluster.eager_limit <= 1 << 20
    assert protocol["switches"] == ([cluster.eager_limit - 1] if within else [])
    assert bool(protocol["switches_reason"]) == (not within)
    # Shorter messages are eager, and every send is buffered there.
    if cluster.eager_limit <= 16:
        assert protocol["eager"] == 0
    else:
        assert protocol["eager"] == (cluster.eager_limit - 1 if within else None)
    assert protocol["buffered"] is None
    # With a posted receive there is no request: only messages on the same wire come later.
    if cluster.serialising or protocol["eager"] in (0, None):
        assert protocol["eager_overtakes"] is False
    # The simulator has no queues: nothing slows down, and the profile says so.
    for name in ("outstanding", "completion_depth"):
        assert protocol[name] is None
        assert protocol[f"{name}_reason"]


@pytest.mark.parametrize("seed", range(50, 53))
def test_a_wire_that_changes_its_rate_is_known_on_both_sides(seed: int, tmp_path: Path) -> None:
    # Bytes that the simulator adds to each message, and counts for its factors.
    envelope = 16
    random = Random(seed)
    sizes = [random.randint(3000, 5000), random.randint(17000, 23000)]
    shares = [1.0, random.uniform(0.5, 0.7), random.uniform(0.8, 0.9)]
    toml = (ROOT / "python/lapwing/testbed/clusters/ethernet.toml").read_text(encoding="utf-8")
    head, rest = toml.split("[[network.factors]]", 1)
    factors = "".join(
        f"[[network.factors]]\nsize = {size}\nbandwidth = {share}\nlatency = 1.0\n"
        for size, share in zip([0, *sizes], shares, strict=True)
    )
    path = tmp_path / "mine.toml"
    path.write_text(head + factors + rest[rest.index("[kernels]") :])
    profile = measured(tmp_path, str(path), "protocol")
    assert set(profile["protocol"]["switches"]) >= {size - envelope for size in sizes}
    bandwidth = profile["bandwidth"]
    for size, below, above in zip(sizes, shares[:-1], shares[1:], strict=True):
        for bytes_, share in ((size - envelope, below), (size - envelope + 1, above)):
            found = bandwidth["unidirectional"][bandwidth["sizes"].index(bytes_)]
            assert found == pytest.approx(125e6 * share * bytes_ / (bytes_ + envelope), rel=0.05)
