"""What a patch of `lapwing observe` promises, and what it saves once it is filled in.

    build/venv/bin/python bench/observe_patch.py [--on sim:ib4x:16] [--cells 256 1024 4096]
        [--steps 160]

Observes a blocking program, Jacobi iterations, on a simulated cluster; takes the patch that it is
given; fills in the places that are left open, which are the lines of FILLED; and runs that.
"""

import argparse
import json
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "tests" / "python" / "cli" / "programs" / "jacobi"
COMMAND = str(ROOT / "build" / "bin" / "lapwing")
LIBRARIES = ROOT / "build" / "src" / "lapwing"
# What playing a program needs of a profile.
PARTS = "tables,latency,protocol"

# What a programmer does to the patch: the beginning of a line, and what stands there instead.
FILLED = {
    "#include <mpi.h>": '#include <mpi.h>\n#include "block.hpp"',
    "void exchange_1(": "void exchange_1(MPI_Comm communicator, int times, Block& block) {",
    "// TODO(computation): write what": "block.pack(sides[i].send_tag, out[i].data());",
    "// TODO(computation): what needs nothing": "block.interior();",
    "// TODO(computation): take what came": "block.unpack(sides[i].send_tag, in[i].data());",
    "// TODO(computation): what needs all": "block.border();\nblock.advance();",
}
MAIN = """
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const Grid grid;
    Block block(grid, std::atoi(argv[1]));
    const double start = MPI_Wtime();
    overlapped::exchange_1(grid.ranks, std::atoi(argv[2]), block);
    print_result(grid, block, start);
    MPI_Finalize();
}
"""


@dataclass(frozen=True)
class Result:
    """Seconds of the whole loop. low, promised, high: what the patch is said to save."""

    blocking: float
    overlapped: float
    low: float
    promised: float
    high: float
    same: bool

    @property
    def saved(self) -> float:
        """Seconds that it does save."""
        return self.blocking - self.overlapped


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--on", default="sim:ib4x:16")
    parser.add_argument("--cells", nargs="+", type=int, default=[256, 512, 1024, 2048, 4096])
    parser.add_argument("--steps", type=int, default=160, help="iterations")
    arguments = parser.parse_args()
    print(f"{FILLED_LINES} lines filled in, {arguments.steps} steps, {arguments.on}; times in us")
    print(f"{'cells':>6} {'blocking':>9} {'overlapped':>10} {'promised':>22} {'saved':>8}  of it")
    with tempfile.TemporaryDirectory() as folder:
        machine = str(Path(folder, "machine.json"))
        words = ["calibrate", "--on", arguments.on, "--only", PARTS, "-o", machine]
        run(Path(folder), *words)
        for cells in arguments.cells:
            found = tried(Path(folder), machine, arguments.on, [str(cells), str(arguments.steps)])
            if found is None:
                print(f"{cells:6} nothing is worth overlapping", flush=True)
                continue
            promise = f"{us(found.promised)} ({us(found.low)} to {us(found.high)})"
            print(
                f"{cells:6} {us(found.blocking):>9} {us(found.overlapped):>10} {promise:>22} "
                f"{us(found.saved):>8} {found.saved / found.promised:6.2f}"
                f"{'' if found.same else '  ANOTHER RESULT'}",
                flush=True,
            )


def tried(folder: Path, machine: str, target: str, size: list[str]) -> Result | None:
    """The promise and the truth; None if nothing is worth it. size: cells, and steps."""
    blocking = compiled(folder, "jacobi", SOURCES / "jacobi.cpp")
    seen, patch = folder / "seen.json", folder / "overlapped.cpp"
    patch.unlink(missing_ok=True)
    options = ["--on", target, "-o", str(seen), "--patch", str(patch), "--force"]
    before = run(folder, "observe", machine, *options, "--", blocking, *size)
    if not patch.exists():
        return None
    filled = folder / "filled.cpp"
    filled.write_text(fill(patch.read_text()))
    program = compiled(folder, "filled", filled)
    after = run(folder, "observe", "--on", target, "--", program, *size)
    document = json.loads(seen.read_text())
    head = document["exchanges"][0]["call"]
    # Ranks of other numbers of neighbours are other entries: what all wait for is the least.
    sites = [
        exchange
        for exchange in document["exchanges"]
        if exchange["call"] == head and exchange["verdict"] == "worth it"
    ]
    least = min(sites, key=lambda exchange: float(exchange["saved_in_all"]["seconds"]))
    return Result(
        time_of(before),
        time_of(after),
        least["saved_in_all"]["low"],
        least["saved_in_all"]["seconds"],
        max(exchange["saved_in_all"]["high"] for exchange in sites),
        # Messages in another order do not change it; sums of ranks may, in the last place.
        abs(sum_of(before) - sum_of(after)) <= 1e-9 * abs(sum_of(before)),
    )


def fill(patch: str) -> str:
    """The patch with every place filled in."""
    lines = []
    left = dict(FILLED)
    for line in patch.splitlines():
        begin = next((begin for begin in left if line.strip().startswith(begin)), None)
        lines.append(line if begin is None else left.pop(begin))
    assert not left, f"the patch has no line {list(left)}"
    return "\n".join(lines) + MAIN


FILLED_LINES = sum(text.count("\n") + 1 for text in FILLED.values()) + MAIN.strip().count("\n") + 1


def compiled(folder: Path, name: str, source: Path) -> str:
    """A program for simulated clusters."""
    program = str(folder / name)
    words = ["smpicxx", "-std=c++20", "-O2", "-DLAPWING_SMPI=1", f"-I{SOURCES}"]
    words += [f"-I{ROOT / 'src'}", "-o", program, str(source)]
    words += [f"-L{LIBRARIES}", "-llapwing_io", "-llapwing"]
    subprocess.run(words, check=True)
    return program


def run(folder: Path, *words: str) -> str:
    """What a command of Lapwing prints."""
    done = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def sum_of(output: str) -> float:
    """The sum that the program prints."""
    found = re.search(r"^sum ([0-9.]+)$", output, re.MULTILINE)
    assert found, output
    return float(found[1])


def time_of(output: str) -> float:
    """The seconds that the program prints."""
    found = re.search(r"^([0-9.]+) s$", output, re.MULTILINE)
    assert found, output
    return float(found[1])


def us(seconds: float) -> str:
    """Microseconds."""
    return f"{1e6 * seconds:.0f}"


if __name__ == "__main__":
    main()
