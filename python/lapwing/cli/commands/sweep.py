"""Time a workload blocking, in equal messages of every size, and as planned.

With --app compress: time parallel compression with every tile and window;
it has its own --help."""

import argparse

from ... import units
from ...errors import LapwingError
from .. import options
from ..output import write_whole
from ..parser import Parser, quantity
from ..results import print_note
from .workload import add_common, add_volumes, run_workloads

EXAMPLES = """\
  lapwing sweep --on sim:ib4x machine.json --pattern stream --volume 1MB --ratio 1
  lapwing sweep --on sim:ib4x:16 machine.json --pattern alltoall --volume 1MB --ratio 1
  lapwing sweep --on sim:ib4x:32 machine.json --pattern multi --volume 64KB:8MB --ratio 0.4 \\
      --plot multi.svg
  lapwing sweep --on sim:ib4x machine.json --volume 16KB:8MB --ratio 0.43 --schedules C,D,E \\
      --plot map.svg
  lapwing sweep --on net:1gbit machine.json --volume 4MB --compute 30ms -o result.json
  lapwing sweep --on mpi machine.json --volume 8MB --ratio 1.6 --plan-only --json
  lapwing sweep --app compress --on sim:ib4x:16 --tiles 1,2,4 --windows 1,2,4"""


# The templates of the paper's figure 6.
SCHEDULES = ("A", "B", "C", "D", "E")

# The module that may read the line instead.
MODULES = ("sweep_compress",)


def choose(words: list[str]) -> tuple[str, int]:
    """The module for the sweep that `words` name, and the number of words that name it."""
    # Words after --launch belong to the launcher.
    own = words[: words.index("--launch")] if "--launch" in words else words
    asked = any(
        word == "--app=compress" or own[place : place + 2] == ["--app", "compress"]
        for place, word in enumerate(own)
    )
    return "sweep_compress" if asked else "sweep", 0


def add(parser: Parser) -> None:
    """The options of `sweep`."""
    options.add_app(parser)
    options.add_profile(parser)
    options.add_pattern(parser)
    add_volumes(parser)
    parser.add_argument(
        "--smallest",
        metavar="SIZE",
        type=quantity(units.size),
        help="smallest message of the map (default: 256)",
    )
    parser.add_argument(
        "--schedules",
        metavar="LETTERS",
        type=quantity(schedules),
        help="schedules of the map, e.g. C,D,E; see figure 6 of Iancu and Strohmaier, 2007 "
        "(default: E)",
    )
    parser.add_argument(
        "--plan-only", action="store_true", help="time only the blocking run and the plans"
    )
    options.add_plot(parser, "the loss of every message size over the volume")
    add_common(parser)


def schedules(text: str) -> str:
    """Letters of schedules, each once."""
    letters = text.upper().split(",")
    for letter in letters:
        if letter not in SCHEDULES:
            raise ValueError(f'unknown schedule "{letter}": it is {", ".join(SCHEDULES)}')
    if len(set(letters)) < len(letters):
        raise ValueError("a schedule is named twice")
    return ",".join(letters)


def execute(arguments: argparse.Namespace) -> int:
    """Run, keep, print, draw."""
    options.require_plot(arguments)
    results = run_workloads(
        arguments,
        f"sweep on {arguments.on}",
        arguments.pattern,
        arguments.volume,
        smallest=arguments.smallest,
        schedules=arguments.schedules,
        plan_only=arguments.plan_only,
    )
    if arguments.plot is not None:
        from ...figures.picture import draw
        from ...figures.workloads import cuts, loss

        labelled = [(arguments.on, result) for result in results]
        made = loss(labelled) or cuts(labelled)
        if made is None:
            raise LapwingError("--plot: one message size is no figure; time a larger volume")
        kind = arguments.plot.rpartition(".")[2]
        write_whole(arguments.plot, draw([made], kind), arguments.force)
        print_note(arguments, f"The plot is in {arguments.plot}.")
    return 0
