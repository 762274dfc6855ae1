#!/usr/bin/env python3
"""The error of predictions on two real ranks, in new launches, at sizes that were not sampled.

Calibrates each target by the medians of three launches. Then times messages and broadcasts,
contiguous and strided, as a derived type and packed by hand, in three rounds of launches. Prints
the median and the worst error, against the median of the rounds and against single launches; how
much the rounds differ; how well the prediction, and how well one round, tells the median of the
others; and how often the faster one of derived type and packing is predicted, if they differ by
more than a tenth. All of that is of what was timed in the profile's
environment; how far off the others are is printed apart. Needs a quiet machine.

    build/venv/bin/python bench/validate_real.py --on net:1gbit,mpi:2 --mpi openmpi,mpich
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from calibrated import calibrated

from lapwing import Profile
from lapwing.launch import Launch, parse
from lapwing.validation.validate import in_place, validate

# None of them is a power of two, or another size or stride that a calibration measures.
SIZES = [3, 24, 100, 700, 3000, 12_000, 50_000, 200_000, 700_000]
STRIDED_SIZES = [1504, 6000, 24_000, 100_000, 400_000]
STRIDES = [24, 40, 136, 520, 2056]
# Parts of a profile that predictions of two ranks use.
PARTS = ["tables", "latency", "protocol", "log3p"]
LAUNCHES = 3  # of a calibration
TELLING = 0.1  # derived type and packing are compared if they differ by more than this share


def errors(results: Sequence[dict[str, Any]], words: str) -> None:
    """A line on the errors of some results, and lines on their launches."""
    alike = [result for result in results if in_place(result)]
    away = [abs(result["error"]) for result in results if not in_place(result)]
    cells = list(cells_of(alike).values())
    if not alike:
        print(f"  {words:34} none was timed in the profile's environment")
        return
    found = [(predicted(cell) / seconds(cell) - 1, cell[0]) for cell in cells]
    sizes = [abs(each) for each, _ in found]
    worst, where = max(found, key=lambda each: abs(each[0]))
    single = statistics.median(abs(result["error"]) for result in alike)
    apart = statistics.median(
        max(times) / min(times) - 1
        for times in ([result["measured"]["seconds"] for result in cell] for cell in cells)
    )
    print(
        f"  {words:34} {len(found):4} cells, median {statistics.median(sizes):6.1%}, mean "
        f"{statistics.mean(sizes):6.1%}, worst {worst:+.1%} at {where['size']} B"
        + (f", stride {where['stride']}" if "stride" in where else "")
    )
    print(f"  {'':34} single launches: median {single:6.1%}; the rounds apart: {apart:6.1%}")
    if away:
        print(
            f"  {'':34} in another environment: {len(away)} of {len(results)}, median "
            f"{statistics.median(away):6.1%}"
        )
    several = [cell for cell in cells if len(cell) > 1]
    if several:
        told, telling = others(several)
        print(
            f"  {'':34} the other rounds, by the prediction: {told:6.1%}; by a round: "
            f"{telling:6.1%}"
        )


def others(cells: Sequence[Sequence[dict[str, Any]]]) -> tuple[float, float]:
    """Median errors against the median of all rounds but one: of the prediction, of that one.

    Nothing tells the time of a cell better than measuring it once more. A prediction with the same
    error is as good as possible on this machine.
    """
    told: list[float] = []
    telling: list[float] = []
    for cell in cells:
        for result in cell:
            rest = seconds([other for other in cell if other is not result])
            told.append(abs(predicted(cell) / rest - 1))
            telling.append(abs(result["measured"]["seconds"] / rest - 1))
    return statistics.median(told), statistics.median(telling)


def cells_of(results: Sequence[dict[str, Any]]) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """The results of each cell, one for each round."""
    cells: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for result in results:
        key = tuple(result.get(name) for name in ("operation", "size", "stride", "packed"))
        cells.setdefault(key, []).append(result)
    return cells


def seconds(cell: Sequence[dict[str, Any]]) -> float:
    """The median of the rounds, because single launches differ by more than a tenth."""
    return float(statistics.median(result["measured"]["seconds"] for result in cell))


def predicted(cell: Sequence[dict[str, Any]]) -> float:
    """The predicted seconds of a cell, the same in every round."""
    return float(cell[0]["predicted"]["seconds"])


def decisions(results: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """How many pairs of packed and derived are predicted in the right order, and of how many."""
    pairs: dict[tuple[Any, ...], dict[bool, list[dict[str, Any]]]] = {}
    alike = [result for result in results if in_place(result)]
    for (*place, packed), cell in cells_of(alike).items():
        pairs.setdefault(tuple(place), {})[packed] = cell
    right = telling = 0
    for pair in pairs.values():
        if len(pair) < 2:
            continue
        derived, by_hand = seconds(pair[False]), seconds(pair[True])
        if max(derived, by_hand) <= (1 + TELLING) * min(derived, by_hand):
            continue
        telling += 1
        right += (predicted(pair[True]) < predicted(pair[False])) == (by_hand < derived)
    return right, telling


def compare(
    launch: Launch,
    profile: Profile,
    rounds: int,
    wait: float | None,
    keep: Callable[[list[dict[str, Any]]], None],
) -> None:
    """Time one target in several rounds, and print a summary of the results.

    keep: called with the results after each round, because a round takes minutes.
    """
    side_by_side: list[dict[str, Any]] = []
    strided: list[dict[str, Any]] = []
    for number in range(rounds):
        found = validate(profile, ["send"], on=launch, sizes=SIZES, wait=wait)["results"]
        side_by_side += [{**result, "round": number} for result in found]
        for stride in STRIDES:
            found = validate(
                profile,
                ["send", "bcast"],
                on=launch,
                sizes=STRIDED_SIZES,
                stride=stride,
                algorithm="mpi",
                wait=wait,
            )["results"]
            strided += [{**result, "round": number} for result in found]
        keep(side_by_side + strided)
    errors(side_by_side, "send")
    for operation in ("send", "bcast"):
        for packed in (False, True):
            some = [r for r in strided if (r["operation"], r["packed"]) == (operation, packed)]
            errors(some, f"{operation}, {'packed by hand' if packed else 'derived type'}")
        right, telling = decisions([r for r in strided if r["operation"] == operation])
        print(f"  {operation}: pack or derived type, decided rightly in {right} of {telling}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--on", default="net:1gbit,mpi:2")
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--rounds", type=int, default=3, help="launches of each cell")
    parser.add_argument("--profiles", type=Path, help="keep profiles there, and use those there")
    parser.add_argument("--json", type=Path, help="write all results there, after each round")
    parser.add_argument("--wait", type=float, help="seconds for the best processors, each launch")
    arguments = parser.parse_args()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(Path(__file__).parents[1] / "build" / "bin"))
    everything: dict[str, Any] = {}
    for target in arguments.on.split(","):
        for mpi in arguments.mpi.split(","):
            begin = time.monotonic()
            launch = Launch(parse(target), mpi, timeout=600)
            text = calibrated(launch, arguments.profiles, PARTS, LAUNCHES, arguments.wait)
            print(f"{target}, {mpi}: calibrated after {time.monotonic() - begin:.0f} s")
            for warning in json.loads(text)["warnings"]:
                print(f"  warning: {warning}")
            sys.stdout.flush()

            def keep(results: list[dict[str, Any]], place: str = f"{target} {mpi}") -> None:
                everything[place] = results
                if arguments.json:
                    arguments.json.write_text(json.dumps(everything, indent=1))

            compare(launch, Profile.from_json(text), arguments.rounds, arguments.wait, keep)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
