"""How much of their communication the examples hide on simulated clusters.

    build/venv/bin/python bench/halo.py [--clusters ib4x hdr] [--ranks 16 64] [--test 1e-6]

Runs the examples jacobi and conjugate_gradient, both in a blocking and in an overlapped version,
over several sizes of the grid. Times are of one step, in microseconds of the slowest rank.
`hidden` is (T_blocking - T) / min(T_computation, T_communication). Not all of it can be hidden, for
two lower bounds hold. One is a step on a network that takes no time: the processor's work, with
that for messages but without polling. The other is the dependency chain without the interior work,
or without the matrix, behind which everything else may hide. The examples time both. The limit is
the longer one, and `of what can be` is (T_blocking - T) / (T_blocking - limit).
`--test`: seconds of simulated time that a call of MPI_Test costs.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from lapwing.launch import Target, parse
from lapwing.launch.sim import sim_job
from lapwing.testbed.platform import hostfile, platform_xml

PROGRAMS = Path(__file__).resolve().parent.parent / "build" / "bin"
TIMES = re.compile(r"(\w+) ([0-9.e+-]+) s")
GROUPS = re.compile(r"sums in groups of ([0-9,]+)")
FREE = 1e-9  # seconds of a call of MPI_Test; with none a program that polls would never end
STEPS = 40  # many, because ranks leave the barrier before them one after the other


def main() -> None:
    """Print a line for each example, cluster, number of ranks and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--cells", nargs="+", type=int, default=[512, 1024, 2048])
    parser.add_argument("--test", type=float, default=1e-6)
    arguments = parser.parse_args()
    print(
        f"{'':29} {'cluster':7} ranks cells {'blocking':>9} {'computation':>11} "
        f"{'communication':>13} {'overlapped':>10} {'plain':>9} {'limit':>9} "
        f"hidden  of what can be"
    )
    for program, words in (
        ("jacobi", []),
        ("conjugate_gradient", ["collective"]),
        ("conjugate_gradient", ["doubling"]),
    ):
        for cluster in arguments.clusters:
            for ranks in arguments.ranks:
                target = parse(f"sim:{cluster}:{ranks}")
                for cells in arguments.cells:
                    line(target, program, cells, words, arguments.test)


def line(target: Target, program: str, cells: int, words: list[str], test: float) -> None:
    """Run an example and print its times."""
    assert target.cluster is not None
    at_once = replace(target, cluster=replace(target.cluster, latency=0.0, bandwidth=1e15))
    arguments = [str(cells), str(STEPS), *words]
    said = run(target, program, arguments, test)
    times = read(said)
    groups = GROUPS.findall(said)
    # With the same messages: the best ones depend on their cost.
    work = read(run(at_once, program, [*arguments, *groups], FREE))["overlapped"]
    limit = max(work, times["chain"])
    gain = times["blocking"] - times["overlapped"]
    plain = f"{times['plain']:9.1f}" if "plain" in times else f"{'':9}"
    print(
        f"{' '.join([program, *words]):29} {target.cluster.name:7} {target.ranks:5} {cells:5} "
        f"{times['blocking']:9.1f} {times['computation']:11.1f} {times['communication']:13.1f} "
        f"{times['overlapped']:10.1f} {plain} {limit:9.1f} "
        f"{gain / min(times['computation'], times['communication']):6.3f}  "
        f"{gain / (times['blocking'] - limit):14.3f}",
        flush=True,
    )


def read(said: str) -> dict[str, float]:
    """The times that an example prints, microseconds a step."""
    return {name: 1e6 * float(value) / STEPS for name, value in TIMES.findall(said)}


def run(target: Target, program: str, arguments: list[str], test: float) -> str:
    """Run an example and return its output."""
    assert target.cluster is not None
    with tempfile.TemporaryDirectory() as directory:
        platform, hosts = Path(directory, "platform.xml"), Path(directory, "hosts")
        platform.write_text(platform_xml(target.cluster))
        hosts.write_text(hostfile(target.cluster, target.ranks))
        job = sim_job(
            str(PROGRAMS / f"example-{program}.smpi"),
            arguments,
            target.ranks,
            cluster=target.cluster,
            platform=str(platform),
            hostfile=str(hosts),
            options=[f"--cfg=smpi/test:{test!r}"],
        )
        done = subprocess.run(
            job.command,
            env={**os.environ, **job.environment},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr or done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
