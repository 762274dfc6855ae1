"""What implementations do otherwise than the model, from ratios of measured and predicted times."""

import numpy as np
import pytest

from lapwing.fitting.factors import factors
from lapwing.fitting.points import Group, Point

SIZES = [2**power for power in range(3, 24, 2)]


def points(algorithm: str = "ring", operation: str = "allreduce") -> list[Point]:
    group = Group(operation, algorithm, 8, 1)
    return [Point(group, size, 1e-5) for size in SIZES]


def test_what_all_sizes_say_is_nearly_believed() -> None:
    (found,) = factors(points(), np.full(len(SIZES), 2.0))
    assert (found["operation"], found["algorithm"]) == ("allreduce", "ring")
    assert found["sizes"] == SIZES
    assert all(1.6 < factor < 2 for factor in found["factors"])


def test_a_model_that_is_right_stands() -> None:
    (found,) = factors(points(), np.ones(len(SIZES)))
    assert found["factors"] == pytest.approx(np.ones(len(SIZES)))


def test_a_single_time_is_half_believed() -> None:
    (found,) = factors(points()[:1], np.array([4.0]))
    assert 1.5 < found["factors"][0] < 4


def test_a_wild_time_counts_little() -> None:
    ratios = np.full(len(SIZES), 1.1)
    ratios[5] = 8.0
    (found,) = factors(points(), ratios)
    assert found["factors"][5] < 1.3


def test_short_and_long_messages_have_factors_of_their_own() -> None:
    ratios = np.where(np.arange(len(SIZES)) < 5, 0.5, 2.0)
    (found,) = factors(points(), ratios)
    assert found["factors"][0] < 0.65
    assert found["factors"][-1] > 1.5


def test_algorithms_are_apart() -> None:
    both = [*points("ring"), *points("ring", "allgather")]
    ratios = np.repeat([0.5, 1.0], len(SIZES))
    gathers, reductions = factors(both, ratios)
    assert gathers["operation"] == "allgather"
    assert gathers["factors"] == pytest.approx(np.ones(len(SIZES)))
    assert max(reductions["factors"]) < 0.65
