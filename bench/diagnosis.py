#!/usr/bin/env python3
"""What the paper's planner loses on the observed map, diagnosed rightly and wrongly.

Table 2B of Iancu and Strohmaier (2007) by the paper's definition: all times are observed, none is a
model's. Of each workload the whole map is run, and a loss is (T - T_best) / T_blocking of the cell
that the planner names:

    model         the paper's planner, told the true computation
    equations     the equations of the other case (7 where communication takes longer, 5 where
                  computation does) with the true computation
    computation   the computation thought to be as much longer than the communication as it is
                  shorter, or the other way round: the planner then takes the other equations, too
    unbounded     of a stream in which communication takes longer: equation 7 without constraint 3,
                  which is least for two bursts of the smallest messages that the queue takes
    half, double  the computation thought half or twice as long
    bursts        of an all-to-all: equations 10 and 11 minimised over the burst as well

    build/venv/bin/python bench/diagnosis.py table --clusters ib4x
    build/venv/bin/python bench/diagnosis.py summary
    build/venv/bin/python bench/diagnosis.py bursts --clusters ib4x hdr elan4

`table` prints every workload of a cluster, `summary` counts over all clusters, `bursts` compares
equation 11 for b = 1 with its minimum. `--json FILE` keeps the losses; `--from FILE` reads them
instead of running anything.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from lapwing import Profile, plan
from lapwing.measure.calibrate import calibrate
from lapwing.measure.sweep import Workload, sweep
from lapwing.testbed import shipped_clusters

# Computation over communication: the paper's figures 7 and 8.
RATIOS = {"communication": 0.43, "computation": 1.6}
VOLUMES = [2 << 10 << doubling for doubling in range(10)]  # doubles
RANKS = 9  # eight others, so that a part is a power of two
MOST = 64  # messages to each peer where there are several: what is finer takes too long to run
PARTS = ["tables", "latency", "patterns", "protocol"]
# Patterns that the paper has a model of, and the volumes of each.
PATTERNS = {
    "stream": VOLUMES,
    "multi": VOLUMES[::3],
    "congested": VOLUMES[::3],
    "alltoall": VOLUMES[::3],
    "halo": VOLUMES[::3],
}
OTHER = {"communication": "paper-computation", "computation": "paper-communication"}


class Case(NamedTuple):
    """A workload: on which cluster, what, how much, and what takes longer."""

    cluster: str
    pattern: str
    doubles: int
    bound: str

    @property
    def ranks(self) -> int:
        """Ranks that take part."""
        return 2 if self.pattern == "stream" else RANKS

    def workload(self) -> Workload:
        """The workload as a sweep runs it."""
        volume = 8 * self.doubles
        peers = 2 if self.pattern == "halo" else None
        shared = {"multi": RANKS - 1, "alltoall": RANKS - 1, "halo": 2}
        part = volume // shared.get(self.pattern, 1)
        return Workload(
            volume,
            pattern=self.pattern,
            direction="fetch",
            dependence="tight",
            peers=peers,
            ratio=RATIOS[self.bound],
            transport="two-sided",
            # Messages of the map and of the planner are the same powers of two.
            grain=8 if self.pattern == "stream" else max(8, part // MOST),
        )


def losses(case: Case, profile: Profile) -> dict[str, Any]:
    """The losses of a workload by diagnosis, and what was chosen."""
    workload = case.workload()
    observed = sweep(
        profile,
        on=f"sim:{case.cluster}:{case.ranks}",
        smallest=workload.grain,
        **asdict(workload),
    )
    compute = observed["computation"]["seconds"]
    wire = compute / observed["ratio"]

    def choice(method: str, seconds: float) -> dict[str, Any]:
        chosen = plan(
            profile,
            volume=workload.volume,
            compute=seconds,
            grain=workload.grain,
            pattern=case.pattern,
            direction="fetch",
            dependence="tight",
            ranks=observed["ranks"],
            peers=observed["peers"],
            method=method,
        )
        return cell_of(observed["cells"], json.loads(chosen.to_json()))

    asked = {
        "model": ("paper", compute),
        "equations": (OTHER[case.bound], compute),
        "computation": ("paper", wire * wire / compute),
        "half": ("paper", compute / 2),
        "double": ("paper", compute * 2),
    }
    if case.pattern == "alltoall":
        asked["bursts"] = ("paper-bursts", compute)
    chosen = {name: choice(*each) for name, each in asked.items()}
    if case.pattern == "stream" and case.bound == "communication":
        chosen["unbounded"] = two_bursts(observed["cells"], workload.volume, profile)
    least, base = observed["best"]["seconds"], observed["blocking"]["seconds"]
    return {
        **case._asdict(),
        "best": way(observed["best"]),
        "chosen": {name: way(cell) for name, cell in chosen.items()},
        "loss": {name: (cell["seconds"] - least) / base for name, cell in chosen.items()},
    }


def cell_of(cells: list[dict[str, Any]], chosen: dict[str, Any]) -> dict[str, Any]:
    """The cell of a map that is the same way as a plan of equal messages."""
    place = (max(chosen["messages"]), chosen["burst"])
    found = [cell for cell in cells if (cell["message"], cell["burst"]) == place]
    if len(found) > 1:  # in several orders of the peers
        order = (chosen["order"], chosen["staggered"])
        found = [cell for cell in found if (cell["order"], cell["staggered"]) == order]
    (cell,) = found
    return cell


def two_bursts(cells: list[dict[str, Any]], volume: int, profile: Profile) -> dict[str, Any]:
    """The cell of the smallest messages that are two bursts, each shorter than the queue."""
    depth = json.loads(profile.to_json()).get("queue_depth") or float("inf")
    return min(
        (
            cell
            for cell in cells
            if 2 * cell["burst"] * cell["message"] == volume and cell["burst"] < depth
        ),
        key=lambda cell: cell["message"],
    )


def way(cell: dict[str, Any]) -> list[Any]:
    """Message size, burst and order of a cell."""
    return [cell["message"], cell["burst"], cell["order"]]


def profile_of(cluster: str) -> Profile:
    """The profile of a cluster with all that the paper's planner uses."""
    return calibrate(f"sim:{cluster}:16", only=PARTS)


