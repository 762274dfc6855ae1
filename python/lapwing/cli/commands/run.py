"""Run a program on a target: a pattern of messages with computation, or an application."""

import argparse

from ...nas.benchmarks import BENCHMARKS
from ...planning.patterns import PATTERNS
from ..parser import Parser

EXAMPLES = """\
  lapwing run stream --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run alltoall --on sim:ib4x:16 machine.json --volume 1MB --ratio 1
  lapwing run compress big.tar -o big.tar.bz2 --on mpi:8
  lapwing run fft --size 256x256x256 --on sim:ib4x:16
  lapwing run ft --class A --schedule pencils --on mpi:2
  lapwing run mg --class A --on mpi:2
  lapwing run triangulation --points 1000000 --on mpi:2

Each program has its own --help."""

# Applications, each a module of this package.
PROGRAMS: dict[str, str] = {
    **{pattern: "workload" for pattern in PATTERNS},
    "compress": "compress",
    "fft": "fft",
    "ft": "ft",
    **{benchmark: "nas" for benchmark in BENCHMARKS},
    "triangulation": "triangulation",
}


# The modules that may read the rest of the line.
MODULES = tuple(dict.fromkeys(PROGRAMS.values()))


def choose(words: list[str]) -> tuple[str, int]:
    """The module that runs the program in `words`, and the number of words that name it."""
    if words and words[0] in PROGRAMS:
        return PROGRAMS[words[0]], 1
    return "run", 0


def add(parser: Parser) -> None:
    """The argument that names the program; the rest of the line belongs to it."""
    parser.add_argument(
        "run", choices=list(PROGRAMS), metavar="PROGRAM", help=f"one of {', '.join(PROGRAMS)}"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Not reached: `choose` has chosen another module."""
    raise AssertionError(arguments.run)
