#!/usr/bin/env python3
"""Transforms and NAS FT: verified, scaled, predicted, and compared with other programs.

    verify      every schedule over every transport, classes W, A and, on two ranks, B
    scaling     Hoefler's shapes, 400^3 on 16 ... 720^3 on 120 ranks, simulated without data
    choice      prediction error of every way, and what auto loses against the best of them
    phases      where the time of NAS FT goes, by schedule and transport (Bell's figures 8 and 9)
    npb         NAS FT in turn with NPB's own programs, named by --npb (a directory with ft.A.x),
                and how much of their time is communication
    fftw        a transform in turn with FFTW-MPI's (build the target fftw-mpi)

`npb` and `fftw` measure wall time: leave the machine alone meanwhile. Run it with the
Python of the build: `build/venv/bin/python bench/ft.py scaling`.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

from command import BIN, lapwing
from in_turn import foreign, in_turn, report

from lapwing.launch.program import mpi_of
from lapwing.testbed import load_cluster
from lapwing.transforms.ways import SCHEDULES

WAYS = [f"{schedule}:{transport}" for schedule, all_ in SCHEDULES.items() for transport in all_]
# Elements along an axis, and ranks.
HOEFLER = [(400, 16), (480, 27), (480, 32), (560, 48), (640, 64), (640, 96), (720, 120)]
LARGE = 128  # hosts of a cluster that is enlarged because there are more ranks than it has hosts


def calibrated(target: str, folder: Path) -> Path:
    """A profile of the target with everything that a forecast needs."""
    machine = folder / f"{target.replace(':', '-').replace('/', '-')}.json"
    if not machine.exists():
        parts = "tables,latency,protocol,kernels,operations,log3p"
        words = ["calibrate", "--on", target, "--only", parts, "-o", str(machine)]
        subprocess.run([str(BIN / "lapwing"), *words], check=True, capture_output=True)
    return machine


def verify(options: argparse.Namespace, folder: Path) -> None:
    """Verify checksums to 1e-12."""
    for problem in options.classes or ["W", "A", "B"]:
        for ranks in options.ranks or ([2] if problem == "B" else [1, 2, 4]):
            for way in WAYS:
                schedule, transport = way.split(":")
                words = ["--class", problem, "--schedule", schedule, "--transport", transport]
                found = lapwing(
                    "run", "ft", *words, "--on", f"mpi:{ranks}", "--mpi", options.mpi[0]
                )
                print(
                    f"{problem} {ranks:3} ranks  {way:20} "
                    f"{'verified' if found['verified'] else 'WRONG'}  {found['mops']:9.1f} Mop/s",
                    flush=True,
                )


def enlarged(cluster: str, folder: Path) -> str:
    """The cluster with more hosts."""
    if load_cluster(cluster).hosts >= LARGE:
        return cluster
    import lapwing.testbed.cluster as shipped

    text = (Path(shipped.__file__).parent / "clusters" / f"{cluster}.toml").read_text()
    file = folder / f"{cluster}-{LARGE}.toml"
    file.write_text(re.sub(r"(?m)^hosts *= *\d+", f"hosts = {LARGE}", text))
    return str(file)


def limit(found: dict[str, Any], machine: Path) -> float:
    """Lower bound of the seconds of a transform in planes, on a machine without inner switches.

    Processors transform all lines, and take part in a message to and from each other rank. Links
    carry all data at the best measured rate, and nothing is sent before the columns of a plane are
    transformed.
    """
    profile = json.loads(machine.read_text())
    n0, n1, n2 = found["size"]
    ranks, lines = found["ranks"], found["lines"]["seconds"]
    loggp = profile["loggp"]
    messages = (ranks - 1) * (loggp["o_s"] + loggp["o_r"])
    width = n2 // 2 + 1 if found["real"] else n2
    rows = math.log2(n2) * n2 / 2 if found["real"] else math.log2(n2) * n2
    all_lines = n0 * n1 * (rows + width * math.log2(n0 * n1)) / ranks
    columns = lines / found["batch"] * n1 * width * math.log2(n1) / all_lines
    sent = 16 * n0 * n1 * width * found["batch"] / ranks * (1 - 1 / ranks)
    fastest = max(*profile["bandwidth"]["unidirectional"], 1 / loggp["G"])
    return max(lines + messages, columns + sent / fastest)


def row(target: str, found: dict[str, Any], entry: dict[str, Any]) -> str:
    """The row of a way in the table."""
    lines = found["lines"]["seconds"]
    seconds = entry["time"]["seconds"]
    reduction = entry.get("overhead_reduction")
    error = entry.get("prediction_error")
    size = "x".join(map(str, found["size"]))
    return (
        f"{target:18} {size:12} {entry['schedule']:9}{entry['transport']:11}"
        f"{entry['tile']:3} {entry['strips']:3} {entry['window']:3}  {1e3 * seconds:10.3f} ms  "
        f"lines {lines / seconds:6.3f}  efficiency {found['limit'] / seconds:6.3f}"
        + (f"  reduction {reduction:6.3f}" if reduction is not None else "")
        + (f"  predicted {100 * error:+6.1f} %" if error is not None else "")
        + ("  auto" if entry.get("auto") else "")
    )


def timed(
    target: str, size: object, ways: list[str], folder: Path, *words: object
) -> dict[str, Any]:
    """Transforms of one size on a target, with the profile of its cluster, and their bound."""
    machine = calibrated(target.rpartition(":")[0] + ":2", folder)
    asked = ["--compare", ",".join(ways), "--no-data", *words]
    found: dict[str, Any] = lapwing("run", "fft", machine, "--size", size, "--on", target, *asked)
    found["limit"] = limit(found, machine)
    return found


def scaling(options: argparse.Namespace, folder: Path) -> None:
    """Print the weak scaling of Hoefler's figures."""
    for cluster in options.clusters:
        large = enlarged(cluster, folder)
        for length, ranks in HOEFLER:
            if options.ranks and ranks not in options.ranks:
                continue
            ways = ["exchange:two-sided", "exchange", "slabs", "slabs:rma", "strips", "tiled"]
            found = timed(f"sim:{large}:{ranks}", length, [*ways, "auto"], folder)
            for entry in found["ways"]:
                print(row(f"{cluster}:{ranks}", found, entry), flush=True)


