#!/usr/bin/env python3
"""NAS MG, CG and IS: verified, hidden, predicted, and compared with NPB's own programs.

    verify      every schedule over every transport, on several ranks
    kernels     what an element of each loop takes, in bytes of the kernel "add"
    hidden      on simulated clusters: how much of the communication that could be hidden is, what
                auto loses against the best way, and how exact forecasts are
    npb         in turn with NPB's own programs, named by --npb (a directory with mg.A.x and so on)

What could be hidden is what blocking takes beyond a limit. Two runs of the overlapped program say
it: one on a network that takes no time, and one without the computation that messages hide behind.
The limit is the longer one. Where exchanges follow one another, the two time lines are cut at the
beginning of each, and the limit is the sum of the longer of the two in each part: what one exchange
leaves room for cannot hide another. `npb` measures wall time: leave
the machine alone meanwhile. Run it with the Python of the build:
`build/venv/bin/python bench/nas.py hidden`.
"""

import argparse
import json
import re
import statistics
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from calibrated import calibrated
from command import lapwing
from in_turn import foreign, in_turn, report

from lapwing import Profile
from lapwing.launch import Launch, parse
from lapwing.nas.benchmarks import BENCHMARKS, SCHEDULES, TRANSPORTS
from lapwing.nas.run import run_nas
from lapwing.tables.nas import way_in_words

# What forecasts need of a profile.
_PARTS = ("tables", "latency", "protocol", "topology")
# Benchmarks whose exchanges follow one another: a later one needs what an earlier one brought.
_IN_SEQUENCE = ("mg",)
# A network that takes no time.
FREE = {"latency": 0.0, "bandwidth": 1e15}


def verify(options: argparse.Namespace) -> None:
    """Verify every way."""
    for target in options.on or ["mpi:1", "mpi:2", "mpi:4", "sim:ib4x:16"]:
        for name in options.benchmarks:
            for problem in options.classes or ["S", "W"]:
                for schedule in SCHEDULES:
                    for transport in TRANSPORTS:
                        words = ["--class", problem, "--schedule", schedule]
                        words += ["--transport", transport, "--on", target]
                        if not target.startswith("sim:"):
                            words += ["--mpi", options.mpi]
                        found = lapwing("run", name, *words)
                        print(
                            f"{name} {problem} {target:14} {schedule:10} {transport:9} "
                            f"{'verified' if found['verified'] else 'WRONG':8} "
                            f"{found['mops']:9.1f} Mop/s",
                            flush=True,
                        )


