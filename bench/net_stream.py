"""The share that a plan hides on a real link of limited rate: median and spread of launches.

    build/venv/bin/python bench/net_stream.py [--rates 1gbit 400mbit] [--launches 5]

Each launch times the blocking run and the plan in turn; the network is calibrated once for each
rate and MPI.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LAPWING = Path(__file__).resolve().parent.parent / "build" / "bin" / "lapwing"


def lapwing(*arguments: str) -> str:
    """Run a command and return its standard output."""
    done = subprocess.run([str(LAPWING), *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stdout


def main() -> None:
    """Print a line for each rate, MPI and volume."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", nargs="+", default=["1gbit", "400mbit"])
    parser.add_argument("--mpis", nargs="+", default=["openmpi", "mpich"])
    parser.add_argument("--volumes", nargs="+", default=["1MB", "4MB", "16MB"])
    parser.add_argument("--ratio", default="1")
    parser.add_argument("--launches", type=int, default=5)
    options = parser.parse_args()

    print("rate     mpi      volume  hidden (least … most)    plan/blocking  plan/limit")
    for rate in options.rates:
        for mpi in options.mpis:
            on = ["--on", f"net:{rate}", "--mpi", mpi]
            with tempfile.TemporaryDirectory() as directory:
                machine = str(Path(directory, "machine.json"))
                lapwing("calibrate", *on, "-o", machine)
                for volume in options.volumes:
                    workload = ["--volume", volume, "--ratio", options.ratio]
                    runs = [
                        json.loads(lapwing("run", "stream", *on, machine, *workload, "--json"))
                        for _ in range(options.launches)
                    ]
                    hidden = sorted(run["hidden"] for run in runs)
                    gain = statistics.median(
                        run["plan"]["seconds"] / run["blocking"]["seconds"] for run in runs
                    )
                    above = statistics.median(1 / run["efficiency"] for run in runs)
                    print(
                        f"{rate:8} {mpi:8} {volume:>6}  {statistics.median(hidden):6.3f} "
                        f"({hidden[0]:.3f} … {hidden[-1]:.3f})   {gain:13.3f}  {above:10.3f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