def choice(options: argparse.Namespace, folder: Path) -> None:
    """Print every way beside its prediction, and auto beside the best way."""
    worst, loss = 0.0, 0.0
    for cluster in options.clusters:
        for ranks in options.ranks or [4, 16, 64]:
            for size in options.sizes:
                words = ["--tile", "1:64", *(["--real"] if options.real else [])]
                found = timed(f"sim:{cluster}:{ranks}", size, [*WAYS, "auto"], folder, *words)
                for entry in found["ways"]:
                    worst = max(worst, abs(entry.get("prediction_error", 0)))
                    if options.verbose:
                        print(row(f"{cluster}:{ranks}", found, entry), flush=True)
                best = min(found["ways"], key=lambda entry: entry["time"]["seconds"])
                (auto,) = (entry for entry in found["ways"] if entry.get("auto"))
                lost = auto["time"]["seconds"] / best["time"]["seconds"] - 1
                loss = max(loss, lost)
                print(f"auto loses {100 * lost:.2f} % of: {row(cluster, found, best)}", flush=True)
    print(f"largest prediction error {100 * worst:.1f} %, largest loss of auto {100 * loss:.2f} %")


def phases(options: argparse.Namespace, folder: Path) -> None:
    """Print where the time goes, as Bell's figures 8 and 9."""
    for problem in options.classes or ["A"]:
        for on in options.on:
            for way in WAYS:
                schedule, transport = way.split(":")
                words = ["--class", problem, "--schedule", schedule, "--transport", transport]
                found = lapwing("run", "ft", *words, "--on", on)
                spent = "  ".join(
                    f"{name} {1e3 * phase['seconds']:.2f}"
                    for name, phase in found["transforms"].items()
                )
                print(
                    f"{problem} {on:14} {way:20} {found['seconds']:8.4f} s  {spent} ms  "
                    f"messages {found['messages']}, share {found['overlap_share']:.4f}",
                    flush=True,
                )


def npb(options: argparse.Namespace, folder: Path) -> None:
    """Print Mop/s, in turn with NPB's programs."""
    if options.npb is None:
        sys.exit("npb: name the directory of NPB's programs with --npb")
    (folder / "timer.flag").touch()  # makes NPB print where its time goes
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    for problem in options.classes or ["A", "B"]:
        program = Path(options.npb, f"ft.{problem}.x").absolute()
        if not program.exists():
            sys.exit(f"{program}: no such program; make it in NPB 3.4: make ft CLASS={problem}")
        mpi = mpi_of(str(program))
        mpi = mpi if mpi in ("openmpi", "mpich") else options.mpi[0]

        def theirs(on: str, program: Path = program, mpi: str = mpi) -> float:
            said = foreign(on, mpi, [str(program)], folder)
            assert "SUCCESSFUL" in said, said
            for part, seconds in re.findall(r"(totcomp|totcomm) \).*\s([0-9.]+)\n", said):
                spent[on, part].append(float(seconds))
            return float(re.search(r"Mop/s total\s*=\s*([0-9.]+)", said)[1])

        def ours(on: str, way: str, problem: str = problem, mpi: str = mpi) -> float:
            schedule, transport = way.split(":")
            words = ["--class", problem, "--schedule", schedule, "--transport", transport]
            words += ["--effort", options.effort, "--on", on, "--mpi", mpi]
            return float(lapwing("run", "ft", *words)["mops"])

        for on in options.on:
            ways = {"NPB": lambda on=on: theirs(on)}
            for way in options.ways:
                ways[way] = lambda on=on, way=way: ours(on, way)
            found = in_turn(options.rounds, ways)
            computes, sends = (statistics.median(spent[on, p]) for p in ("totcomp", "totcomm"))
            print(f"{problem} {on}  NPB computes {computes:.2f} s, communicates {sends:.2f} s")
            report(f"{problem} {on}", found, "Mop/s", "NPB", True)


