"""What one-sided operations and interfaces with limits take, to the nanosecond."""

from dataclasses import replace
from pathlib import Path

import pytest
from simulation import can_simulate, simulated

from lapwing.errors import LapwingError
from lapwing.launch.sim import sim_job
from lapwing.testbed import (
    Burst,
    Cluster,
    Interface,
    Overhead,
    Routes,
    load_cluster,
    platform_xml,
)

BANDWIDTH, LATENCY, SEND, RECEIVE = 1e9, 5e-6, 1e-6, 0.5e-6
PLAIN = replace(
    load_cluster("ib4x"),
    bandwidth=BANDWIDTH,
    latency=LATENCY,
    send_overhead=Overhead(SEND),
    receive_overhead=Overhead(RECEIVE),
)
# SMPI adds 16 bytes to a message, whose time the latency of a link is short of. Only of messages
# that queue is it to be seen.
ENVELOPE = 16 / BANDWIDTH
TICK = 2e-9  # seconds to which SimGrid's clock is right

pytestmark = pytest.mark.skipif(not can_simulate("interfaces"), reason="no smpirun")


def run(
    cluster: Cluster, folder: Path, ranks: int, *arguments: object, hosts: str | None = None
) -> dict[int, tuple[float, list[float]]]:
    """Of each rank the seconds until all of its operations are complete, and those of each call."""
    words = [str(argument) for argument in arguments]
    printed = simulated("interfaces", words, ranks, cluster, folder, hosts)
    lines = [[float(word) for word in line.split()] for line in printed.splitlines()]
    return {int(line[0]): (line[1], line[2:]) for line in lines}


def limited(**limits: object) -> Cluster:
    return replace(PLAIN, interface=Interface(**limits))  # type: ignore[arg-type]


def seconds(expected: list[float]) -> object:
    return pytest.approx(expected, abs=TICK)


@pytest.mark.parametrize("name", ["ib4x", "hdr", "ib4x-tapered", "elan4", "ranger"])
@pytest.mark.parametrize("kind", ["put", "get", "rput", "rget"])
@pytest.mark.parametrize("size", [8, 100_000])
def test_one_operation(name: str, kind: str, size: int, tmp_path: Path) -> None:
    """The initiator's overhead, both ways, and the data; nothing at the target."""
    cluster = load_cluster(name)
    operation = cluster.send_overhead.base + 2 * cluster.latency + size / cluster.bandwidth
    taken = run(cluster, tmp_path, 2, kind, size, 1)
    assert taken[1][0] == pytest.approx(operation, abs=TICK)
    assert taken[1][1] == seconds([cluster.send_overhead.base])
    assert taken[0][0] == pytest.approx(1, abs=1e-12)  # what it computed meanwhile


@pytest.mark.parametrize("origins", [1, 3])
@pytest.mark.parametrize("size", [8, 100_000])
def test_a_notified_put(origins: int, size: int, tmp_path: Path) -> None:
    """The target learns of the data when it is there, and its processor does nothing."""
    taken = run(PLAIN, tmp_path, origins + 1, "notified", size, 1)
    last = SEND + LATENCY + size / BANDWIDTH + (origins - 1) * (size / BANDWIDTH + ENVELOPE)
    assert taken[0][0] == pytest.approx(last, abs=TICK)
    ends = max(taken[rank][0] for rank in range(1, origins + 1))
    assert ends == pytest.approx(last + LATENCY, abs=TICK)


def test_a_notice_of_nothing_overtakes_data(tmp_path: Path) -> None:
    """A put of no bytes is a packet: it takes the latency alone."""
    taken = run(PLAIN, tmp_path, 2, "notified", 0, 3)
    assert taken[0][0] == pytest.approx(3 * SEND + LATENCY, abs=TICK)
    assert taken[1][0] == pytest.approx(3 * SEND + 2 * LATENCY, abs=TICK)


