"""What `lapwing observe` finds in programs that were not written for it, and what that costs.

    build/venv/bin/python bench/observe_programs.py --npb NPB3.4-MPI/bin [--runs 9] [--only hpcc]

Runs what is installed on two ranks under Open MPI, in turn with and without the library: NPB's FT,
MG, CG and IS (built there, https://www.nas.nasa.gov/software/npb.html), Debian's hpcc, lammps and
quantum-espresso (pw.x needs --pseudo FILE, a pseudopotential of silicon). The overhead is the
median of the ratios of neighbouring runs, of the time that the program prints, or else of the
run's; on a machine that does other things, too, it says little. So beside it stands what the calls
of a rank cost, as bench/observe.py measures one (--call). Lines of the output in which two runs
without the library differ are times; all others must be the same with it.
"""

import argparse
import gzip
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lapwing import load_profile
from lapwing.launch.native import find_observer
from lapwing.observing.record import read
from lapwing.observing.savings import rank
from lapwing.results.call_site import call_site

RANKS = 2
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
HPCC_INPUT = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
MELT = """\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 16 0 16 0 16
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
thermo 50
run 200
"""
SILICON = """\
&control
  calculation = 'scf', pseudo_dir = '.', outdir = '.', prefix = 'si'
/
&system
  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 20.0
/
&electrons
/
ATOMIC_SPECIES
 Si 28.086 PSEUDO
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.25
K_POINTS automatic
 4 4 4 1 1 1
"""


@dataclass(frozen=True)
class Program:
    """A program and its input. files: by name.  seconds: finds the time that it prints.

    output: the file that it writes, or else what it prints is looked at.
    """

    name: str
    command: list[str]
    files: dict[str, str] = field(default_factory=dict)
    seconds: str = ""
    output: str = ""


def installed(npb: str | None, pseudo: str | None) -> Iterator[Program]:
    """The programs that are here."""
    for name in ("ft", "mg", "cg", "is"):
        for letter in ("S", "W", "A"):
            path = Path(npb or "", f"{name}.{letter}.x").resolve()
            if npb and path.is_file():
                yield Program(
                    f"{name}.{letter}", [str(path)], seconds=r"Time in seconds\s*=\s*([0-9.]+)"
                )
    if shutil.which("hpcc") and HPCC_INPUT.is_file():
        text = re.sub(r"(?m)^1000 ", "2000 ", HPCC_INPUT.read_text())
        text = re.sub(r"(?m)^2(\s+)Ps", r"1\1Ps", text)
        yield Program("hpcc", ["hpcc"], {"hpccinf.txt": text}, output="hpccoutf.txt")
    if shutil.which("lmp"):
        yield Program(
            "lammps",
            ["lmp", "-in", "in.melt"],
            {"in.melt": MELT},
            seconds=r"Loop time of ([0-9.]+)",
        )
    if shutil.which("pw.x") and pseudo:
        name = Path(pseudo).name
        content = Path(pseudo).read_bytes()
        potential = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
        files = {"in": SILICON.replace("PSEUDO", name), name: potential}
        yield Program(
            "pw.x", ["pw.x", "-in", "in"], files, seconds=r"PWSCF .*CPU\s+([0-9.]+)s WALL"
        )


@dataclass(frozen=True)
class Ran:
    """A run: its seconds, the lines of its output, and what was observed."""

    seconds: float
    lines: list[str]
    observed: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    computed: float
    count: float


def run(program: Program, observed: bool, machine: str | None) -> Ran:
    """Run a program once, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in program.files.items():
            Path(folder, name).write_text(text)
        tables = Path(folder, "tables")
        tables.mkdir()
        environment = {**os.environ, **AS_ROOT, "OMP_NUM_THREADS": "1"}
        if observed:
            environment["LD_PRELOAD"] = find_observer("openmpi")
            environment["LAPWING_OBSERVE"] = str(tables)
        words = ["mpirun.openmpi", "--bind-to", "core", "-n", str(RANKS), *program.command]
        start = time.monotonic()
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        seconds = time.monotonic() - start
        text = Path(folder, program.output).read_text() if program.output else done.stdout
        if program.seconds:
            found = re.search(program.seconds, text)
            assert found, text
            # A time that is printed with two digits says nothing where it is short.
            seconds = float(found[1]) if float(found[1]) >= 1 else seconds
        if not observed:
            return Ran(seconds, text.splitlines(), [], [], 0.0, 0.0)
        record, _ = read(tables) or ({}, None)
        document = {**record, "target": None, "cluster": None}
        ranked = rank(document, load_profile(machine) if machine else None)
        share = record["computation"]["seconds"] / record["time"]["seconds"]
        count = sum(call["count"] for call in record["calls"]) / RANKS
        return Ran(seconds, text.splitlines(), ranked, record["calls"], share, count)


def changed(plain: list[Ran], observed: Ran) -> set[int]:
    """Numbers of lines that observation changed, of those that do not differ without it."""
    steady = {
        place
        for place, lines in enumerate(zip(*(ran.lines for ran in plain), strict=False))
        if len(set(lines)) == 1
    }
    return {
        place
        for place in steady
        if place >= len(observed.lines) or observed.lines[place] != plain[0].lines[place]
    }


def line(program: Program, runs: int, machine: str | None, call: float) -> None:
    """Run a program in turn with and without the library, and print what that shows."""
    plain, seen = [], []
    for _ in range(runs):
        plain.append(run(program, False, machine))
        seen.append(run(program, True, machine))
    ratios = [b.seconds / a.seconds for a, b in zip(plain, seen, strict=True)]
    last = seen[-1]
    worth = [each for each in last.observed if each["verdict"] == "worth it"]
    first = call_site(last.calls[last.observed[0]["call"]]) if last.observed else ""
    pattern = f"{last.observed[0]['pattern']} in {first}" if first else "nothing"
    others = set.union(*(changed(plain, each) for each in seen))
    seconds = statistics.median(each.seconds for each in plain)
    print(
        f"{program.name:8} {seconds:9.2f} {100 * (statistics.median(ratios) - 1):+8.1f} % "
        f"{last.count:9.0f} {100 * last.count * call / seconds:6.2f} % {len(others):13} "
        f"{100 * last.computed:11.0f} % {len(last.observed):9} {len(worth):5}  {pattern}",
        flush=True,
    )
    for place in sorted(others):
        print(f"         {plain[0].lines[place]} -> {[each.lines[place] for each in seen]}")


def main() -> None:
    """Print a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npb", metavar="DIR", help="where ft.W.x and so on are")
    parser.add_argument("--pseudo", metavar="FILE", help="a pseudopotential of silicon")
    parser.add_argument("--machine", help="a profile to save on (default: none)")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--call", type=float, default=2e-7, help="seconds of a call observed")
    parser.add_argument("--only", nargs="+", default=[])
    arguments = parser.parse_args()
    print(
        f"{'program':8} {'seconds':>9} {'overhead':>10} {'calls':>9} {'of it':>8} "
        f"{'changed lines':>13} {'computation':>13} "
        f"{'exchanges':>9} {'worth':>5}  first"
    )
    for program in installed(arguments.npb, arguments.pseudo):
        if not arguments.only or program.name in arguments.only:
            line(program, arguments.runs, arguments.machine, arguments.call)


if __name__ == "__main__":
    main()
