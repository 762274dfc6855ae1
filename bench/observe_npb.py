"""What patches of `lapwing observe` promise for NPB's FT and MG, and what they save, filled in.

    build/venv/bin/python bench/observe_npb.py --npb NPB3.4-MPI [--programs ft mg]
        [--classes S W A] [--on sim:ib4x:16 sim:ethernet:16 ...] [--in-turn]

Copies NPB's sources, has their computation charged in simulated time, observes them on simulated
clusters, fills in the patch with the lines of bench/npb/, and runs that. Both programs verify their
results themselves. Times are of one exchange. With --in-turn the patch of MG computes first and
exchanges then: that saves what its messages save, and nothing is hidden.
"""

import argparse
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from npb import ft, mg
from npb.source import Benchmark, Edit, copied, edited

COMMAND = str(Path(__file__).resolve().parents[1] / "build" / "bin" / "lapwing")
# What playing a program needs of a profile.
PARTS = "tables,latency,protocol"
PROGRAMS = {program.NAME: program for program in (ft, mg)}


@dataclass(frozen=True)
class Result:
    """Seconds of one exchange. low, promised, high: what the patch is said to save."""

    cost: float
    low: float
    promised: float
    high: float
    saved: float
    verified: bool


def main() -> None:
    """Print a line for each program, class and cluster."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npb", required=True, type=Path, help="NPB's directory NPB3.4-MPI")
    parser.add_argument("--programs", nargs="+", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--classes", nargs="+", default=["S", "W"])
    parser.add_argument("--on", nargs="+", default=["sim:ib4x:16", "sim:ethernet:16"])
    parser.add_argument("--in-turn", action="store_true", help="MG: nothing is hidden")
    arguments = parser.parse_args()
    for name in ["mg"] if arguments.in_turn else arguments.programs:
        program = PROGRAMS[name]
        filled = mg.PATCH_IN_TURN if arguments.in_turn else program.PATCH
        print(f"{name}: {filled_lines(program)} lines filled in; times of one exchange in us")
        for size in arguments.classes:
            with tempfile.TemporaryDirectory() as folder:
                benchmark = copied(arguments.npb, name, size, Path(folder))
                blocking = benchmark.built("blocking", program.CHARGES, [])
                for target in arguments.on:
                    found = tried(benchmark, program, filled, blocking, target)
                    print(f"{name} {size} {target:16} {_line(found)}", flush=True)


def tried(
    benchmark: Benchmark, program: ModuleType, filled: list[Edit], blocking: str, target: str
) -> Result | None:
    """The promise and the truth; None if the exchange is not worth it.

    filled: what is filled into the patch. blocking: path of the program as it is.
    """
    here = benchmark.here
    machine, patch = here / "machine.json", here / "patch.cpp"
    patch.unlink(missing_ok=True)
    words = ["calibrate", "--on", target, "--only", PARTS, "-o", str(machine), "--force"]
    run(here, *words)
    words = ["observe", str(machine), "--on", target, "-o", "seen.json", "--patch", patch.name]
    before = run(here, *words, "--force", "--", blocking)
    seen = json.loads((here / "seen.json").read_text())
    site = seen["exchanges"][0]
    if not patch.exists() or seen["calls"][site["call"]]["function"] != program.SITE:
        return None
    module = here / "patch.f90"
    module.write_text(edited(module.read_text(), [*program.PATCH_CHARGES, *filled]))
    overlapped = benchmark.built("overlapped", program.CHARGES, program.PROGRAM, "patch")
    after = run(here, "observe", "--on", target, "--", overlapped)
    return Result(
        site["communication"]["seconds"],
        site["saved"]["low"],
        site["saved"]["seconds"],
        site["saved"]["high"],
        (_seconds(before) - _seconds(after)) / program.TIMES,
        verified=all("SUCCESSFUL" in output for output in (before, after)),
    )


def filled_lines(program: ModuleType) -> int:
    """Lines that a programmer writes."""
    return sum(edit.filled for edit in (*program.PROGRAM, *program.PATCH))


def run(folder: Path, *words: str) -> str:
    """What a command of Lapwing prints."""
    done = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def _seconds(output: str) -> float:
    found = re.search(r"^ seconds +([0-9.E+-]+) *$", output, re.MULTILINE)
    assert found, output
    return float(found[1])


def _line(found: Result | None) -> str:
    if found is None:
        return "not worth it"
    cost, low, promised, high, saved = (
        f"{1e6 * each:.0f}"
        for each in (found.cost, found.low, found.promised, found.high, found.saved)
    )
    return (
        f"cost {cost:>6}, promised {promised:>6} ({low} to {high}), saved {saved:>6}, "
        f"{found.saved / found.promised:.2f} of it"
        f"{'' if found.verified else '  NOT VERIFIED'}"
    )


if __name__ == "__main__":
    main()
