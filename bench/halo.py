"""How much of their communication the examples hide on simulated clusters.

    build/venv/bin/python bench/halo.py [--clusters ib4x hdr] [--ranks 16 64]

Runs the examples jacobi and conjugate_gradient, both in a blocking and in an overlapped version,
over several sizes of the grid. Times are of one step, in microseconds of the slowest rank.
`hidden` is (T_blocking - T) / min(T_computation, T_communication). Initiating and receiving a
message is work of the processor, which nothing hides: `of what can be` divides by T_blocking less
the limit max(T_computation + that work, T_communication) instead. A sum by doubling is tested about
once a stage, each time for one simulated microsecond; that is counted against us.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lapwing.launch import Target, parse
from lapwing.launch.sim import sim_job
from lapwing.testbed.platform import hostfile, platform_xml

PROGRAMS = Path(__file__).resolve().parent.parent / "build" / "bin"
TIMES = re.compile(r"(\w+) ([0-9.e+-]+) s")
STEPS = 40  # ranks leave the barrier before them one after the other


def main() -> None:
    """Print a line for each example, cluster, number of ranks and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--cells", nargs="+", type=int, default=[512, 1024, 2048])
    arguments = parser.parse_args()
    print(
        f"{'':29} {'cluster':7} ranks cells {'blocking':>9} {'computation':>11} "
        f"{'communication':>13} {'overlapped':>10} {'plain':>9} hidden  of what can be"
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
                    line(target, program, cells, words)


def line(target: Target, program: str, cells: int, words: list[str]) -> None:
    """Run one of them and print what it took."""
    times = {
        name: 1e6 * float(value) / STEPS
        for name, value in TIMES.findall(run(target, program, [str(cells), str(STEPS), *words]))
    }
    assert target.cluster is not None
    cluster = target.cluster
    each = 1e6 * (cluster.send_overhead.base + cluster.receive_overhead.base)
    work = times["computation"] + messages(program, words, target.ranks) * each
    can_be = times["blocking"] - max(work, times["communication"])
    gain = times["blocking"] - times["overlapped"]
    plain = f"{times['plain']:9.1f}" if "plain" in times else f"{'':9}"
    print(
        f"{' '.join([program, *words]):29} {cluster.name:7} {target.ranks:5} {cells:5} "
        f"{times['blocking']:9.1f} {times['computation']:11.1f} {times['communication']:13.1f} "
        f"{times['overlapped']:10.1f} {plain} "
        f"{gain / min(times['computation'], times['communication']):6.3f}  "
        f"{gain / can_be:14.3f}",
        flush=True,
    )


def messages(program: str, words: list[str], ranks: int) -> int:
    """How many the busiest rank sends in a step, and receives: the grid has inner ranks."""
    if program == "jacobi":
        return 4
    # The simulator's own sum goes from every rank to every other.
    return 2 + (math.ceil(math.log2(ranks)) if words == ["doubling"] else ranks - 1)


def run(target: Target, program: str, arguments: list[str]) -> str:
    """What an example prints."""
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
            options=[],
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
