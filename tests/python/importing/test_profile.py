"""Profiles of logs between two ranks: how LogGP follows, what is kept of the logs, what is not."""

import json
from typing import Any

import pytest
from documents import check
from logs import written

from lapwing import LapwingError, import_logs, predict


def table(title: str, column: str, values: dict[int, float]) -> str:
    rows = "".join(f"{size:<10}{value:18.2f}\n" for size, value in values.items())
    return f"# OSU MPI {title} Test v7.4\n# Size{column:>22}\n{rows}"


def latency(values: dict[int, float]) -> str:
    return table("Latency", "Avg Latency(us)", values)


def bandwidth(values: dict[int, float], title: str = "Bandwidth") -> str:
    return table(title, "Bandwidth (MB/s)", values)


# Half round trips of 2 us and 0.1 ns/B.
TRIPS = {size: 2 + 1e-4 * size for size in (1, 64, 4096, 65536, 1 << 20, 4 << 20)}


def document(*texts: str, within: tuple[str, ...] = (), **said: Any) -> dict[str, Any]:
    logs = [written(f"{place}.txt", text) for place, text in enumerate(texts)]
    inside = [written(f"within-{place}.txt", text) for place, text in enumerate(within)]
    profile = import_logs(logs, within_node=inside, **said).profile
    assert profile is not None
    made: dict[str, Any] = json.loads(profile.to_json())
    check("profile", made)
    return made


def test_ping_pongs_alone_tell_the_sum() -> None:
    made = document(latency(TRIPS))
    loggp = made["loggp"]
    assert loggp["G"] == pytest.approx(1e-10)
    assert loggp["o_s"] == loggp["o_r"] == loggp["g"] == pytest.approx(0.5e-6)
    assert loggp["L"] == pytest.approx(1e-6, rel=1e-3)
    said = made["machine"]["derived"]
    assert "o_s = o_r = T/4 and L = T/2 of the half round trip T: a convention" in said
    assert "G is the slope of half round trips" in said
    assert "error" not in made or not any(made["error"].values())


def test_floods_bound_the_overhead() -> None:
    one = document(latency(TRIPS), bandwidth({1: 2.5, 4 << 20: 8000}))
    assert one["loggp"] == pytest.approx(
        {"L": 1.2e-6, "o_s": 4e-7, "o_r": 4e-7, "g": 4e-7, "G": 1.25e-10}, rel=1e-3
    )
    both = document(
        latency(TRIPS),
        bandwidth({1: 2.5, 4 << 20: 8000}),
        bandwidth({1: 4.0, 4 << 20: 12000}, "Bi-Directional Bandwidth"),
    )
    assert both["loggp"] == pytest.approx(
        {"L": 1.5e-6, "o_s": 2.5e-7, "o_r": 2.5e-7, "g": 4e-7, "G": 1.25e-10}, rel=1e-3
    )
    assert both["bandwidth"] == {
        "sizes": [1, 4 << 20],
        "unidirectional": [2.5e6, 8e9],
        "bidirectional": [4e6, 12e9],
    }
    # Floods that are slower than half round trips leave nothing for the wire.
    slow = document(latency(TRIPS), bandwidth({1: 0.2, 4 << 20: 8000}))
    assert slow["loggp"]["L"] == 0
    assert slow["loggp"]["o_s"] == pytest.approx(1e-6, rel=1e-3)


def test_a_message_by_itself_takes_what_was_measured() -> None:
    written("a.txt", latency(TRIPS))
    written("b.txt", bandwidth({1: 2.5, 4096: 4000, 4 << 20: 10000}))
    profile = import_logs(["a.txt", "b.txt"]).profile
    assert profile is not None
    predicted = predict(profile, "send", ranks=[2], sizes=list(TRIPS)).seconds[0]
    assert predicted == pytest.approx([1e-6 * time for time in TRIPS.values()], rel=0.01)


def test_what_no_log_has_is_0_and_said() -> None:
    made = document(latency(TRIPS), bandwidth({1: 4.0, 4096: 90}, "Bi-Directional Bandwidth"))
    assert made["bandwidth"]["unidirectional"] == [0, 0]
    assert set(made["latency"]["bandwidth"]) == {0}
    assert "bandwidth one way" in made["machine"]["missing"]
    assert "unknown whether within a node or between two" in made["machine"]["ranks"]
    # Both ways at sizes of which only some have a rate one way: none is left out by zeros.
    made = document(
        latency(TRIPS),
        bandwidth({1: 2.0, 4096: 50, 65536: 80}),
        bandwidth({1: 4.0, 4096: 90}, "Bi-Directional Bandwidth"),
    )
    assert made["bandwidth"]["sizes"] == [1, 4096]