@pytest.mark.parametrize("name", ["ib4x", "ib4x-tapered"])
@pytest.mark.parametrize("kind", ["put", "get"])
def test_the_initiator_computes_meanwhile(name: str, kind: str, tmp_path: Path) -> None:
    """Computation takes no longer, and hides the operation."""
    cluster = load_cluster(name)
    taken = run(cluster, tmp_path, 2, f"{kind}+work", 8, 1)[1]
    assert taken[0] == pytest.approx(cluster.send_overhead.base + 8 * 2.25e-6, abs=TICK)


@pytest.mark.parametrize("origins", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["put", "get"])
def test_origins_share_the_target(kind: str, origins: int, tmp_path: Path) -> None:
    """Each origin's operation follows the others' on the wire, and waits for no other's flush."""
    size = 100_000
    taken = run(PLAIN, tmp_path, origins + 1, kind, size, 1)
    ends = sorted(taken[rank][0] for rank in range(1, origins + 1))
    first = SEND + 2 * LATENCY + size / BANDWIDTH
    assert ends == seconds([first + k * (size / BANDWIDTH + ENVELOPE) for k in range(origins)])


@pytest.mark.parametrize("origins", [1, 4])
def test_short_operations_of_several_origins(origins: int, tmp_path: Path) -> None:
    """Where no wire is full, nobody waits for anybody: 4 puts each, a microsecond apart."""
    taken = run(PLAIN, tmp_path, origins + 1, "put", 8, 4)
    for rank in range(1, origins + 1):
        assert taken[rank][0] == pytest.approx(4 * SEND + 2 * LATENCY + 8e-9, abs=0.2e-6)
        assert taken[rank][1] == seconds([SEND] * 4)


@pytest.mark.parametrize("kind", ["put", "get", "message"])
def test_a_full_queue_makes_its_rank_wait(kind: str, tmp_path: Path) -> None:
    size, depth = 100_000, 4
    taken = run(limited(queue_depth=depth), tmp_path, 2, kind, size, 8)
    calls = taken[1][1]
    assert calls[:depth] == seconds([SEND] * depth)
    transfer = size / BANDWIDTH
    # Until the first operation is complete, and then from one to the next.
    complete = LATENCY + transfer + (0 if kind == "message" else LATENCY)
    assert calls[depth] == pytest.approx(complete - (depth - 1) * SEND + SEND, abs=2 * TICK)
    assert calls[depth + 1 :] == seconds([transfer + ENVELOPE] * 3)


@pytest.mark.parametrize("kind", ["put", "get", "message"])
def test_a_full_queue_costs(kind: str, tmp_path: Path) -> None:
    cluster = limited(queue_depth=5, full_queue=3e-6)
    assert run(cluster, tmp_path, 2, kind, 100_000, 8)[1][1] == seconds(
        [SEND] * 5 + [SEND + 3e-6] * 3
    )


@pytest.mark.parametrize("kind", ["put", "get", "message"])
def test_overhead_by_burst(kind: str, tmp_path: Path) -> None:
    bursts = (Burst(2, Overhead(2e-6)), Burst(4, Overhead(3e-6, 1e-11)))
    taken = run(limited(bursts=bursts), tmp_path, 2, kind, 100_000, 7)
    assert taken[1][1] == seconds([SEND] * 2 + [2e-6] * 2 + [4e-6] * 3)


@pytest.mark.parametrize("kind", ["put", "message"])
def test_bytes_outstanding_slow_the_next(kind: str, tmp_path: Path) -> None:
    """Two messages are within the limit, and the third and fourth at half the bandwidth."""
    size = 1 << 16
    cluster = limited(outstanding_limit=2 * size, outstanding_bandwidth=0.5)
    taken = run(cluster, tmp_path, 2, kind, size, 4)
    transfers = size / BANDWIDTH * (1 + 1 + 2 + 2) + ENVELOPE * (1 + 2 + 2)
    last = SEND + LATENCY + transfers
    end = last + LATENCY if kind == "put" else last + RECEIVE
    # A transfer that is not the first has its latency behind it.
    assert taken[1 if kind == "put" else 0][0] == pytest.approx(end, abs=0.1e-6)


