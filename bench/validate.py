#!/usr/bin/env python3
"""The error of predictions on simulated clusters, from profiles alone.

Calibrates each cluster, runs every algorithm that the simulator can be made to take, on every
number of ranks and with every size, and prints the mean and the worst error of the predictions: by
kind of cluster, and by algorithm, beside those of the printed formula if there is one.

    build/venv/bin/python bench/validate.py --sample 60
    build/venv/bin/python bench/validate.py --clusters ib4x,mine.toml --operations alltoall
"""

import argparse
import json
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lapwing
from lapwing import Profile
from lapwing.launch import Launch, parse
from lapwing.launch.algorithms import algorithms, force
from lapwing.measure.calibrate import calibrate
from lapwing.validation.cases import MOST_MEMORY, OPERATIONS, Case, memory
from lapwing.validation.timing import Conditions, LeftOut, Timed, time_cases

RANKS = [2, 3, 4, 7, 8, 16, 31, 32, 64, 100, 128, 256]
SIZES = [1, 8, 64, 512, 1000, 4096, 8192, 30_000, 65_536, 262_144, 1_000_000, 1 << 20]
# Parts of a profile that predictions use.
PARTS = "tables,latency,protocol,log3p,collectives,pairs,topology"
# Messages that a run may have in the simulator, which moves some 20,000 a second.
MESSAGES = 300_000

_BASE = {
    "latency": '"5us"',
    "bandwidth": '"750MB/s"',
    "serialising": "true",
    "eager_limit": "0",
    "topology": '"flat"',
}


def generated(folder: Path, hosts: int) -> dict[str, tuple[str, str]]:
    """Clusters besides those that come with Lapwing: their kinds and files, by name."""
    made: dict[str, tuple[str, str]] = {}

    def write(name: str, kind: str, **changed: str) -> None:
        network = {**_BASE, **changed}
        lines = [f'name = "{name}"', f"hosts = {hosts}", "[network]"]
        lines += [f"{key} = {value}" for key, value in network.items()]
        for side in ("send_overhead", "receive_overhead"):
            lines += [f"[network.{side}]", 'base = "1.5us"']
        path = folder / f"{name}.toml"
        path.write_text("\n".join(lines) + "\n")
        made[name] = kind, str(path)

    tree = {"topology": '"fat-tree"'}
    write("flat", "flat")
    write("flat-eager", "flat", eager_limit='"16KB"')
    write("flat-sharing", "sharing", serialising="false")
    write("tree", "full fat tree", **tree)
    write("tree-sharing", "sharing", **tree, serialising="false")
    for taper in (2, 4):
        write(f"tree-{taper}to1", f"taper {taper}:1", **tree, taper=str(taper))
        write(
            f"tree-{taper}to1-sharing",
            f"taper {taper}:1 sharing",
            **tree,
            taper=str(taper),
            serialising="false",
        )
    return made


SHIPPED = {
    "elan4": "flat",
    "hdr": "flat",
    "ib4x": "flat",
    "ranger": "flat",
    "ib4x-tapered": "taper 2:1 sharing",
    "ethernet": "factors",
}


@dataclass(frozen=True)
class Compared:
    """One cell of the grid: seconds timed, predicted, and by the printed formula, if any."""

    cluster: str
    kind: str
    timed: Timed
    predicted: float
    printed: float | None

    @property
    def error(self) -> float:
        return self.predicted / self.timed.seconds - 1

    @property
    def printed_error(self) -> float | None:
        return None if self.printed is None else self.printed / self.timed.seconds - 1

    @property
    def place(self) -> str:
        case = self.timed.case
        return (
            f"{self.cluster} {case.operation} {case.algorithm} P={case.ranks} {self.timed.size} B"
        )


