"""The programs of NPB that a simulated cluster runs: built from the user's own sources, edited."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ROOT / "build" / "src" / "lapwing"
_COMMON = ["get_active_nprocs", "randi8", "print_results", "timers"]
_OPTIONS = ["-O2", "-g", "-w", "-fallow-argument-mismatch"]


@dataclass(frozen=True)
class Edit:
    """A change of one subroutine or module: the first line that begins with `begin` becomes `text`.

    lines: how many lines that replaces; 0: it stands before the line.
    """

    routine: str
    begin: str
    text: str
    lines: int = 1

    @property
    def filled(self) -> int:
        """Lines that a programmer writes."""
        return len(self.text.strip().splitlines())


def edited(source: str, edits: Sequence[Edit]) -> str:
    """The source with these changes."""
    lines = source.splitlines()
    for edit in edits:
        head = re.compile(rf"\s*(subroutine|module|program) {edit.routine}\b")
        start = next((i for i, line in enumerate(lines) if head.match(line)), len(lines))
        at = next(
            (i for i in range(start, len(lines)) if lines[i].strip().startswith(edit.begin)), None
        )
        assert at is not None, f"{edit.routine} has no line that begins with {edit.begin!r}"
        lines[at : at + edit.lines] = edit.text.strip("\n").splitlines()
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Benchmark:
    """A copy of a benchmark of NPB, of one class, in a folder. name: "ft" or "mg"."""

    name: str
    folder: Path

    @property
    def here(self) -> Path:
        """Where its sources are."""
        return self.folder / self.name.upper()

    @property
    def sources(self) -> list[str]:
        """Its own files but the last, which is the program, in the order of their modules."""
        return ["mpinpb.f90", f"{self.name}_data.f90"]

    def built(
        self, program: str, charges: Sequence[Edit], edits: Sequence[Edit], patch: str | None = None
    ) -> str:
        """The path of the program with these changes, and with a patch if there is one.

        patch: name without its ending of the C++ file and the Fortran module.
        """
        here = self.here
        source = (here / f"{self.name}.f90").read_text()
        (here / f"{program}.f90").write_text(edited(source, [*charges, *edits]))
        files = [*self.sources, *([f"{patch}.f90"] if patch else []), f"{program}.f90"]
        files += [f"../common/{name}.f90" for name in _COMMON]
        objects = [f"{program}-{Path(file).stem}.o" for file in files]
        for file, made in zip(files, objects, strict=True):
            _run(["smpif90", *_OPTIONS, "-c", "-o", made, file], here)
        libraries = []
        if patch:
            cpp = ["smpicxx", "-std=c++20", "-O2", "-DLAPWING_SMPI=1", f"-I{ROOT / 'src'}"]
            _run([*cpp, "-c", "-o", f"{patch}-cpp.o", f"{patch}.cpp"], here)
            libraries = [f"{patch}-cpp.o", f"-L{LIBRARIES}", "-llapwing_io", "-llapwing"]
            libraries.append("-lstdc++")
        _run(["smpif90", "-o", program, *objects, *libraries], here)
        return str(here / program)


def copied(npb: Path, name: str, size: str, folder: Path) -> Benchmark:
    """A benchmark, copied from the directory NPB3.4-MPI, ready to be built for a class."""
    for part in ("common", "config", "sys", name.upper()):
        shutil.copytree(npb / part, folder / part, ignore=shutil.ignore_patterns("*.o", "*.mod"))
    template = folder / "config" / "make.def.template"
    (folder / "config" / "make.def").write_text(template.read_text())
    _run(["cc", "-w", "-o", "setparams", "setparams.c"], folder / "sys")
    _run(["../sys/setparams", name, size], folder / name.upper())
    return Benchmark(name, folder)


def _run(words: list[str], folder: Path) -> None:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
