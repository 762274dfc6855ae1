"""What hiding is predicted to save, and what the overlapped program does.

    build/venv/bin/python bench/hiding.py [--clusters ib4x hdr] [--class A] [--programs ft is]

Records FT, MG, CG, IS and Jacobi iterations in their blocking form on simulated clusters, asks
`lapwing replay --hide all` what they would save, and records their overlapped form for comparison.
What the overlapped form computes less, as it packs less, is taken off what it saves.  FT's slabs
leave as they are computed, and are waited for together: they hide behind the computation before.
IS runs in as many tiles as the prediction says, if it says to cut at all.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from observe_patch import SOURCES, compiled, fill
from replay import NATIVE, run

import lapwing

PROGRAMS = {
    "ft": ("exchange", "slabs"),
    "mg": ("blocking", "overlapped"),
    "cg": ("blocking", "overlapped"),
    "is": ("blocking", "overlapped"),
}
BEHIND = {"ft": ["--behind", "before"]}
JACOBI = "jacobi"
CELLS = (512, 1024, 2048, 4096)
STEPS = "160"


def main() -> None:
    """Print a line for each program and cluster."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--clusters", nargs="+", default=["ib4x", "hdr"])
    parser.add_argument("--class", dest="size", default="A", help="of the benchmarks")
    parser.add_argument("--programs", nargs="+", default=[*PROGRAMS, JACOBI])
    arguments = parser.parse_args()
    print(f"{'program':16} {'on':>9} {'blocking':>12} {'saved':>12} {'predicted':>12}  of it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cluster in arguments.clusters:
            target = f"sim:{cluster}:{arguments.ranks}"
            machine = str(folder / f"{cluster}.json")
            run("calibrate", "--on", target, "-o", machine)
            for program in [each for each in PROGRAMS if each in arguments.programs]:
                words = [NATIVE, program, "--class", arguments.size]
                words += ["--result", str(folder / "result.json"), "--schedule"]
                blocking, overlapped = ([*words, schedule] for schedule in PROGRAMS[program])
                name = f"{program} {arguments.size}"
                behind = BEHIND.get(program, [])
                compare(folder, name, target, machine, blocking, overlapped, behind)
            if JACOBI in arguments.programs:
                jacobi(folder, target, machine)


def jacobi(folder: Path, target: str, machine: str) -> None:
    """Jacobi iterations, and the patch of `lapwing observe` for them, filled in: whole messages."""
    blocking = compiled(folder, "jacobi", SOURCES / "jacobi.cpp")
    for cells in CELLS:
        patch = folder / "overlapped.cpp"
        patch.unlink(missing_ok=True)
        options = ["--on", target, "--patch", str(patch), "--force"]
        run("observe", machine, *options, "--", blocking, str(cells), STEPS)
        if not patch.exists():
            print(f"jacobi {cells:9} {target}: nothing is worth overlapping", flush=True)
            continue
        filled = folder / "filled.cpp"
        filled.write_text(fill(patch.read_text()))
        overlapped = compiled(folder, "filled", filled)
        words = [str(cells), STEPS]
        compare(
            folder,
            f"jacobi {cells}",
            target,
            machine,
            [blocking, *words],
            [overlapped, *words],
            ["--pieces", "1"],
        )


def compare(
    folder: Path,
    name: str,
    target: str,
    machine: str,
    blocking: list[str],
    overlapped: list[str],
    options: Sequence[str] = (),
) -> None:
    """Print what a program saves, and what was predicted from its blocking form.

    options: of `lapwing replay`, besides those to hide all.
    """

    def recorded(form: str, program: list[str]) -> str:
        file = str(folder / f"{form}.lwt")
        run("record", "--force", "-o", file, "--on", target, "--", *program)
        return file

    recordings = [recorded("blocking", blocking)]
    hide = ["--profile", machine, "--hide", "all", *options]
    told = json.loads(run("replay", recordings[0], *hide, "--json"))
    predicted = told["hiding"]["saved"]["seconds"]
    in_tiles = tiles(told) if name.startswith("is ") else []
    recordings.append(recorded("overlapped", [*overlapped, *in_tiles]))
    before, after = (lapwing.replay(each, parameters={}).recorded for each in recordings)
    packed = (before.computed.seconds - after.computed.seconds) / told["ranks"]
    saved = before.time.seconds - after.time.seconds - packed
    print(
        f"{name:16} {target.split(':')[1]:>9} {us(before.time.seconds)} {us(saved)} "
        f"{us(predicted)} {predicted / saved:6.2f}",
        flush=True,
    )


def tiles(told: dict[str, Any]) -> list[str]:
    """The settings of IS that cut its keys as a prediction says."""
    way = told["hiding"]["sites"][0]["way_together"]
    if way is None or way["pieces"] == 1:
        return []
    return ["--tiles", str(way["pieces"]), "--ahead", "1", "--window", str(way["window"])]


def us(seconds: float) -> str:
    """Microseconds."""
    return f"{1e6 * seconds:9.0f} us"


if __name__ == "__main__":
    main()
