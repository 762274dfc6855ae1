#!/usr/bin/env python3
"""The loss of plans against the best way with equal messages on a real link of limited rate.

    build/venv/bin/python bench/net_grid.py [--rates 400mbit 1gbit 3gbit] [--launches 5]

Every rate and MPI is calibrated once. Each launch then times every uniform cell of a workload, and
the five best of them once more, in turn with the plan and the blocking run. Printed are the median,
the least and the most over launches: of the loss against the best cell of the launch, a share of
the blocking time (wanted: at most 0.03), and of the plan's time over the blocking time. Needs a
quiet machine.
"""

import argparse
import os
import statistics
from pathlib import Path

from calibrated import calibrated

from lapwing import Profile
from lapwing.launch import Launch, parse
from lapwing.measure.sweep import sweep

BIN = Path(__file__).parents[1] / "build" / "bin"
PATTERNS = ["stream", "halo", "alltoall"]
# Parts of a profile that plans use.
PARTS = ["tables", "latency", "operations", "protocol", "patterns"]


def spread(values: list[float]) -> str:
    """The median, the least and the most."""
    return f"{statistics.median(values):7.3f} ({min(values):.3f} … {max(values):.3f})"


def main() -> None:
    """Print a line for each workload, and how many have the loss that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", nargs="+", default=["400mbit", "1gbit", "3gbit"])
    parser.add_argument("--mpis", nargs="+", default=["openmpi", "mpich"])
    parser.add_argument("--patterns", nargs="+", default=PATTERNS)
    parser.add_argument("--volumes", nargs="+", default=["200KB", "2MB"])
    parser.add_argument("--ratios", nargs="+", type=float, default=[0.5, 1.0])
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--profiles", type=Path, help="directory to keep calibrations in")
    options = parser.parse_args()

    os.environ.setdefault("LAPWING_NATIVE_DIR", str(BIN))
    print(f"{'':42} loss (least … most)       plan/blocking")
    within = quick = total = 0
    for rate in options.rates:
        for mpi in options.mpis:
            launch = Launch(parse(f"net:{rate}"), mpi=mpi)
            profile = Profile.from_json(calibrated(launch, options.profiles, PARTS))
            for pattern in options.patterns:
                for volume in options.volumes:
                    for ratio in options.ratios:
                        runs = [
                            sweep(profile, on=launch, volume=volume, pattern=pattern, ratio=ratio)
                            for _ in range(options.launches)
                        ]
                        loss = [run["loss"] for run in runs]
                        share = [
                            run["plan"]["seconds"] / run["blocking"]["seconds"] for run in runs
                        ]
                        total += 1
                        within += statistics.median(loss) <= 0.03
                        quick += statistics.median(share) <= 1
                        print(
                            f"{rate:8} {mpi:8} {pattern:9} {volume:>6} {ratio:6}  "
                            f"{spread(loss)}  {spread(share)}",
                            flush=True,
                        )
    print(f"{within} of {total} within 0.03, {quick} of {total} no slower than blocking")


if __name__ == "__main__":
    main()
