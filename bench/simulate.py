"""Times the event engine, alone or in turn with LogGOPSim.

    build/venv/bin/python bench/simulate.py
    build/venv/bin/python bench/simulate.py --against LogGOPSim --convert txt2bin
    build/venv/bin/python bench/simulate.py --against LogGOPSim --convert txt2bin FILE.goal ...

Each figure is the median of a whole program's wall times, with that of processor times in brackets,
on which other programs have no effect. First come ours with generated schedules. Then come ours and
LogGOPSim's, in turn, both on the same binary file, which is made from these schedules, or from the
files that are named; the ratios are those of processor times: median, least and most. Finish times
must be the same, also of tests/data/goal as text and as binary.
"""

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIMULATE = ROOT / "build" / "bin" / "lapwing-simulate"
# Operation, algorithm, ranks, size, and whether LogGOPSim is fast enough to wait for.
CASES = [
    ("barrier", "dissemination", 16384, 1, True),
    ("barrier", "dissemination", 65536, 1, True),
    ("barrier", "dissemination", 1 << 20, 1, False),
    ("bcast", "binomial", 1 << 20, 8, False),
    ("alltoall", "linear", 128, 1024, True),
    ("alltoall", "linear", 4096, 1024, False),
    ("alltoall", "linear", 4096, 1, False),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="GOAL texts, instead of our schedules")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--against", help="LogGOPSim's program")
    parser.add_argument("--convert", help="its txt2bin")
    arguments = parser.parse_args()
    if bool(arguments.against) != bool(arguments.convert):
        sys.exit("--against and --convert go together")
    if arguments.files and not arguments.against:
        sys.exit("files are for --against")

    print(
        f"{'schedule':34}{'seconds':>16}{'events/s':>10}{'on its file':>18}{'LogGOPSim':>18}"
        "  ratio, least, most"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in arguments.files:
            print(f"{file.name:60}{against(file, folder, arguments)}", flush=True)
        if not arguments.files:
            schedules(folder, arguments)
            reading(folder)
        if arguments.against:
            equal(folder, arguments)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"the largest of all these programs took {peak:.0f} MB")


def schedules(folder: Path, arguments: argparse.Namespace) -> None:
    for *case, waited_for in CASES:
        ours = Times()
        for _ in range(arguments.times):
            said = ours.run([*command(case), "--json"])
        events = json.loads(said)["events"] / statistics.median(ours.processor)
        line = f"{' '.join(str(word) for word in case):34}{ours!s:>16}{events:10.3g}"
        if arguments.against and waited_for:
            text = folder / "schedule.goal"
            subprocess.run([*command(case), "--write", text], check=True, capture_output=True)
            line += against(text, folder, arguments)
        print(line, flush=True)


def command(case: list) -> list[str]:
    operation, algorithm, ranks, size = (str(word) for word in case)
    words = [str(SIMULATE), "--collective", operation, "--algorithm", algorithm]
    return [*words, "--ranks", ranks, "--size", size]


class Times:
    """Wall and processor seconds of runs."""

    def __init__(self) -> None:
        self.clock: list[float] = []
        self.processor: list[float] = []

    def run(self, words: list[str]) -> str:
        """Run once more, and return the output."""
        before, start = spent(), time.perf_counter()
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        self.clock.append(time.perf_counter() - start)
        self.processor.append(spent() - before)
        return done.stdout

    def __str__(self) -> str:
        return f"{statistics.median(self.clock):.4f} ({statistics.median(self.processor):.4f})"


def spent() -> float:
    """Processor seconds of all programs that were run so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def converted(text: Path, folder: Path, convert: str) -> Path:
    binary = folder / "schedule.bin"
    subprocess.run([convert, "-i", text, "-o", binary], check=True, capture_output=True)
    return binary


def against(text: Path, folder: Path, arguments: argparse.Namespace) -> str:
    """Our times and LogGOPSim's on the binary file of a GOAL text, and their ratio."""
    binary = converted(text, folder, arguments.convert)
    ours, theirs = Times(), Times()
    for _ in range(arguments.times):
        said = finish([ours.run([str(SIMULATE), str(binary), "--json"])])
        answer = finish([theirs.run([arguments.against, "-b", "-f", str(binary)])])
        if said != answer:
            sys.exit(f"{text.name}: LogGOPSim says {answer} ns, but we say {said}")
    ratios = [its / own for its, own in zip(theirs.processor, ours.processor, strict=True)]
    spread = (statistics.median(ratios), min(ratios), max(ratios))
    return f"{ours!s:>18}{theirs!s:>18}" + "".join(f"{ratio:7.1f}" for ratio in spread)


def finish(outputs: list[str]) -> set[int]:
    """When schedules end, in nanoseconds, as either program says it."""
    said = re.compile(r'(?:"finish_ns": |Maximum finishing time at host \d+: )(\d+)')
    return {int(said.search(output)[1]) for output in outputs}


def equal(folder: Path, arguments: argparse.Namespace) -> None:
    """Hold finish times of small schedules against LogGOPSim's, as text and as binary."""
    texts = sorted((ROOT / "tests" / "data" / "goal").glob("*.goal"))
    for text in texts:
        binary = converted(text, folder, arguments.convert)
        commands = [
            [str(SIMULATE), str(text), "--json"],
            [str(SIMULATE), str(binary), "--json"],
            [arguments.against, "-b", "-f", str(binary)],
        ]
        times = finish([Times().run(command) for command in commands])
        if len(times) > 1:
            sys.exit(f"{text.name}: {times} ns")
    print(f"{len(texts)} schedules of tests/data/goal, as text and binary, end as LogGOPSim's")


def reading(folder: Path) -> None:
    path = folder / "reading.goal"
    case = ["barrier", "dissemination", 65536, 1]
    subprocess.run([*command(case), "--write", path], check=True, capture_output=True)
    rates = []
    for _ in range(5):
        words = [str(SIMULATE), str(path), "--timing"]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        seconds = float(re.search(r"reading\s+([\d.]+) s", done.stderr)[1])
        rates.append(path.stat().st_size / 1e6 / seconds)
    size = path.stat().st_size / 1e6
    print(f"reading GOAL text: {statistics.median(rates):.0f} MB/s ({size:.0f} MB)")


if __name__ == "__main__":
    main()
