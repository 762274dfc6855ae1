"""Times the event engine, alone or in turn with LogGOPSim.

    build/venv/bin/python bench/simulate.py
    build/venv/bin/python bench/simulate.py --against LogGOPSim --convert txt2bin

Our times are those of the whole program with generated schedules. LogGOPSim's are those of its
whole program on its binary input, which is made from the same schedules and not timed. Each figure
is the median of wall times, with that of processor times in brackets, on which other programs have
no effect; the ratio is that of processor times. Finish times must be the same.
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

SIMULATE = Path(__file__).resolve().parent.parent / "build" / "bin" / "lapwing-simulate"
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
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--against", help="LogGOPSim's program")
    parser.add_argument("--convert", help="its txt2bin")
    arguments = parser.parse_args()
    if bool(arguments.against) != bool(arguments.convert):
        sys.exit("--against and --convert go together")

    print(
        f"{'schedule':34}{'seconds':>16}{'events/s':>10}{'LogGOPSim':>18}{'ratio':>7}  finish, ns"
    )
    with tempfile.TemporaryDirectory() as folder:
        for *case, waited_for in CASES:
            other = None
            if arguments.against and waited_for:
                other = converted(case, arguments.convert, Path(folder))
            compare(case, other, arguments)
        reading(Path(folder))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"the largest of all these programs took {peak:.0f} MB")


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


def converted(case: list, convert: str, folder: Path) -> Path:
    text, binary = folder / "schedule.goal", folder / "schedule.bin"
    subprocess.run([*command(case), "--write", text], check=True, capture_output=True)
    subprocess.run([convert, "-i", text, "-o", binary], check=True, capture_output=True)
    return binary


def compare(case: list, other: Path | None, arguments: argparse.Namespace) -> None:
    ours, theirs = Times(), Times()
    for _ in range(arguments.times):
        said = ours.run([*command(case), "--json"])
        if other is None:
            continue
        answer = theirs.run([arguments.against, "-b", "-f", str(other)])
        finish = int(re.search(r"Maximum finishing time at host \d+: (\d+)", answer)[1])
        if finish != json.loads(said)["finish_ns"]:
            sys.exit(f"{case}: {finish} ns, but we say {json.loads(said)['finish_ns']}")
    result = json.loads(said)
    median = statistics.median(ours.processor)
    name = " ".join(str(word) for word in case)
    line = f"{name:34}{ours!s:>16}{result['events'] / median:10.3g}"
    if other is None:
        line += f"{'':25}"
    else:
        line += f"{theirs!s:>18}{statistics.median(theirs.processor) / median:7.1f}"
    print(f"{line}  {result['finish_ns']}", flush=True)


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
