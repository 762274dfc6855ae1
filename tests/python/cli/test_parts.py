"""Other parts of a calibration on random simulated clusters: pLogP, log_3P, kernels."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from clusters import as_toml, random_cluster
from documents import kept
from typed import COMMAND, run

from lapwing import Profile, predict
from lapwing.launch import Launch, parse
from lapwing.testbed import Cluster, load_cluster


def measured(folder: Path, seed: int) -> tuple[Cluster, dict[str, Any]]:
    """A cluster made from `seed`, with kernels of its own, and its profile."""
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    chance = random.Random(seed)
    rates = {kernel: chance.uniform(1e6, 1e10) for kernel in ("add", "copy", "bzip2", "fft")}
    kernels = "".join(f"{kernel} = {rate!r}\n" for kernel, rate in rates.items())
    path = folder / "mine.toml"
    path.write_text(as_toml(random_cluster(seed)) + "[kernels]\n" + kernels)
    ended = run(
        folder,
        "calibrate",
        "--on",
        "sim:./mine.toml",
        "--only",
        "plogp,log3p,kernels,collectives",
        "-o",
        "mine.json",
    )
    assert (ended.status, ended.err) == (0, "")
    return load_cluster(str(path)), json.loads((folder / "mine.json").read_text())


@pytest.mark.parametrize("seed", [101, 102, 103, 104, 105, 106])
def test_parts_recover_the_cluster(seed: int, tmp_path: Path) -> None:
    cluster, profile = measured(tmp_path, seed)
    plogp = profile["plogp"]
    assert plogp["sizes"][0] == 1
    send, receive, gap = (plogp[name][0] for name in ("send", "receive", "gap"))
    # March's conversion, with the sign that follows from what L' is.
    assert plogp["L"] + gap - send - receive == pytest.approx(cluster.latency, rel=0.02)
    for measure, overhead in ((send, cluster.send_overhead), (receive, cluster.receive_overhead)):
        assert measure == pytest.approx(overhead.base + overhead.per_byte, rel=0.02)
    largest = plogp["sizes"][-1]
    if cluster.serialising:
        assert plogp["gap"][-1] / largest == pytest.approx(1 / cluster.bandwidth, rel=0.02)

    # A simulated core computes as fast as its file says, in every kernel this program has.
    assert profile["kernels"].keys() >= {"add", "copy"}
    for kernel, rate in profile["kernels"].items():
        assert rate == pytest.approx(cluster.kernels[kernel], rel=1e-9)

    # Memory is copied at the file's rate; derived types are free in simulation.
    log3p = profile["log3p"]
    for size, seconds in zip(log3p["sizes"], log3p["T_mem"], strict=True):
        assert seconds == pytest.approx(size / cluster.kernels["copy"], rel=1e-6)
    assert all(latency < 1e-9 for row in log3p["l_mw"] for latency in row)
    half_round_trip = [
        cluster.send_overhead.base
        + cluster.receive_overhead.base
        + cluster.latency
        + size * (cluster.send_overhead.per_byte + cluster.receive_overhead.per_byte)
        + size / cluster.bandwidth
        for size in log3p["sizes"]
    ]
    for row, expected in zip(log3p["remote"], half_round_trip, strict=True):
        assert row == pytest.approx([expected] * len(row), rel=0.02)


@pytest.mark.parametrize("seed", [111, 112, 113, 114])
def test_collectives_cost_nothing_besides_messages_in_simulation(seed: int, tmp_path: Path) -> None:
    _, profile = measured(tmp_path, seed)
    costs = profile["collectives"]
    assert {name: cost for name, cost in costs.items() if cost} == {"low": 1.0, "high": 1.0}
    without = {name: part for name, part in profile.items() if name != "collectives"}
    for operation in ("allreduce", "alltoall", "reduce_scatter"):
        with_them, without_them = (
            predict(
                Profile.from_json(json.dumps(document)),
                operation,
                ranks=[2, 7, 64],
                sizes=[8, 100_000],
            ).seconds.tolist()
            for document in (profile, without)
        )
        assert with_them == without_them


def test_the_sizes_of_another_launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(COMMAND.parent))
    if shutil.which("smpirun") is None:
        pytest.skip("no smpirun")
    other = kept("full")
    (tmp_path / "other.json").write_text(json.dumps(other))
    launch = Launch(parse("sim:ib4x"))
    output = tmp_path / "mine.json"
    words = ["calibrate", "--only", "latency,log3p", "--sizes-of", str(tmp_path / "other.json")]
    launch([*words, "--output", str(output)])
    found = json.loads(launch.result(output))
    for table in ("latency", "log3p"):
        assert found[table]["sizes"] == other[table]["sizes"]