def everything(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The losses of all workloads that were asked for, read or run."""
    if options.read is not None:
        found: list[dict[str, Any]] = json.loads(options.read.read_text())
        return [
            each
            for each in found
            if each["cluster"] in options.clusters and each["pattern"] in options.patterns
        ]
    results = []
    for cluster in options.clusters:
        profile = profile_of(cluster)
        for pattern in options.patterns:
            for doubles in (v for v in PATTERNS[pattern] if v <= options.largest):
                for bound in RATIOS:
                    results.append(losses(Case(cluster, pattern, doubles, bound), profile))
                    print(results[-1], file=sys.stderr, flush=True)
                    if options.json is not None:
                        options.json.write_text(json.dumps(results, indent=1))
    return results


def table(results: list[dict[str, Any]]) -> None:
    """Print every workload, as the paper's table has them."""
    names = ["model", "equations", "computation", "unbounded"]
    print("| cluster | pattern | takes longer | doubles | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 4) + "|")
    for each in results:
        cells = [lost(each["loss"][name]) if name in each["loss"] else "" for name in names]
        doubles = thousands(each["doubles"])
        head = [each["cluster"], each["pattern"], each["bound"], doubles]
        print("| " + " | ".join([*head, *cells]) + " |")


def summary(results: list[dict[str, Any]]) -> None:
    """Print mean and worst losses, and how often the paper's lessons hold."""
    names = ["model", "equations", "computation", "half", "double"]
    print("| pattern | takes longer | workloads | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 3) + "|")
    for pattern in PATTERNS:
        for bound in RATIOS:
            some = [r for r in results if (r["pattern"], r["bound"]) == (pattern, bound)]
            if not some:
                continue
            cells = []
            for name in names:
                values = [each["loss"][name] for each in some]
                cells.append(f"{sum(values) / len(values):.3f}, {max(values):.3f}")
            print(f"| {pattern} | {bound} | {len(some)} | " + " | ".join(cells) + " |")
    lessons(results)


def lessons(results: list[dict[str, Any]]) -> None:
    """Print how often what the paper concludes from its table is so here."""
    tolerance = 0.01  # the paper's own: below a per cent is none

    def count(title: str, bound: str, better: str, worse: str) -> None:
        for pattern in PATTERNS:
            some = [r for r in results if (r["pattern"], r["bound"]) == (pattern, bound)]
            if not some:
                continue
            apart = [each["loss"][worse] - each["loss"][better] for each in some]
            right = sum(value > tolerance for value in apart)
            wrong = sum(value < -tolerance for value in apart)
            print(f"| {title} | {pattern} | {right} | {len(some) - right - wrong} | {wrong} |")

    print("\n| the paper's lesson | pattern | holds | no difference | the opposite |")
    print("|---|---|---|---|---|")
    count("equation 5 where communication takes longer", "communication", "model", "equations")
    count("equation 5 where computation takes longer", "computation", "equations", "model")
    count("rather half the computation than double", "communication", "half", "double")
    count("rather half, where computation takes longer", "computation", "half", "double")


def bursts(results: list[dict[str, Any]]) -> None:
    """Print equations 10 and 11 with b = 1 beside their minimum over b."""
    print("| cluster | takes longer | doubles | best | b = 1 | loss | any b | loss |")
    print("|---|---|---|---|---|---|---|---|")
    for each in results:
        if "bursts" in each["loss"]:
            one, many = each["chosen"]["model"], each["chosen"]["bursts"]
            print(
                f"| {each['cluster']} | {each['bound']} | {thousands(each['doubles'])} "
                f"| {words(each['best'])} | {words(one)} | {lost(each['loss']['model'])} "
                f"| {words(many)} | {lost(each['loss']['bursts'])} |"
            )


def words(chosen: list[Any]) -> str:
    """`512 B, b = 4, interleaved`."""
    size, burst, order = chosen
    return f"{size} B, b = {burst}, {order}"


def thousands(doubles: int) -> str:
    """`64K`, or `1M`."""
    return f"{doubles >> 10}K" if doubles < 1 << 20 else f"{doubles >> 20}M"


def lost(value: float) -> str:
    """A loss in per cent; `*` if it is below one, as in the paper."""
    return "*" if value < 0.01 else f"{value:.0%}"


def main() -> None:
    """Run or read the losses and print the table that was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("print", choices=["table", "summary", "bursts"])
    parser.add_argument("--clusters", nargs="+", default=shipped_clusters())
    parser.add_argument("--patterns", nargs="+", choices=list(PATTERNS), default=list(PATTERNS))
    parser.add_argument("--largest", type=int, default=VOLUMES[-1], help="largest volume, doubles")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep all losses there")
    parser.add_argument(
        "--from", type=Path, dest="read", metavar="FILE", help="losses of an earlier run"
    )
    options = parser.parse_args()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(Path(__file__).parents[1] / "build" / "bin"))
    if options.print == "bursts":
        options.patterns = ["alltoall"]
    {"table": table, "summary": summary, "bursts": bursts}[options.print](everything(options))


if __name__ == "__main__":
    main()