def messages(operation: str, ranks: int, size: int) -> int:
    """Roughly how many messages a run has."""
    segments = max(1, size // 8192) if operation == "bcast" else 1
    if operation in ("alltoall", "allgather", "allreduce", "reduce_scatter"):
        return ranks * ranks
    return ranks * max(segments, ranks if operation == "bcast" else 1)


def cells(
    operations: Sequence[str], ranks: Sequence[int], sizes: Sequence[int]
) -> list[tuple[Case, int]]:
    """All cells of one cluster."""
    made = []
    for operation in operations:
        for name in algorithms("simgrid", operation):
            for count in [2] if operation == "send" else ranks:
                how = force("simgrid", operation, name, count)
                for size in [0] if operation == "barrier" else sizes:
                    if operation == "alltoall" and size < 2:
                        size = 2
                    if (
                        how is not None
                        and not how.differs(count, size)
                        and memory(operation, count, size) <= MOST_MEMORY
                        and messages(operation, count, size) <= MESSAGES
                    ):
                        made.append((Case(operation, name, count), size))
    return list(dict.fromkeys(made))


def predicted(profile: Profile, case: Case, size: int, model: str) -> float | None:
    """Predicted seconds; None if the model has no formula."""
    try:
        made = lapwing.predict(
            profile,
            case.operation,
            ranks=case.ranks,
            sizes=size,
            algorithm=case.algorithm,
            model=model,  # type: ignore[arg-type]
        )
    except ValueError:
        if model == "printed":
            return None
        raise
    return float(made.seconds[0, 0])


def measured(cluster: str, wanted: Sequence[tuple[Case, int]]) -> list[Timed]:
    """Time the cells of `wanted`."""
    by_sizes: dict[Case, list[int]] = {}
    for case, size in wanted:
        by_sizes.setdefault(case, []).append(size)
    found: list[Timed] = []
    launch = Launch(parse(f"sim:{cluster}"), timeout=600)
    # Cases with the same sizes go together; a launch has as many operations as it can.
    groups: dict[tuple[int, ...], list[Case]] = {}
    for case, several in by_sizes.items():
        groups.setdefault(tuple(several), []).append(case)
    done = 0
    for sizes, cases in groups.items():
        for one in time_cases(launch, cases, Conditions(sizes)):
            if isinstance(one, LeftOut):
                tell(f"left out: {one}")
            else:
                found.append(one)
        done += len(cases)
        tell(f"{cluster}: {done} of {len(by_sizes)} cases, {len(found)} cells")
    return found


def grouped(cells: Iterable[Compared], key: Callable[[Compared], str]) -> dict[str, list[Compared]]:
    groups: dict[str, list[Compared]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return groups


def table(title: str, groups: dict[str, list[Compared]]) -> None:
    """Mean and worst absolute error of each group, and where the worst is."""
    print(f"\n{title:34} cells   mean  worst  printed: mean  worst   worst at")
    for name, group in groups.items():
        errors = [abs(cell.error) for cell in group]
        worst = max(group, key=lambda cell: abs(cell.error))
        printed = [abs(cell.printed_error) for cell in group if cell.printed_error is not None]
        beside = (
            f"{statistics.mean(printed):13.1%} {max(printed):6.0%}"
            if printed
            else f"{'-':>13} {'-':>6}"
        )
        print(
            f"{name:34} {len(group):5} {statistics.mean(errors):6.2%} {max(errors):6.1%} {beside}"
            f"   {worst.error:+.1%} {worst.place}"
        )


def document(all_cells: Sequence[Compared]) -> list[dict[str, Any]]:
    return [
        {
            "cluster": cell.cluster,
            "kind": cell.kind,
            "operation": cell.timed.case.operation,
            "algorithm": cell.timed.case.algorithm,
            "ranks": cell.timed.case.ranks,
            "size": cell.timed.size,
            "seconds": cell.timed.seconds,
            "predicted": cell.predicted,
            "printed": cell.printed,
        }
        for cell in all_cells
    ]


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def options() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clusters", help="names of those below or files; default: all")
    parser.add_argument("--operations", default=",".join(OPERATIONS))
    parser.add_argument("--ranks", type=numbers, default=RANKS)
    parser.add_argument("--sizes", type=numbers, default=SIZES)
    parser.add_argument("--sample", type=int, help="cells of each cluster, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", default="auto", help="of the prediction")
    parser.add_argument(
        "--calibrate-on", type=int, help="ranks of the calibration (default: all hosts)"
    )
    parser.add_argument("--parts", default=PARTS, help="of the calibration; empty: all")
    parser.add_argument("--profiles", type=Path, help="keep profiles there, and use those there")
    parser.add_argument("--timings", type=Path, help="the same for the simulator's times")
    parser.add_argument("--worst", type=int, default=0, help="number of the worst cells to print")
    parser.add_argument("--json", type=Path, help="write all cells there")
    return parser.parse_args()


def main() -> None:
    arguments = options()
    os.environ.setdefault("LAPWING_NATIVE_DIR", str(Path(__file__).parents[1] / "build" / "bin"))
    everything: list[Compared] = []
    with tempfile.TemporaryDirectory(prefix="lapwing-") as folder:
        known = {name: (kind, name) for name, kind in SHIPPED.items()}
        known |= generated(Path(folder), max(arguments.ranks))
        names = arguments.clusters.split(",") if arguments.clusters else list(known)
        for name in names:
            begin = time.monotonic()
            kind, cluster = known.get(name, ("given", name))
            part = compared(name, kind, cluster, arguments)
            if not part:
                continue
            table(
                f"{name}, {time.monotonic() - begin:.0f} s",
                grouped(part, lambda cell: f"{cell.timed.case.operation}"),
            )
            sys.stdout.flush()
            everything += part
            if arguments.json:
                arguments.json.write_text(json.dumps(document(everything), indent=1))
    table(
        "algorithm",
        grouped(everything, lambda c: f"{c.timed.case.operation} {c.timed.case.algorithm}"),
    )
    table("cluster", grouped(everything, lambda cell: cell.cluster))
    table("kind", grouped(everything, lambda cell: cell.kind))
    for cell in sorted(everything, key=lambda cell: -abs(cell.error))[: arguments.worst]:
        print(
            f"{cell.error:+8.2%}  {cell.place}: {cell.timed.seconds * 1e6:.3f} us, predicted "
            f"{cell.predicted * 1e6:.3f} us"
        )


def compared(name: str, kind: str, cluster: str, arguments: argparse.Namespace) -> list[Compared]:
    """The cells of one cluster, timed and predicted."""
    target = parse(f"sim:{cluster}")
    assert target.cluster is not None
    ranks = [count for count in arguments.ranks if count <= target.cluster.hosts]
    wanted = cells(arguments.operations.split(","), ranks, arguments.sizes)
    if arguments.sample and arguments.sample < len(wanted):
        chance = random.Random(f"{arguments.seed} {name}")
        wanted = sorted(chance.sample(wanted, arguments.sample), key=lambda cell: cell[0].ranks)
    begin = time.monotonic()
    measuring = parse(f"sim:{cluster}:{arguments.calibrate_on or target.cluster.hosts}")
    parts = [part for part in arguments.parts.split(",") if part]
    text = kept(
        arguments.profiles,
        f"{Path(name).stem}-{measuring.ranks}.json",
        lambda: calibrate(Launch(measuring), only=parts).to_json(),
    )
    profile = Profile.from_json(text)
    tell(f"{name}: profile after {time.monotonic() - begin:.0f} s")
    found = []
    for one in timings(arguments.timings, Path(name).stem, cluster, wanted):
        try:
            seconds = predicted(profile, one.case, one.size, arguments.model)
        except (RuntimeError, ValueError) as error:
            tell(f"{name}: {one.case}, {one.size} B: no prediction: {error}")
            continue
        assert seconds is not None
        printed = predicted(profile, one.case, one.size, "printed")
        found.append(Compared(name, kind, one, seconds, printed))
    return found


def tell(what: str) -> None:
    """Print how it goes, on standard error."""
    print(what, file=sys.stderr, flush=True)


def kept(folder: Path | None, name: str, make: Callable[[], str]) -> str:
    """The text that `make` makes, read from the folder if it is there already."""
    if folder is None:
        return make()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if not path.exists():
        path.write_text(make())
    return path.read_text()


def timings(
    folder: Path | None,
    name: str,
    cluster: str,
    wanted: Sequence[tuple[Case, int]],
) -> list[Timed]:
    """The cells of `wanted`, timed unless their times are in the folder already."""
    path = folder / f"{name}-timings.json" if folder else None
    before: dict[tuple[Case, int], float] = {}
    if path and path.exists():
        before = {
            (Case(operation, algorithm, ranks), size): seconds
            for operation, algorithm, ranks, size, seconds in json.loads(path.read_text())
        }
    new = [cell for cell in wanted if cell not in before]
    for one in measured(cluster, new) if new else []:
        before[one.case, one.size] = one.seconds
    if path and new:
        assert folder is not None
        folder.mkdir(parents=True, exist_ok=True)
        rows = [
            [case.operation, case.algorithm, case.ranks, size, seconds]
            for (case, size), seconds in before.items()
        ]
        path.write_text(json.dumps(rows))
    return [
        Timed(case, size, before[case, size], 0.0)
        for case, size in wanted
        if (case, size) in before and math.isfinite(before[case, size])
    ]


if __name__ == "__main__":
    main()
