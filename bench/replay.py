"""Recorded programs, replayed on other clusters, beside the same programs run there.

    build/venv/bin/python bench/replay.py [--ranks 16] [--clusters ib4x hdr ethernet] [--npb BIN]

Records FT, MG, CG and IS, a triangulation, the examples, and NPB's own where BIN has them (built
with SimGrid's compilers), on simulated clusters. Plays each recording on the profile of each
cluster, and prints how far that is from the program as it was recorded there. Processors of the
clusters are not equally fast: computation is taken as long as it was there.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import lapwing

ROOT = Path(__file__).resolve().parents[1]
COMMAND = str(ROOT / "build" / "bin" / "lapwing")
NATIVE = str(ROOT / "build" / "bin" / "lapwing-mpi.smpi")
OWN = {
    "ft exchange": ["ft", "--schedule", "exchange"],
    "ft slabs": ["ft", "--schedule", "slabs"],
    "mg": ["mg"],
    "cg": ["cg"],
    "is": ["is"],
}
EXAMPLES = {
    "jacobi": ["200", "20"],
    "conjugate_gradient": ["128", "20", "collective"],
    "buckets": [],
    "lu": [],
    "poisson": [],
    "wavefront": [],
}


def main() -> None:
    """Print a line for each program and pair of clusters."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr", "ethernet"])
    parser.add_argument("--class", dest="size", default="S", help="of the benchmarks")
    parser.add_argument("--npb", type=Path, help="the folder of NPB's programs, such as ft.S.x")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = {
            name: [NATIVE, *words, "--class", arguments.size, "--result", f"{folder}/result.json"]
            for name, words in OWN.items()
        }
        programs["triangulation"] = [NATIVE, "triangulation", "--points", "20000"]
        programs["triangulation"] += ["--result", f"{folder}/result.json"]
        for name, words in EXAMPLES.items():
            programs[name] = [str(ROOT / "build" / "bin" / f"example-{name}.smpi"), *words]
        if arguments.npb:
            for name in ("ft", "mg", "cg", "is"):
                programs[f"npb {name}"] = [str(arguments.npb / f"{name}.{arguments.size}.x")]
        targets = {name: f"sim:{name}:{arguments.ranks}" for name in arguments.clusters}
        for name, target in targets.items():
            run("calibrate", "--on", target, "-o", f"{folder}/{name}.json")
        print(f"{'program':18} {'recorded on':>12} {'on':>10} {'there':>10} {'played':>10}  off")
        for name, program in programs.items():
            compare(folder, name, program, targets)


def compare(folder: str, name: str, program: list[str], targets: dict[str, str]) -> None:
    """Record a program on every cluster, and play each recording on every one."""
    recording = {on: f"{folder}/{name.replace(' ', '-')}.{on}.lwt" for on in targets}
    there: dict[str, Any] = {}
    for on, target in targets.items():
        run("record", "-o", recording[on], "--on", target, "--", *program)
        there[on] = lapwing.replay(recording[on], parameters={}).recorded
    for source in targets:
        for on in targets:
            here, before = there[on].computed.seconds, there[source].computed.seconds
            factor = here / before if before else 1.0
            played = json.loads(
                run(
                    "replay",
                    recording[source],
                    "--profile",
                    f"{folder}/{on}.json",
                    "--computation",
                    repr(factor),
                    "--json",
                )
            )["time"]["seconds"]
            ran = there[on].time.seconds
            print(
                f"{name:18} {source:>12} {on:>10} {1e3 * ran:7.3f} ms {1e3 * played:7.3f} ms "
                f"{100 * (played / ran - 1):+5.1f} %",
                flush=True,
            )


def run(*words: str) -> str:
    """Run `lapwing`; returns what it prints."""
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"lapwing {words[0]}: {done.stderr or done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