def test_directions_share_a_bus(tmp_path: Path) -> None:
    size = 1_000_000
    alone = SEND + 2 * LATENCY + size / BANDWIDTH
    assert run(PLAIN, tmp_path, 2, "exchange", size, 1)[0][0] == pytest.approx(alone, abs=TICK)
    for share in (0.5, 0.8):  # of the bus for each direction, with messages both ways at once
        bus = 2 * share * BANDWIDTH
        taken = run(limited(bus_bandwidth=bus), tmp_path, 2, "exchange", size, 1)
        both = alone + (size / BANDWIDTH + ENVELOPE) * (1 / share - 1)
        assert sorted(taken[rank][0] for rank in (0, 1)) == seconds([both, both])
    wide = run(limited(bus_bandwidth=2 * BANDWIDTH), tmp_path, 2, "put", size, 1)
    assert wide[1][0] == pytest.approx(alone, abs=TICK)


def test_registration(tmp_path: Path) -> None:
    size = 10 * 4096 + 1
    plain = run(PLAIN, tmp_path, 2, "window", size)[0][0]
    # A window's size is rounded up to 64 bytes.
    registered = run(limited(registration=(50e-6, 1e-6)), tmp_path, 2, "window", size)[0][0]
    assert registered - plain == pytest.approx(50e-6 + 11e-6, abs=TICK)


def test_unequal_routes(tmp_path: Path) -> None:
    """The share of a pair is within its range, ever the same, and another for another seed."""
    size = 1_000_000
    near, far = (0.6, 0.9), (0.2, 0.5)

    def share(target: int, origin: int, seed: int, kind: str = "put") -> float:
        cluster = limited(routes=Routes(near=near, far=far, seed=seed))
        hosts = f"n{target}\nn{origin}\n"
        seconds = run(cluster, tmp_path, 2, kind, size, 1, hosts=hosts)[1][0]
        return size / (seconds - SEND - 2 * LATENCY) / BANDWIDTH

    within = [share(0, 1, 1), share(1, 0, 1), share(33, 40, 1)]
    across = [share(0, 32, 1), share(63, 31, 1), share(5, 50, 1)]
    assert all(near[0] <= found <= near[1] for found in within)
    assert all(far[0] <= found <= far[1] for found in across)
    assert len({round(found, 6) for found in within + across}) == 6
    assert share(0, 1, 1) == within[0]
    assert share(0, 1, 2) != within[0]
    # A get has its data the other way.
    assert share(1, 0, 1, "get") == pytest.approx(within[0], rel=1e-4)


def test_without_limits_all_is_the_same(tmp_path: Path) -> None:
    """Routes that are all alike and limits that are never reached change nothing, to the bit."""
    loose = limited(
        queue_depth=1000, outstanding_limit=1 << 40, outstanding_bandwidth=0.5, routes=Routes()
    )
    for kind in ("message", "put", "get"):
        assert run(loose, tmp_path, 3, kind, 10_000, 5) == run(PLAIN, tmp_path, 3, kind, 10_000, 5)


def test_hosts_of_several_ranks(tmp_path: Path) -> None:
    """The platform of more than one rank a host has the same properties."""
    text = platform_xml(limited(queue_depth=3, bus_bandwidth=2e9), 2)
    assert text.count('id="queue_depth"') == 128
    assert text.count('id="bus0"') == 1 + 2 * 2


def test_programs_without_the_library(tmp_path: Path) -> None:
    with pytest.raises(LapwingError, match="not linked with Lapwing's simulated interfaces"):
        sim_job(
            "a.out",
            [],
            2,
            cluster=limited(queue_depth=3),
            platform="p",
            hostfile="h",
            options=[],
            interfaces=False,
        )
