"""How much of its communication NAS IS hides on simulated clusters, and how good its plan is.

    build/venv/bin/python bench/integer_sort.py [--clusters ib4x hdr ethernet] [--ranks 16 64]

Times are of an iteration, in microseconds of the slowest rank. `hidden` is of what can be hidden:
(T_blocking - T) / (T_blocking - limit) for the best of all ways that a plan considers, or of those
that it predicts to be `--fastest`. Two lower bounds hold: the same way on a network that takes no
time, and the chain, which is the same way without the computation that can hide messages, sorting
and ranking. The limit is the longer one. `plan` is what the model chose, with the time of that way
over the best, and `forecast` what it predicted over what the way takes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from lapwing.launch import Target, parse
from lapwing.launch.sim import sim_job
from lapwing.testbed.platform import hostfile, platform_xml

BINARIES = Path(__file__).resolve().parent.parent / "build" / "bin"
FREE = 1e-9  # seconds of a call of MPI_Test; with none a program that polls would never end


def main() -> None:
    """Print a line for each cluster and number of ranks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr", "ethernet"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--class", dest="problem", default="A")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--fastest", type=int, help="of the ways, try those predicted fastest")
    parser.add_argument("--all", action="store_true", help="print the time of every way")
    arguments = parser.parse_args()
    print(
        f"{'cluster':8} ranks {'blocking':>9} {'best':>9} {'way':>8} {'no network':>10} "
        f"{'chain':>9} hidden {'plan':>9} {'over best':>9} forecast"
    )
    for cluster in arguments.clusters:
        for ranks in arguments.ranks:
            line(parse(f"sim:{cluster}:{ranks}"), arguments)


def line(target: Target, arguments: argparse.Namespace) -> None:
    """Try all ways on a cluster, and print what was found."""
    assert target.cluster is not None
    forecasts = planned(target, arguments.problem, arguments.fastest)
    name = arguments.problem
    times = run(target, [name, str(arguments.iterations), "all", *forecasts])
    if arguments.all:
        for way, seconds in sorted(times.items(), key=lambda item: item[1]):
            print(f"  {way:8} {1e6 * seconds:9.1f} {forecasts[way] / seconds:7.3f}")
    best = min((way for way in times if way != "blocking"), key=lambda way: times[way])
    plan = min(forecasts, key=lambda way: forecasts[way])
    some = [name, str(arguments.iterations)]
    at_once = replace(target, cluster=replace(target.cluster, latency=0.0, bandwidth=1e15))
    work = run(at_once, [*some, "all", best], FREE)[best]
    chain = run(target, [*some, "chain", best])[best]
    hidden = (times["blocking"] - times[best]) / (times["blocking"] - max(work, chain))
    least = min(times.values())
    print(
        f"{target.cluster.name:8} {target.ranks:5} {1e6 * times['blocking']:9.1f} "
        f"{1e6 * times[best]:9.1f} {best:>8} {1e6 * work:10.1f} {1e6 * chain:9.1f} {hidden:6.3f} "
        f"{plan:>9} {times[plan] / least:9.3f} {forecasts[plan] / times[plan]:8.3f}",
        flush=True,
    )


def planned(target: Target, problem: str, fastest: int | None) -> dict[str, float]:
    """Blocking and the ways that are predicted fastest, with the seconds of an iteration."""
    assert target.cluster is not None
    profile = Path(tempfile.gettempdir(), f"{target.cluster.name}-16.json")
    where = f"sim:{target.cluster.name}"
    if not profile.exists():
        lapwing("calibrate", "--on", f"{where}:16", "-o", str(profile))
    words = ["is", str(profile), "--class", problem, "--on", f"{where}:{target.ranks}"]
    document = json.loads(lapwing("run", *words, "--schedule", "auto", "--json"))
    forecasts = {
        way_of(forecast): forecast["seconds"] / document["iterations"]
        for forecast in document["forecasts"]
    }
    some = dict(list(forecasts.items())[:fastest])
    return {"blocking": forecasts["blocking"], **some}


def way_of(forecast: dict[str, Any]) -> str:
    """A way as the program reads it."""
    if forecast["schedule"] == "blocking":
        return "blocking"
    return ",".join(str(setting) for setting in forecast["settings"].values())


def lapwing(*arguments: str) -> str:
    """Run a command of Lapwing, and return what it prints."""
    command = [str(Path(sys.executable).parent / "lapwing"), *arguments]
    environment = {**os.environ, "LAPWING_NATIVE_DIR": str(BINARIES)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def run(target: Target, words: list[str], test: float = 1e-6) -> dict[str, float]:
    """Seconds of an iteration, by way. `test`: seconds that a call of MPI_Test costs."""
    assert target.cluster is not None
    with tempfile.TemporaryDirectory() as directory:
        platform, hosts = Path(directory, "platform.xml"), Path(directory, "hosts")
        platform.write_text(platform_xml(target.cluster))
        hosts.write_text(hostfile(target.cluster, target.ranks))
        job = sim_job(
            str(BINARIES / "integer-sort.smpi"),
            words,
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
        sys.exit(f"integer-sort: {done.stderr or done.stdout}")
    return {way: float(seconds) for way, seconds in map(str.split, done.stdout.splitlines())}


if __name__ == "__main__":
    main()