def kernels(options: argparse.Namespace) -> None:
    """Time each loop beside the kernel "add", on one core."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "machine.json")
        lapwing("calibrate", "--on", "mpi:2", "--only", "kernels", "-o", str(file))
        add = json.loads(file.read_text())["kernels"]["add"]
    for name in options.benchmarks:
        for problem in options.classes or ["A"]:
            runs = [
                lapwing("run", name, "--class", problem, "--on", "mpi:1")["kernels"]
                for _ in range(options.rounds)
            ]
            for loop in runs[0]:
                each = [run[loop]["seconds"] / max(1, run[loop]["elements"]) for run in runs]
                print(f"{name} {problem} {loop:14} {statistics.median(each) * add:7.2f} bytes")


def hidden(options: argparse.Namespace) -> None:
    """Compare all ways on simulated clusters with each other, the limit, and their forecasts."""
    print(
        f"{'':17} {'ranks':>5} {'blocking':>9} {'overlapped':>10} {'limit':>9} hidden  "
        f"{'auto loses':>10} {'forecasts off':>13}  auto"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in options.benchmarks:
            for cluster in options.clusters:
                launch = Launch(parse(f"sim:{cluster}:4"))
                profile = Profile.from_json(calibrated(launch, Path(folder), _PARTS))
                for ranks in options.ranks:
                    for problem in options.classes or ["A"]:
                        _compare(name, cluster, ranks, problem, profile, options)


def _compare(
    name: str, cluster: str, ranks: int, problem: str, profile: Any, options: argparse.Namespace
) -> None:
    target = parse(f"sim:{cluster}:{ranks}")
    assert target.cluster is not None
    free = replace(target, cluster=replace(target.cluster, **FREE))

    def run(way: dict[str, Any], schedule: str, where: Any = target) -> float:
        settings = way["settings"]
        result = run_nas(Launch(where), name, problem, schedule=schedule, settings=settings)
        return float(result["seconds"])

    auto = run_nas(Launch(target), name, problem, schedule="auto", profile=profile)
    tried = _tried(auto["forecasts"], options.fastest)
    times = {}
    for way in tried:
        times[way_in_words(way)] = run(way, way["schedule"])
        if options.all:
            print(
                f"    {way_in_words(way):60} {times[way_in_words(way)] * 1e3:9.3f} ms, "
                f"predicted {way['seconds'] * 1e3:9.3f}",
                flush=True,
            )
    off = [way["seconds"] / times[way_in_words(way)] - 1 for way in tried]
    best = {
        schedule: min(
            (way for way in tried if way["schedule"] == schedule),
            key=lambda way: times[way_in_words(way)],
        )
        for schedule in SCHEDULES
    }
    overlapped = best["overlapped"]
    limit = _limit(Launch(free), Launch(target), name, problem, overlapped["settings"])
    # The same way but blocking: what overlap alone gains.
    blocking = run(overlapped, "blocking")
    taken = times[way_in_words(overlapped)]
    loses = auto["seconds"] / min(times.values()) - 1
    print(
        f"{name} {problem} {cluster:12} {ranks:5} {blocking * 1e3:9.3f} {taken * 1e3:10.3f} "
        f"{limit * 1e3:9.3f} {(blocking - taken) / (blocking - limit):6.3f} {loses:10.4f} "
        f"{max(off, key=abs):13.4f}  {way_in_words(auto)}",
        flush=True,
    )


def _tried(ways: list[dict[str, Any]], fastest: int | None) -> list[dict[str, Any]]:
    """The ways to try: of each schedule those that are predicted fastest, or all."""
    return [
        way
        for schedule in SCHEDULES
        for way in [each for each in ways if each["schedule"] == schedule][:fastest]
    ]


def _limit(
    free: Launch, target: Launch, name: str, problem: str, settings: dict[str, int]
) -> float:
    """Seconds that an overlapped program takes at least."""
    parts = [
        _parts(launch, name, problem, schedule, settings)
        for launch, schedule in ((free, "overlapped"), (target, "chain"))
    ]
    if name not in _IN_SEQUENCE:
        return max(map(sum, parts))
    return sum(map(max, *parts))


def _parts(
    launch: Launch, name: str, problem: str, schedule: str, settings: dict[str, int]
) -> list[float]:
    """Seconds of rank 0 from the beginning of each exchange to that of the next."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "trace.json")
        result = run_nas(
            launch, name, problem, schedule=schedule, settings=settings, trace=str(file)
        )
        events = json.loads(file.read_text())["traceEvents"]
    own = [event for event in events if event["ph"] == "X" and event["pid"] == 0]
    own.sort(key=lambda event: (event["ts"], event["dur"]))
    begins = [0.0]
    waited = True
    for event in own:
        if event["name"] == "initiation" and waited:
            begins.append(event["ts"] * 1e-6)
        if event["name"] in ("initiation", "wait"):
            waited = event["name"] == "wait"
    ends = [*begins[1:], begins[0] + result["seconds"]]
    return [end - begin for begin, end in zip(begins, ends, strict=True)]


def npb(options: argparse.Namespace) -> None:
    """Run in turn with NPB's own programs."""
    for name in options.benchmarks:
        for problem in options.classes or ["A"]:
            for on in options.on or ["mpi:2"]:
                ways = {"NPB": partial(_npb_rate, options, f"{name}.{problem}.x", on)}
                words = ["run", name, "--class", problem, "--on", on, "--mpi", options.mpi]
                for schedule in SCHEDULES:
                    ways[schedule] = partial(_rate, [*words, "--schedule", schedule])
                if options.settings:
                    given = [f"--{setting}" for setting in options.settings]
                    ways[" ".join(options.settings)] = partial(_rate, [*words, *given])
                found = in_turn(options.rounds, ways)
                report(f"{name} {problem} {on:12}", found, "Mop/s", "NPB", faster=True)


def _rate(words: list[str]) -> float:
    return float(lapwing(*words)["mops"])


def _npb_rate(options: argparse.Namespace, program: str, on: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(options.npb, program).resolve())
        said = foreign(on, options.mpi, [path], Path(folder))
    assert "SUCCESSFUL" in said, said
    return float(re.findall(r"Mop/s total\s*=\s*([0-9.]+)", said)[0])


def main() -> None:
    """Read the command line, and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["verify", "kernels", "hidden", "npb"])
    parser.add_argument("--benchmarks", nargs="+", choices=list(BENCHMARKS), default=[*BENCHMARKS])
    parser.add_argument("--classes", nargs="+")
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr", "ethernet"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[16, 64])
    parser.add_argument("--on", nargs="+", help="targets of verify and npb")
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--npb", default=".", help="the directory of NPB's programs")
    parser.add_argument("--settings", nargs="+", help="npb: also with these, such as tiles=160")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--all", action="store_true", help="hidden: print every way")
    parser.add_argument("--fastest", type=int, help="hidden: try so many of each schedule")
    options = parser.parse_args()
    {"verify": verify, "kernels": kernels, "hidden": hidden, "npb": npb}[options.what](options)


if __name__ == "__main__":
    main()
