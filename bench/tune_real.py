#!/usr/bin/env python3
"""How good the choices of algorithms are that a tenth of a real machine's measurements make.

    build/venv/bin/python bench/tune_real.py --data DIR [--seeds 2] [--system lumi ...]

DIR holds `collectives.csv`, a table that `lapwing import` reads. For each system, and for several
samples, it measures by looking up:

1. Of each operation and number of nodes the library's own choice and a random algorithm at one
   random size, and random algorithms until a profile can be fitted. These depend on the seed.
2. In eight rounds what `lapwing tune --suggest` would suggest, until a tenth of the cells is used
   up. A cell is an operation by one algorithm, on so many nodes, with messages of one size, in all
   its runs.

Then it chooses at every operation, number of nodes and size of which the own choice and at least
two algorithms were measured, and compares with all cells. "own": among the library's algorithms;
"all": also those of the benchmark's author. Times are over that of the best measured algorithm;
"modelled": over the best of the own choice and those that Lapwing has a model of.
"slower": choices more than 5 % slower than the own choice and beyond its third quartile.
Nothing is timed here: the same on every machine.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lapwing import Measurements, import_logs, load_profile
from lapwing.fitting.fit import fit
from lapwing.fitting.fitted import Fitted
from lapwing.fitting.points import points_of
from lapwing.measurements.cell import Typical
from lapwing.prediction.algorithm_names import owner
from lapwing.tuning.cases import OWN_CHOICE, Case, Observation
from lapwing.tuning.choice import choose
from lapwing.tuning.estimates import Estimates
from lapwing.tuning.evidence import observations
from lapwing.tuning.references import References
from lapwing.tuning.suggest import alternatives, openings, suggest

# All costs that are tried are replaced by fitted ones.
BEGIN = "ranger"
ROUNDS = 8
# What a fit needs.
LEAST_POINTS = 8


@dataclass(frozen=True)
class Machine:
    """All that was measured of a system: each case with its time and its cells."""

    measurements: Measurements
    seen: dict[Case, Observation]
    typical: dict[Case, Typical]

    def measured(self, cases: Sequence[Case]) -> Measurements:
        """The cells of some cases alone."""
        cells = [cell for case in cases for cell in self.typical[case].cells]
        return replace(self.measurements, cells=cells)


def machine(measurements: Measurements, own: bool) -> Machine:
    """own: without what is not the library's own."""
    cells = [c for c in measurements.cells if not own or owner(c.algorithm, c.mpi or "") != "pico"]
    kept = replace(measurements, cells=cells)
    made, notes = observations(load_profile(BEGIN), kept)
    assert not notes, notes
    typical = {each.case: one for each, one in zip(made, kept.typical(), strict=True)}
    return Machine(kept, {each.case: each for each in made}, typical)


def sampled(known: Machine, budget: int, seed: int) -> tuple[list[Case], Estimates]:
    """The cases that are measured, and what is then known."""
    chance = random.Random(seed)
    cases = list(known.seen)
    taken = openings(cases, [], chance)[: budget // 2]
    rest = [case for case in cases if case.algorithm is not None and case.label != OWN_CHOICE]
    chance.shuffle(rest)
    rest = [case for case in rest if case not in taken]
    while len(points_of(known.measured(taken))[0]) < LEAST_POINTS and len(taken) < budget:
        taken.append(rest.pop())
    begin = len(taken)
    for i in range(1, ROUNDS + 1):
        count = begin + (budget - begin) * i // ROUNDS - len(taken)
        taken += suggest(estimates(known, taken)[0], cases, set(taken), count)
    return taken, estimates(known, taken)[0]


def estimates(known: Machine, taken: Sequence[Case]) -> tuple[Estimates, Fitted]:
    """What is known after some cases were measured."""
    fitted = fit(load_profile(BEGIN), known.measured(taken))
    names = defaultdict(set)
    for case in known.seen:
        if case.algorithm is not None and case.label != OWN_CHOICE:
            names[case.place.operation].add(case.algorithm)
    references = References(fitted.profile, {name: sorted(each) for name, each in names.items()})
    observed = [known.seen[case] for case in taken]
    return Estimates(references, observed, (fitted.low, fitted.high)), fitted


def report(known: Machine, title: str, budget: int, seed: int) -> None:
    """A line of a system, and one for each choice that is slower than the default."""
    taken, knowledge = sampled(known, budget, seed)
    assert len(taken) <= budget and len(set(taken)) == len(taken)
    by_operation = defaultdict(list)
    for case in known.seen:
        by_operation[case.place.operation].append(case)
    chosen, modelled, default, departed, slower = [], [], [], 0, []
    for cases in by_operation.values():
        estimate = knowledge.of(cases)
        seconds = np.array([known.seen[case].seconds for case in cases])
        for place in alternatives(cases):
            if len(place.candidates) < 2:
                continue
            proven = [at for at in place.candidates if knowledge.proven(cases[at])]
            pick = choose(estimate, place.default, proven)
            best = min(seconds[[place.default, *place.candidates]])
            chosen.append(seconds[pick] / best)
            known_to_us = [at for at in place.candidates if cases[at].algorithm is not None]
            modelled.append(seconds[pick] / min(seconds[[place.default, *known_to_us]]))
            default.append(seconds[place.default] / best)
            departed += pick != place.default
            ratio = seconds[pick] / seconds[place.default]
            quartiles = [cell.quartiles for cell in known.typical[cases[place.default]].cells]
            third = max((each[1] for each in quartiles if each), default=0.0)
            if ratio > 1.05 and seconds[pick] > third:
                slower.append((cases[pick], ratio))
    print(
        f"{title:16}{seed:5}{len(taken):7}{len(chosen):8}{np.mean(default):9.3f}"
        f"{np.mean(chosen):8.3f}{np.mean(modelled):10.3f}{max(chosen):8.2f}{departed:6}"
        f"{len(slower):8}",
        flush=True,
    )
    for case, ratio in slower:
        place = case.place
        print(f"  {place.operation}, {place.ranks}, {place.size} B: {case.label}, {ratio:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with collectives.csv")
    parser.add_argument("--share", type=float, default=0.1, help="of the cells (default: 0.1)")
    parser.add_argument("--seeds", type=int, default=2, help="number of samples (default: 2)")
    parser.add_argument("--system", nargs="+", help="only these")
    arguments = parser.parse_args()
    imported = import_logs([str(arguments.data / "collectives.csv")])
    assert imported.measurements is not None
    systems = defaultdict(list)
    for cell in imported.measurements.cells:
        systems[cell.system or "?"].append(cell)
    print(
        f"{'system':16}{'seed':>5}{'cells':>7}{'places':>8}{'default':>9}{'choice':>8}"
        f"{'modelled':>10}{'worst':>8}{'told':>6}{'slower':>8}"
    )
    for system, cells in systems.items():
        if arguments.system and system not in arguments.system:
            continue
        for among in ("all", "own"):
            known = machine(Measurements(cells), among == "own")
            for seed in range(arguments.seeds):
                budget = int(arguments.share * len(known.seen))
                report(known, f"{system}, {among}", budget, seed)


if __name__ == "__main__":
    main()
