"""What others would predict of the same cells from the same measurements."""

from collections.abc import Iterator, Sequence

import numpy as np

from lapwing import _core
from lapwing.fitting.model import predicted
from lapwing.fitting.points import Point

from . import hockney, regression
from .extrapolation import Extrapolation
from .predictions import Vector, errors, median_and_nine_of_ten


def report(systems: Sequence[Extrapolation]) -> None:
    """Print a line of each baseline on each system, with the errors of Lapwing's fit beside it."""
    print(f"{'':38}{'baseline':>18}{'Lapwing':>18}")
    print(f"{'system':12}{'baseline':18}{'cells':>8}" + f"{'median':>9}{'90 %':>9}" * 2)
    for each in systems:
        if each.left_out is not None:
            print(f"{each.system:11} left out: {each.left_out}")
            continue
        for name, places, seconds in _baselines(each):
            if not places:
                print(f"{each.system:11} {name:18}{0:8}")
                continue
            points = [each.more[place] for place in places]
            ours = each.predicted[places]
            print(
                f"{each.system:11} {name:18}{len(places):8}"
                f"{median_and_nine_of_ten(errors(seconds, points))}"
                f"{median_and_nine_of_ten(errors(ours, points))}"
            )
    if not regression.available():
        print("no regression: it needs scikit-learn (scripts/python-environment bench)")


def _baselines(each: Extrapolation) -> Iterator[tuple[str, list[int], Vector]]:
    """The name of each baseline, the places of the cells that it predicts, and its times."""
    everywhere = list(range(len(each.more)))
    printed = [place for place, point in enumerate(each.more) if is_printed(point)]
    yield "printed formulas", printed, _printed_seconds(each, printed)
    model = hockney.fitted(each.few)
    yield "Hockney", everywhere, model.seconds(each.more)
    known = [place for place, point in enumerate(each.more) if model.knows(point)]
    yield "  known algorithms", known, model.seconds([each.more[place] for place in known])
    if regression.available():
        yield "boosted trees", everywhere, regression.seconds(each.few, each.more)


def is_printed(point: Point) -> bool:
    """Whether a paper prints a formula for the algorithm."""
    return bool(_core.is_printed(point.group.operation, point.group.algorithm, False))


def _printed_seconds(each: Extrapolation, places: Sequence[int]) -> Vector:
    """By the formulas as papers print them, with LogGP parameters of the same fit."""
    points = [each.more[place] for place in places]
    if not points:
        return np.empty(0)
    return predicted(each.fitted.profile, points, model="printed")
