"""Choices by measurements that are made here: what must be told, and what must not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lapwing import Cell, Measurements, load_profile
from lapwing.tuning.cases import Case, Observation, Place
from lapwing.tuning.choices import Choice, decisions
from lapwing.tuning.decisions.formats import write
from lapwing.tuning.decisions.library import parse_library
from lapwing.tuning.estimates import Estimates
from lapwing.tuning.measured import Measured
from lapwing.tuning.references import References
from lapwing.tuning.tune import candidates, tune

OPENMPI = parse_library("openmpi-4.1")
SIZES = [64, 512, 4096, 32768]


def cell(algorithm: str, size: int, seconds: float, **more: Any) -> Cell:
    return Cell(
        **{
            "operation": "allgather",
            "algorithm": algorithm,
            "size": size,
            "nodes": 8,
            "ranks_per_node": 1,
            "ranks": 8,
            "median": seconds,
            "mpi": "Open MPI 4.1.6",
            **more,
        }
    )


def curve(algorithm: str, factor: float, sizes: Sequence[int] = SIZES, **more: Any) -> list[Cell]:
    """What an algorithm takes, as a multiple of 10 us + 2 ns a byte."""
    return [cell(algorithm, size, factor * (1e-5 + 2e-9 * size), **more) for size in sizes]


def chosen(cells: Sequence[Cell], **more: Any) -> list[Choice]:
    options = {"operations": ["allgather"], "ranks": [8], "sizes": SIZES, **more}
    profile = load_profile("ranger")
    measured = Measured(profile, OPENMPI, Measurements(cells), options["operations"])
    return tune(profile, OPENMPI, **options, measured=measured)


def told(choices: Sequence[Choice]) -> list[tuple[int, str | None]]:
    (choice,) = choices
    return [(rule.size, rule.algorithm) for rule in choice.rules]


def test_a_default_that_is_the_best_stays() -> None:
    cells = curve("default", 1) + curve("ring", 1.5) + curve("bruck", 2)
    assert told(chosen(cells)) == [(0, None)]


def test_an_algorithm_that_wins_clearly_is_told() -> None:
    choices = chosen(curve("default", 1) + curve("ring", 0.5) + curve("bruck", 2))
    assert told(choices) == [(0, "ring")]
    (rule,) = choices[0].rules
    assert rule.default is not None
    assert rule.default[0] == pytest.approx(1e-5 + 2e-9 * 64, rel=0.1)
    assert rule.seconds[0] == pytest.approx(0.5e-5 + 1e-9 * 64, rel=0.1)
    assert "4 0 0  # ring" in write(decisions(choices, 1), OPENMPI, "")


def test_an_algorithm_that_wins_at_some_sizes_is_told_there_alone() -> None:
    cells = curve("default", 1) + curve("ring", 2, SIZES[:2]) + curve("ring", 0.4, SIZES[2:])
    assert told(chosen(cells)) == [(0, None), (4096, "ring")]
    cells = curve("default", 1) + curve("ring", 0.4, SIZES[:2]) + curve("ring", 2, SIZES[2:])
    # No further than was looked at.
    assert told(chosen(cells)) == [(0, "ring"), (513, None)]


def test_what_wins_within_the_noise_is_not_told() -> None:
    cells = curve("default", 1) + curve("ring", 0.95)
    assert told(chosen(cells)) == [(0, None)]
    # Many runs leave no doubt.
    runs = [replace(each, run=str(run)) for each in cells for run in range(100)]
    assert told(chosen(runs)) == [(0, "ring")]


def test_a_gain_that_is_not_worth_it_is_not_told() -> None:
    cells = curve("default", 1) + curve("ring", 0.98)
    runs = [replace(each, run=str(run)) for each in cells for run in range(1000)]
    assert told(chosen(runs)) == [(0, None)]


def test_few_scattered_iterations_are_no_proof() -> None:
    cells = curve("default", 1) + curve("ring", 0.7)
    assert told(chosen(cells)) == [(0, "ring")]
    vague = [replace(c, quartiles=(c.seconds / 2, c.seconds * 2), samples=3) for c in cells]
    assert told(chosen(vague)) == [(0, None)]
    often = [replace(each, samples=30000) for each in vague]
    assert told(chosen(often)) == [(0, "ring")]


def test_between_measured_sizes_it_is_told_and_far_away_it_is_not() -> None:
    few = [64, 512, 4096]
    cells = curve("default", 1, few) + curve("ring", 0.4, few)
    assert told(chosen(cells, sizes=[64, 128, 256, 512])) == [(0, "ring")]
    (choice,) = chosen(cells, ranks=[8], sizes=[64, 1 << 26])
    assert [rule.algorithm for rule in choice.rules] == ["ring", None]
    (choice,) = chosen(cells, ranks=[2048])
    assert not choice.departs


def test_what_holds_on_these_ranks_need_not_hold_on_more() -> None:
    (choice,) = chosen(curve("default", 1) + curve("ring", 0.75), ranks=[8, 1024])[:1]
    assert [rule.algorithm for rule in choice.rules] == ["ring"]
    assert choice.anywhere is not None
    assert [rule.algorithm for rule in choice.anywhere] == [None]


def test_without_a_measured_default_nothing_is_told() -> None:
    choices = chosen(curve("ring", 0.1) + curve("bruck", 2))
    assert told(choices) == [(0, None)]
    assert choices[0].rules[0].default is None


def test_the_default_of_another_library_is_not_this_ones() -> None:
    cells = curve("default_mpich", 1, mpi="MPICH 4.1") + curve("ring", 0.1)
    assert told(chosen(cells)) == [(0, None)]
    measured = Measured(load_profile("ranger"), OPENMPI, Measurements(cells), ["allgather"])
    assert measured.count == 4
    assert measured.notes == ["4 times of what MPICH 4.1 chose by itself"]


def test_another_librarys_implementation_tells_less_than_ones_own() -> None:
    cells = curve("default", 1, [512]) + curve("ring_over", 0.85, [512], mpi="PICO")
    (choice,) = chosen(cells, sizes=[512])
    assert not choice.departs
    own = curve("default", 1, [512]) + curve("ring_ompi", 0.85, [512])
    (choice,) = chosen(own, sizes=[512])
    assert choice.departs


def test_only_what_the_library_can_be_told_is_chosen() -> None:
    cells = curve("default", 1) + curve("bine_send_static_over", 0.2) + curve("3dtorus_ompi", 0.1)
    assert told(chosen(cells)) == [(0, None)]
    # Its ring is wrong for operators that do not commute.
    cells = [replace(c, operation="allreduce") for c in curve("default", 1) + curve("ring", 0.3)]
    (choice,) = chosen(cells, operations=["allreduce"])
    assert not choice.departs
    (choice,) = chosen(cells, operations=["allreduce"], commutative=True)
    assert [rule.algorithm for rule in choice.rules][-1] == "ring"


def test_where_only_the_root_knows_the_size_an_algorithm_must_be_safe_at_all() -> None:
    def gather(cells: list[Cell]) -> list[Cell]:
        return [replace(each, operation="gather") for each in cells]

    wins = gather(curve("default", 1) + curve("linear", 0.5))
    assert told(chosen(wins, operations=["gather"])) == [(0, "linear")]
    loses = gather(curve("default", 1) + curve("linear", 0.2, SIZES[:3]))
    loses += gather(curve("linear", 1.3, SIZES[3:]))
    assert told(chosen(loses, operations=["gather"])) == [(0, None)]


def test_measurements_without_ranks_do_not_count() -> None:
    cells = curve("default", 1) + curve("ring", 0.5, nodes=None, ranks_per_node=None, ranks=None)
    profile = load_profile("ranger")
    measured = Measured(profile, OPENMPI, Measurements(cells), ["allgather"])
    assert measured.count == 4
    assert len(measured.notes) == 1


def suggested(cells: Sequence[Cell], count: int, sizes: Sequence[int] = SIZES) -> list[Any]:
    measured = Measured(load_profile("ranger"), OPENMPI, Measurements(cells), ["allgather"])
    names = {"allgather": candidates(OPENMPI, "allgather", False)}
    return measured.suggested(names, [8, 16], sizes, 1, count)


def test_suggestions_begin_with_what_nobody_measured() -> None:
    made = suggested([], 6)
    assert len(set(made)) == 6
    assert [case.label == "default" for case in made[:4]] == [True, False, True, False]
    assert {case.place.ranks for case in made[:4]} == {8, 16}
    assert made[0].place == made[1].place
    assert suggested([], 6) == made
    assert suggested([], 3) == made[:3]


def test_what_is_measured_is_not_suggested() -> None:
    cells = curve("default", 1) + curve("ring", 0.9)
    made = suggested(cells, 20)
    assert made
    known = {(each.algorithm, each.ranks, each.size) for each in cells}
    assert not known & {(case.label, case.place.ranks, case.place.size) for case in made}


def test_hopeless_algorithms_are_not_suggested() -> None:
    cells = [
        each
        for name in ("default", *candidates(OPENMPI, "allgather", False))
        for each in curve(name, 1 if name in ("default", "ring") else 50)
        + curve(name, 1 if name in ("default", "ring") else 50, nodes=16, ranks=16)
    ]
    made = suggested(cells, 4, [*SIZES, 1024])
    assert {case.label for case in made} <= {"default", "ring"}


def case(label: str, size: int, algorithm: str | None = None, ranks: int = 8) -> Case:
    return Case(Place("allgather", ranks, 1, size), label, algorithm)


def known(factors: dict[Case, float]) -> tuple[Estimates, References]:
    """What is known after some cases took so many times what is predicted."""
    references = References(load_profile("ranger"), {"allgather": ["ring", "bruck"]})
    seconds = references.seconds(list(factors))
    observed = [
        Observation(one, factor * time)
        for (one, factor), time in zip(factors.items(), seconds, strict=True)
    ]
    return Estimates(references, observed), references


def test_what_was_measured_is_known_and_what_is_far_from_it_is_not() -> None:
    ring, further = case("ring", 512, "ring"), case("ring", 4096, "ring")
    far = case("ring", 1 << 28, "ring")
    estimates, references = known({ring: 3, case("ring", 64, "ring"): 3})
    made = estimates.of([ring, further, far])
    off = made.mean - np.log(references.seconds([ring, further, far]))
    assert off[0] == pytest.approx(np.log(3), abs=0.1)
    assert 0.5 * np.log(3) < off[1] < off[0]
    assert 0 <= off[2] < off[1]
    deviations = np.sqrt(np.diag(made.covariance))
    assert deviations[0] < 0.1 < deviations[1] < deviations[2]


def test_an_error_of_one_algorithm_says_less_of_another() -> None:
    same = case("ring of somebody", 512, "ring")
    other = case("bruck", 512, "bruck")
    estimates, references = known({case("ring", 512, "ring"): 3})
    off = estimates.of([same, other]).mean - np.log(references.seconds([same, other]))
    assert 0 < off[1] < off[0] < np.log(3)


def test_an_algorithm_without_a_model_is_not_extrapolated() -> None:
    estimates, _ = known({case("torus", 64): 0.1, case("torus", 4096): 0.1})
    assert estimates.proven(case("torus", 512))
    assert not estimates.proven(case("torus", 8192))
    assert not estimates.proven(case("torus", 512, ranks=16))
    assert not estimates.proven(case("ring", 512, "ring"))
