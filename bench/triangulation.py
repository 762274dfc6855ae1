"""How much of its communication the triangulation hides, and what its messages could be.

    build/venv/bin/python bench/triangulation.py [--points N] [--clusters ib4x hdr] [--ranks 16]
    build/venv/bin/python bench/triangulation.py --sweep

Runs `lapwing run triangulation` on simulated clusters, blocking and overlapped, with the messages
that are planned from a profile, and verifies the first of these runs. Times are milliseconds. Two
lower bounds hold. One is the overlapped run on a network that takes no time: the processor's work,
with that for messages. The other is the same run where computation takes no time: the chain of
messages. The limit is the longer one, and `hidden` is
(T_blocking - T_overlapped) / (T_blocking - limit).
`--sweep`: also runs every message size and window, and prints the planned run beside the best.
"""

import argparse
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command import lapwing

CLUSTERS = Path(__file__).resolve().parents[1] / "python" / "lapwing" / "testbed" / "clusters"
NO_NETWORK = {"latency": '"1ns"', "bandwidth": '"1e15B/s"'}
NO_WORK = {"add": "1e17"}
SIZES = ("1KB", "4KB", "16KB", "64KB", "256KB")
WINDOWS = (1, 2, 4, 8, 16)
MS = 1e3


@dataclass(frozen=True)
class Case:
    """What is triangulated where, and a folder for the files of other clusters."""

    cluster: str
    ranks: int
    points: int
    transport: str
    folder: Path

    def run(self, *words: object, cluster: str | None = None) -> Any:
        """Run it once and return its document."""
        on = f"sim:{cluster or self.cluster}:{self.ranks}"
        common = ("--points", self.points, "--transport", self.transport, "--on", on)
        found = lapwing("run", "triangulation", *words, *common)
        if not found.get("verified", True):
            raise SystemExit(f"{on}: not the sequential triangulation")
        return found

    def seconds(self, *words: object, cluster: str | None = None) -> float:
        """Run it once and return its seconds."""
        return float(self.run(*words, cluster=cluster)["seconds"])

    def changed(self, name: str, values: dict[str, str]) -> str:
        """The file of a cluster like this one but with other values."""
        text = (CLUSTERS / f"{self.cluster}.toml").read_text(encoding="utf-8")
        for key, value in values.items():
            text, count = re.subn(rf"(?m)^{key} = \S+", f"{key} = {value}", text)
            assert count == 1, key
        path = self.folder / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def line(self, profile: Path) -> None:
        """Print the times of blocking and overlapped runs, and what can be hidden."""
        way = (profile, "--schedule", "overlapped")
        blocking = self.seconds(profile, "--schedule", "blocking", "--verify")
        overlapped = self.seconds(*way)
        # With the same messages: they are those of the profile.
        work = self.seconds(*way, cluster=self.changed("no-network", NO_NETWORK))
        chain = self.seconds(*way, cluster=self.changed("no-work", NO_WORK))
        hidden = (blocking - overlapped) / (blocking - max(work, chain))
        print(
            f"{self.cluster:8} {self.ranks:5} {self.transport:9} {MS * blocking:9.3f} "
            f"{MS * overlapped:10.3f} {MS * work:10.3f} {MS * chain:8.3f} {hidden:6.3f}",
            flush=True,
        )

    def sweep(self, profile: Path) -> None:
        """Print every message size and window, and the planned run beside the best of them."""
        way = ("--schedule", "overlapped")
        found = {
            (size, window): self.seconds(*way, "--message-size", size, "--window", window)
            for size in SIZES
            for window in WINDOWS
        }
        print(f"  {'message':8}" + "".join(f" window {window:3}" for window in WINDOWS))
        for size in SIZES:
            row = "".join(f" {MS * found[size, window]:10.3f}" for window in WINDOWS)
            print(f"  {size:8}{row}")
        best = min(found, key=lambda cell: found[cell])
        document = self.run(profile)
        messages = ", ".join(
            f"{run['count']} x {run['size']} B" for run in document["exchange"]["messages"]
        )
        planned = document["seconds"]
        print(
            f"  planned {messages}, window {document['exchange']['window']}: {MS * planned:.3f}; "
            f"best {best[0]}, window {best[1]}: {MS * found[best]:.3f}; "
            f"planned loses {planned / found[best] - 1:+.2%}",
            flush=True,
        )


def main() -> None:
    """Print a line for each cluster, number of ranks and transport."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--clusters", nargs="+", default=["ib4x"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[16])
    parser.add_argument("--transports", nargs="+", default=["two-sided", "get"])
    parser.add_argument("--sweep", action="store_true")
    options = parser.parse_args()
    print(
        f"{'cluster':8} ranks {'transport':9} {'blocking':>9} {'overlapped':>10} "
        f"{'no network':>10} {'no work':>8} hidden"
    )
    for cluster in options.clusters:
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder, "machine.json")
            lapwing("calibrate", "--on", f"sim:{cluster}:16", "-o", profile)
            for ranks in options.ranks:
                for transport in options.transports:
                    case = Case(cluster, ranks, options.points, transport, Path(folder))
                    case.line(profile)
                    if options.sweep:
                        case.sweep(profile)


if __name__ == "__main__":
    main()
