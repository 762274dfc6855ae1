"""How much of its communication the triangulation hides, and what its messages could be.

    build/venv/bin/python bench/triangulation.py [--points 1000000] [--clusters ib4x hdr] [--ranks 16]
    build/venv/bin/python bench/triangulation.py --sweep

Runs `lapwing run triangulation` on simulated clusters, blocking and overlapped, and verifies the
first of these runs. Times are milliseconds. Two lower bounds hold. One is the overlapped run on a
network that takes no time: the processor's work, with that for messages. The other is the same run
where computation takes no time: the chain of messages. The limit is the longer one, and `hidden` is
(T_blocking - T_overlapped) / (T_blocking - limit).
`--sweep`: also runs every message size and window, and prints the planned run beside the best.
"""

import argparse
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from command import lapwing

from lapwing.testbed.cluster import load_cluster

CLUSTERS = Path(__file__).resolve().parents[1] / "python" / "lapwing" / "testbed" / "clusters"
NO_TIME = {"latency": '"1ns"', "bandwidth": '"1e15B/s"'}
AT_ONCE = {"add": "1e18"}
SIZES = ("1KB", "4KB", "16KB", "64KB", "256KB")
WINDOWS = (1, 2, 4, 8, 16)


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
        f"{'cluster':8} ranks {'transport':9} {'blocking':>9} {'overlapped':>10} {'planned':>9} "
        f"{'no network':>10} {'chain':>8} hidden  planned"
    )
    for cluster in options.clusters:
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder, "machine.json")
            lapwing("calibrate", "--on", f"sim:{cluster}", "-o", profile)
            for ranks in options.ranks:
                for transport in options.transports:
                    case = Case(cluster, ranks, options.points, transport, Path(folder))
                    case.line(profile)
                    if options.sweep:
                        case.sweep(profile)


if __name__ == "__main__":
    main()
