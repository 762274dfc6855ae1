"""A stream in partitions of one message beside persistent requests, in turn: medians and quartiles.

    build/venv/bin/python bench/partitioned.py [--on mpi:2 net:1gbit] [--mpi mpich] [--rounds 41]

Rank 1 sends in equal messages, and rank 0 computes on them as they arrive, for as long as the
volume takes to be sent without computation. Both are also run without computation. `hidden` is the
share of the communication that is hidden. A round runs all ways, one after another; a ratio is the
median of the rounds' ratios, with its quartiles.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from in_turn import foreign

PROGRAMS = Path(__file__).resolve().parent.parent / "build" / "bin"
WAYS = ("two-sided", "persistent", "partitioned")


def times(arguments: argparse.Namespace, on: str, words: list[str]) -> dict[str, list[float]]:
    """Seconds of each way, round by round, without the first round."""
    program = f"{arguments.programs}/partitioned-stream.{arguments.flavour or arguments.mpi}"
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        said = foreign(on, arguments.mpi, [program, *words], Path(folder))
    for line in said.splitlines():
        way, seconds = line.split()
        found[way].append(float(seconds))
    if not found["partitioned"]:
        sys.exit(f"{arguments.mpi}: this MPI has no partitioned messages")
    return {way: seconds[1:] for way, seconds in found.items()}


def ratio(found: dict[str, list[float]], base: str) -> str:
    """Partitioned over another way: the median of the rounds, and their quartiles."""
    each = [one / other for one, other in zip(found["partitioned"], found[base], strict=True)]
    low, middle, high = statistics.quantiles(each, n=4)
    return f"{middle:6.3f} ({low:.3f} … {high:.3f})"


def main() -> None:
    """Print a line for each network, volume, number of messages, and computation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--on", nargs="+", default=["mpi:2", "net:1gbit"])
    parser.add_argument("--mpi", default="mpich")
    parser.add_argument("--flavour", help="of the programs, if it is not the MPI's name")
    parser.add_argument("--programs", default=str(PROGRAMS), help="their folder")
    parser.add_argument("--volumes", nargs="+", type=int, default=[1 << 16, 1 << 20, 1 << 22])
    parser.add_argument("--messages", nargs="+", type=int, default=[8, 32])
    parser.add_argument("--window", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=41)
    arguments = parser.parse_args()
    print(
        f"{'on':10} {'bytes':>8} messages computation  {'persistent, ms':>14}  "
        f"{'partitioned/persistent':28} {'partitioned/two-sided':28} "
        "hidden: persistent, partitioned"
    )
    for on in arguments.on:
        for volume in arguments.volumes:
            for count in arguments.messages:
                lines(arguments, on, volume, count)


def lines(arguments: argparse.Namespace, on: str, volume: int, count: int) -> None:
    """Print both lines of a volume and a number of messages."""

    def found(compute: float) -> dict[str, list[float]]:
        words = [volume, volume // count, arguments.window, compute, arguments.rounds]
        return times(arguments, on, list(map(str, words)))

    sent = found(0)
    communication = statistics.median(sent["persistent"])
    both = found(communication)
    for name, each, compute in (("none", sent, 0.0), ("as long", both, communication)):
        hidden = "".join(
            f"{2 - statistics.median(each[way]) / communication:8.2f}"
            for way in ("persistent", "partitioned")
        )
        print(
            f"{on:10} {volume:8} {count:8} {name:11}  "
            f"{1e3 * statistics.median(each['persistent']):14.3f}  {ratio(each, 'persistent'):28} "
            f"{ratio(each, 'two-sided'):28} {hidden if compute else ''}",
            flush=True,
        )


if __name__ == "__main__":
    main()
