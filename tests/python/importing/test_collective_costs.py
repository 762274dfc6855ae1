"""What logs of two ranks tell of the costs of collectives."""

import json
from typing import Any

import pytest
from documents import check
from logs import written

from lapwing import import_logs, predict


def table(title: str, column: str, values: dict[int, float]) -> str:
    rows = "".join(f"{size:<10}{value:18.2f}\n" for size, value in values.items())
    return f"# OSU MPI {title} Test v7.4\n# Size{column:>22}\n{rows}"


def latency(longest: int = 4 << 20, shortest: float = 0.5) -> str:
    """Half round trips of 0.5 us and 0.1 ns/B."""
    sizes = [size for size in (1, 1024, 65536, 1 << 20, 4 << 20) if size <= longest]
    return table("Latency", "Avg Latency(us)", {size: shortest + 1e-4 * size for size in sizes})


APART = latency(shortest=2)


def both_ways(rate: float, longest: int = 4 << 20) -> str:
    return table("Bi-Directional Bandwidth", "Bandwidth (MB/s)", {1: 4.0, longest: rate})


def one_way(rate: float, longest: int = 4 << 20) -> str:
    return table("Bandwidth", "Bandwidth (MB/s)", {1: 2.5, longest: rate})


def document(*within: str) -> dict[str, Any]:
    inside = [written(f"within-{place}.txt", text) for place, text in enumerate(within)]
    profile = import_logs([written("apart.txt", APART)], within_node=inside).profile
    assert profile is not None
    made: dict[str, Any] = json.loads(profile.to_json())
    check("profile", made)
    return made


def test_a_byte_is_copied_as_in_floods_both_ways() -> None:
    made = document(latency(), both_ways(20000))
    assert made["collectives"] == pytest.approx(
        {
            "combine": 1.5e-10,
            "copy": 1e-10,
            "node_copy": 0,
            "pack": 0,
            "exchange": 0,
            "exchange_per_byte": 0,
            "unexpected": 0,
            "unexpected_per_byte": 0,
            "fresh": 0,
            "skew": 0,
            "skew_per_doubling": 0,
            "low": 1,
            "high": 1,
        }
    )
    assert "floods both ways" in made["machine"]["collectives, derived"]


def test_else_as_in_floods_one_way_or_half_round_trips() -> None:
    flood = document(latency(), one_way(8000))
    assert flood["collectives"]["copy"] == pytest.approx(1 / 8e9)
    trips = document(latency())
    assert trips["collectives"]["copy"] == pytest.approx(1e-10)
    short = document(latency(), both_ways(20000, longest=4096))
    assert short["collectives"]["copy"] == pytest.approx(1e-10)


def test_short_messages_do_not_tell() -> None:
    made = document(latency(longest=1024))
    assert "collectives" not in made
    assert "collectives, derived" not in made["machine"]


def test_half_round_trips_between_nodes_do_not_tell() -> None:
    profile = import_logs([written("apart.txt", APART)], nodes=2).profile
    assert profile is not None
    assert "collectives" not in json.loads(profile.to_json())


def test_floods_both_ways_tell_what_an_exchange_takes_longer() -> None:
    logs = [written("apart.txt", APART), written("both.txt", both_ways(16000))]
    profile = import_logs(logs, nodes=2).profile
    assert profile is not None
    made = json.loads(profile.to_json())
    costs = made["collectives"]
    # Short messages at 4 MB/s both ways: a send and a receive in half a microsecond.
    assert costs["exchange"] == pytest.approx(2 * 0.25e-6)
    # A byte takes 0.125 ns both ways and 0.1 alone.
    assert costs["exchange_per_byte"] == pytest.approx(0.025e-9, rel=1e-3)
    assert costs["copy"] == costs["combine"] == 0
    assert "floods both ways of 4194304 bytes" in made["machine"]["collectives, derived"]


def test_floods_both_ways_that_are_as_fast_as_one_way() -> None:
    logs = [written("apart.txt", APART), written("both.txt", both_ways(40000))]
    profile = import_logs(logs, nodes=2).profile
    assert profile is not None
    assert json.loads(profile.to_json())["collectives"]["exchange_per_byte"] == 0


def test_buffers_of_a_device_do_not_tell() -> None:
    device = latency().replace("OSU MPI Latency", "OSU MPI-CUDA Latency")
    logs = [written("apart.txt", device)]
    profile = import_logs(logs, within_node=[written("within.txt", device + "\n")]).profile
    assert profile is not None
    assert "collectives" not in json.loads(profile.to_json())


def test_predictions_count_what_is_combined() -> None:
    apart = written("apart.txt", APART)
    plain = import_logs([apart]).profile
    full = import_logs(
        [apart], within_node=[written("a.txt", latency()), written("b.txt", both_ways(20000))]
    ).profile
    assert plain is not None and full is not None

    def seconds(profile: Any, operation: str) -> float:
        asked: dict[str, Any] = {"ranks": [8], "sizes": [1 << 20], "model": "model"}
        made = predict(profile, operation, algorithm="binomial", **asked)
        return float(made.seconds[0, 0])

    # Of a reduce, three messages are combined and the own data is copied; of a bcast nothing is.
    more = seconds(full, "reduce") - seconds(plain, "reduce")
    assert more == pytest.approx((3 * 1.5e-10 + 1e-10) * (1 << 20), rel=1e-3)
    assert seconds(full, "bcast") == seconds(plain, "bcast")


def several_pairs(pairs: int, rate: float) -> str:
    """A flood of several pairs at once, whose sum is `rate` MB/s."""
    return (
        f"# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: {pairs} ] "
        f"[ window size: 64 ]\n# Size                  MB/s        Messages/s\n"
        f"{4 << 20:<10}{rate:18.2f}{rate * 1e6 / (4 << 20):18.2f}\n"
    )


def test_pairs_that_are_slower_together_share_memory() -> None:
    # A pair alone has 8 GB/s, of 16 pairs together each has 4.
    made = document(latency(), one_way(8000), several_pairs(16, 64000))
    assert made["collectives"]["node_copy"] == pytest.approx(1 / (2 * 64e9))
    assert "16 pairs of one node" in made["machine"]["collectives, derived"]


def test_pairs_that_are_as_fast_together_do_not_tell() -> None:
    fast = document(latency(), one_way(8000), several_pairs(4, 31000))
    assert fast["collectives"]["node_copy"] == 0
    unknown = document(latency(), several_pairs(16, 64000))
    assert unknown["collectives"]["node_copy"] == 0


def test_the_memory_bandwidth_of_a_node_may_be_said() -> None:
    profile = import_logs([written("apart.txt", APART)], nodes=2, memory_bandwidth=350e9).profile
    assert profile is not None
    made = json.loads(profile.to_json())
    assert made["collectives"]["node_copy"] == pytest.approx(2 / 350e9)
    assert "memory bandwidth" in made["machine"]["collectives, derived"]