def test_several_logs_count_by_their_median_and_keep_their_spread() -> None:
    logs = [latency({1: time, 4096: 4.0}) for time in (2.0, 2.5, 2.2)]
    made = document(*logs, bandwidth({1: 2.5}))
    assert made["latency"]["half_round_trip"] == [2.2e-6, 4e-6]
    trips, rates = made["imported"]
    assert trips["table"] == "latency.half_round_trip"
    assert [log["file"] for log in trips["logs"]] == ["0.txt", "1.txt", "2.txt"]
    assert trips["logs"][0] == {"file": "0.txt", "tool": "OSU micro-benchmarks", "version": "7.4"}
    assert (trips["values"], trips["low"], trips["high"]) == ([3, 3], [2e-6, 4e-6], [2.5e-6, 4e-6])
    assert (rates["table"], rates["values"]) == ("bandwidth.unidirectional", [1])
    assert made["error"]["L"] == pytest.approx(0.25 / 2.2)


def test_within_a_node_is_a_pair_of_its_own() -> None:
    inside = latency({1: 0.4, 1 << 20: 60.4}), bandwidth({1: 9.0}, "Bi-Directional Bandwidth")
    made = document(latency(TRIPS), within=inside, nodes=2, system="thing", mpi="MPI 1")
    assert made["machine"]["ranks"] == "2, between two nodes"
    assert (made["machine"]["name"], made["machine"]["mpi"]) == ("thing", "MPI 1")
    (pair,) = made["pairs"]
    assert (pair["name"], pair["sizes"]) == ("within a node", [1, 1 << 20])
    assert pair["half_round_trip"] == [4e-7, 6.04e-5]
    assert (pair["bandwidth"], pair["bidirectional"]) == ([0, 0], [9e6, 0])
    places = [each["table"] for each in made["imported"]]
    assert places[1:] == ["pairs[0].half_round_trip", "pairs[0].bidirectional"]
    # Alone it is the profile.
    alone = document(within=inside)
    assert alone["machine"]["ranks"] == "2, within a node"
    assert alone["loggp"] == pair["loggp"]
    assert document(inside[0], nodes=1)["machine"]["ranks"] == "2, within a node"


def test_floods_of_many_pairs_become_a_pattern() -> None:
    text = (
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
        "# [ pairs: 8 ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n"
        "1                       8.00        8000000.00\n1048576  16000.00  15258.78\n"
    )
    made = document(latency(TRIPS), text)
    (pattern,) = made["patterns"]
    assert (pattern["pattern"], pattern["processes"]) == ("cross-bisection", [16])
    assert pattern["slowest"] == pattern["fastest"]
    assert pattern["slowest"][0] == pytest.approx([1e-6, 0.5e-9], rel=1e-4)
    assert "patterns[0].slowest[0][1]" in made["interpolated"]
    assert made["bandwidth"]["sizes"] == []
    assert "patterns" not in document(latency(TRIPS), text, nodes=1)


def test_tables_of_messages() -> None:
    text = "size,latency_us,bandwidth_MB/s\n1,2.0,2.5\n1048576,200,8000\n"
    written("t.csv", text)
    profile = import_logs(["t.csv"]).profile
    assert profile is not None
    assert pytest.approx(8e9) == 1 / profile.loggp.G
    assert profile.loggp.g == pytest.approx(4e-7)


def test_short_messages_alone_do_not_show_a_byte() -> None:
    made = document(latency({1: 2.0, 1024: 2.5}))
    assert "G is that of messages up to 1024 bytes" in made["machine"]["derived"]


def test_half_round_trips_that_fall_still_give_a_time_per_byte() -> None:
    made = document(latency({1: 2.0, 1024: 1.9, 2048: 1.8}))
    assert made["loggp"]["G"] == pytest.approx(1.8e-6 / 2048)
    assert "their slope is not positive" in made["machine"]["derived"]


def test_systems_are_not_mixed() -> None:
    written("t.csv", "bytes,value,cloud\n1,2.0,one\n1,3.0,other\n")
    with pytest.raises(LapwingError) as raised:
        import_logs(["t.csv"], value="latency")
    assert str(raised.value).startswith(
        "the logs are of several systems, a profile is of one: one, other"
    )
    assert import_logs(["t.csv"], value="latency", only={"cloud": ["one"]}).profile is not None


def test_half_round_trips_are_needed() -> None:
    written("bw.txt", bandwidth({1: 2.5}))
    with pytest.raises(LapwingError, match=r"bw.txt: a profile needs half round trips, too"):
        import_logs(["bw.txt"])
    made = document(latency(TRIPS), within=(bandwidth({1: 2.5}),))
    assert "pairs" not in made
    assert made["warnings"][0].startswith("within a node: no half round trips")
