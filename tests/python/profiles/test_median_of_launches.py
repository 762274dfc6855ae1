"""One profile from several launches."""

import copy
import json
from typing import Any

import pytest
from documents import check, kept

from lapwing import Profile
from lapwing.profiles.median_of_launches import median_of_launches


def launches(*factors: float) -> list[dict[str, Any]]:
    """As many launches, each as many times as slow."""
    profiles = []
    for factor in factors:
        profile = copy.deepcopy(kept("full"))
        for name in ("L", "o_s", "o_r"):
            profile["loggp"][name] *= factor
        profile["latency"]["half_round_trip"] = [
            seconds * factor for seconds in profile["latency"]["half_round_trip"]
        ]
        profiles.append(profile)
    return profiles


def combined(profiles: list[dict[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(median_of_launches([json.dumps(one) for one in profiles]))
    check("profile", document)
    Profile.from_json(json.dumps(document))
    return document


def test_one_launch_is_what_it_is() -> None:
    text = json.dumps(kept("full"))
    assert median_of_launches([text]) == text


def environment(**values: float) -> dict[str, dict[str, float]]:
    """Of one part, by the values of its indicators."""
    return {name: {"value": value, "tolerance": 1.4} for name, value in values.items()}


def test_each_cost_is_the_median() -> None:
    profiles = launches(1.5, 1.0, 1.2)
    profiles[1]["loggp"]["G"] *= 3
    profiles[2]["loggp"]["G"] *= 2
    found = combined(profiles)
    full = kept("full")
    assert found["loggp"]["o_s"] == pytest.approx(1.2 * full["loggp"]["o_s"])
    assert found["loggp"]["G"] == pytest.approx(2 * full["loggp"]["G"])
    assert found["latency"]["half_round_trip"] == pytest.approx(
        [1.2 * seconds for seconds in full["latency"]["half_round_trip"]]
    )
    assert found["latency"]["sizes"] == full["latency"]["sizes"]
    assert found["machine"] == {**full["machine"], "launches": "3"}
    assert list(found) == list(full)


def test_launches_do_not_count_whose_processors_lay_further_apart() -> None:
    profiles = launches(3.0, 1.0, 1.2, 3.1)
    for profile, line in zip(profiles, [120e-9, 26e-9, 28e-9, 180e-9], strict=True):
        profile["environment"] = {"loggp": environment(cache_line_seconds=line)}
    found = combined(profiles)
    full = kept("full")
    assert found["machine"]["launches"] == "2"
    assert found["loggp"]["o_s"] == pytest.approx(1.1 * full["loggp"]["o_s"])
    line = found["environment"]["loggp"]["cache_line_seconds"]["value"]
    assert line == pytest.approx(27e-9)


@pytest.mark.parametrize("name", ["core_throughput_seconds", "syscall_seconds"])
def test_launches_do_not_count_whose_processors_were_worse_off(name: str) -> None:
    profiles = launches(1.5, 1.0, 1.2)
    for profile, seconds in zip(profiles, [7e-6, 4e-6, 4.1e-6], strict=True):
        profile["environment"] = {"loggp": environment(**{name: seconds})}
    found = combined(profiles)
    assert found["machine"]["launches"] == "2"
    assert found["loggp"]["o_s"] == pytest.approx(1.1 * kept("full")["loggp"]["o_s"])


def test_launches_do_not_count_for_a_part_they_measured_worse_off() -> None:
    profiles = launches(3.0, 1.0, 1.2)
    near, far = (environment(cache_line_seconds=line) for line in (27e-9, 150e-9))
    for profile, loggp, latency in zip(profiles, [near, far, near], [far, far, near], strict=True):
        # Each launch met the near environment at some time: it counts for the other parts.
        profile["environment"] = {"loggp": loggp, "latency": latency, "plogp": near}
    found = combined(profiles)
    full = kept("full")
    assert found["machine"]["launches"] == "3"
    assert found["loggp"]["o_s"] == pytest.approx(2.1 * full["loggp"]["o_s"])
    assert found["latency"]["half_round_trip"] == pytest.approx(
        [1.2 * seconds for seconds in full["latency"]["half_round_trip"]]
    )
    assert found["environment"] == {"loggp": near, "latency": near, "plogp": near}


def test_a_size_that_others_lack_moves_with_those_beside_it() -> None:
    profiles = launches(1.0, 2.0, 4.0)
    for profile in profiles:
        sizes = profile["latency"]["sizes"]
        profile["latency"] = {
            "sizes": [*sizes, 2 * sizes[-1]],
            "half_round_trip": [1e-6, 2e-6, 4e-6],
            "bandwidth": [1e9, 1e9, 1e9],
        }
    profiles[1]["latency"]["sizes"][1] += 8
    profiles[0]["latency"]["half_round_trip"][0] = 0.5e-6
    profiles[2]["latency"]["half_round_trip"] = [0.7e-6, 5e-6, 6e-6]
    found = combined(profiles)
    assert found["latency"]["sizes"] == profiles[1]["latency"]["sizes"]
    # 0.7 of 1 before it, as much behind it.
    assert found["latency"]["half_round_trip"] == pytest.approx([0.7e-6, 0.85 * 2e-6, 4e-6])
    profiles[0]["log3p"]["sizes"][0] -= 8
    found = combined(profiles)["log3p"]
    assert found["sizes"] == profiles[1]["log3p"]["sizes"]
    assert found["remote"] == profiles[1]["log3p"]["remote"]
    assert found["crossover"] == profiles[1]["log3p"]["crossover"]


def test_a_table_along_other_switches_is_the_middle_launch_s() -> None:
    profiles = launches(1.0, 2.0, 4.0)
    profiles[2]["protocol"]["switches"] = profiles[2]["protocol"]["switches"][:-1]
    profiles[2]["protocol"]["switch_costs"] = profiles[2]["protocol"]["switch_costs"][:-1]
    assert combined(profiles)["protocol"] == profiles[1]["protocol"]


def test_what_some_did_not_find_is_the_middle_launch_s() -> None:
    profiles = launches(1.0, 2.0, 4.0)
    del profiles[0]["progress"]["exposed_time"]
    profiles[2]["progress"]["poll_interval"] = 9e-5
    profiles[0]["queue_depth"] = None
    profiles[2]["queue_depth"] = None
    profiles[2]["warnings"] = ["three", "one"]
    found = combined(profiles)
    assert found["progress"]["exposed_time"] == profiles[1]["progress"]["exposed_time"]
    assert found["progress"]["poll_interval"] == 2e-5
    assert found["queue_depth"] == 64
    assert found["warnings"] == ["one", "two", "three"]