def searched(way: str, options: argparse.Namespace) -> list[list[str]]:
    """The words of a way, for each number of strips, window and polling interval."""
    schedule = way.partition(":")[0]
    cuts = [["--strips", cut] for cut in options.strips if schedule == "strips"] or [[]]
    windows = [["--window", window] for window in options.window if schedule != "exchange"] or [[]]
    polls = [["--poll", poll] for poll in options.poll if schedule != "exchange"] or [[]]
    return [[*cut, *window, *poll] for cut in cuts for window in windows for poll in polls]


def fftw(options: argparse.Namespace, folder: Path) -> None:
    """Print seconds of a transform, in turn with FFTW's and, if installed, mpi4py-fft's."""
    program = BIN / "fftw-mpi"
    if not program.exists():
        sys.exit(f"{program}: not there; install libfftw3-mpi-dev and build the target fftw-mpi")

    def theirs(on: str, size: str, words: list[str]) -> float:
        lengths = size.split("x") if "x" in size else [size] * 3
        said = foreign(on, "openmpi", [*words, *lengths, str(options.runs)], folder)
        return statistics.median(map(float, said.split()))

    def ours(on: str, size: str, way: str, search: list[str]) -> float:
        words = ["--size", size, "--compare", way, "--repeat", options.runs, "--effort", "measure"]
        words += search
        found = lapwing("run", "fft", *words, "--on", on, "--mpi", "openmpi")
        return float(found["ways"][-1]["time"]["seconds"])

    others = {"FFTW-MPI": [str(program)]}
    if options.mpi4py_fft:
        script = Path(__file__).parent / "fft" / "time_mpi4py_fft.py"
        others["mpi4py-fft"] = [options.mpi4py_fft, str(script)]
    for size in options.sizes:
        for on in options.on:
            ways = {name: partial(theirs, on, size, words) for name, words in others.items()}
            for way in options.ways:
                for search in searched(way, options):
                    name = " ".join([way, *search])
                    ways[name] = partial(ours, on, size, way, search)
            report(f"{size} {on}", in_turn(options.rounds, ways), "s", "FFTW-MPI", False)


def main() -> None:
    """Run the benchmark that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["verify", "scaling", "choice", "phases", "npb", "fftw"])
    parser.add_argument("--classes", nargs="+", help="of NAS FT")
    parser.add_argument("--ranks", nargs="+", type=int)
    parser.add_argument("--sizes", nargs="+", default=["128x256x256"], help="default: class A's")
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr", "ethernet", "ranger"])
    parser.add_argument("--on", nargs="+", default=["mpi:2"])
    parser.add_argument("--mpi", nargs=1, default=["openmpi"])
    parser.add_argument("--ways", nargs="+", default=["slabs:two-sided", "slabs:rma"])
    parser.add_argument("--effort", default="measure")
    parser.add_argument("--rounds", type=int, default=5, help="npb, fftw: launches of each")
    parser.add_argument("--runs", type=int, default=7, help="fftw: in each launch")
    parser.add_argument("--strips", nargs="+", default=[], help="fftw: each is timed, as are")
    parser.add_argument("--window", nargs="+", default=[], help="windows")
    parser.add_argument("--poll", nargs="+", default=[], help="and intervals of polling, 100us")
    parser.add_argument("--npb", help="directory of NPB's programs")
    parser.add_argument("--mpi4py-fft", help="fftw: a Python that has mpi4py-fft, timed too")
    parser.add_argument("--verbose", action="store_true", help="choice: every way")
    parser.add_argument("--real", action="store_true", help="choice: of real numbers")
    options = parser.parse_args()
    os.environ.pop("LAPWING_NO_DATA", None)
    with tempfile.TemporaryDirectory() as folder:
        globals()[options.what](options, Path(folder))


if __name__ == "__main__":
    main()
