"""Simulate a recorded program on another machine, with other ranks on a node, or other algorithms.

The program is a recording of `lapwing record`, or a GOAL schedule (text, or LogGOPSim's binary
format). The machine is a measured one (--profile), or a LogGOPS machine (--parameters)."""

import argparse
from typing import TYPE_CHECKING, Any

from ... import units
from ...errors import LapwingError
from .. import simulated_machine
from ..output import require_free, waiting
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result, write_trace

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...prediction.programs import Program

EXAMPLES = """\
  lapwing replay run.lwt --profile machine.json
  lapwing replay run.lwt --profile other.json --ppn 4 --topology fat-tree:16,8
  lapwing replay run.lwt --profile machine.json --collectives mpich,alltoall=pairwise
  lapwing replay run.lwt --profile faster.json --computation 0.5
  lapwing replay run.lwt --profile machine.json --ranks 64
  lapwing replay run.lwt --profile machine.json --trace line.json
  lapwing replay run.lwt --profile machine.json --critical-path
  lapwing replay run.lwt --profile machine.json --hide all
  lapwing replay run.lwt --profile machine.json --hide MPI_Alltoall --hide ft.f:512
  lapwing replay run.lwt --profile machine.json --hide all --behind before
  lapwing replay run.lwt --profile machine.json --tolerance --by-site
  lapwing replay run.lwt --parameters L=2500,o=1500,G=6 --json
  lapwing replay schedule.goal --profile machine.json --ppn 4"""

# What only a recording can tell.
_OF_RECORDINGS = ("tolerance", "critical_path", "hide")
# What goes with `--hide`.
_OF_HIDING = ("behind", "pieces")


def add(parser: Parser) -> None:
    """The options of `replay`."""
    parser.intermixed = True
    parser.add_argument(
        "run", metavar="run.lwt", help="a recording of a program, or a GOAL schedule"
    )
    simulated_machine.add(parser)
    parser.add_argument(
        "--collectives",
        metavar="LIBRARY|NAME=ALGORITHM,...",
        type=_collectives,
        default=(None, {}),
        help="algorithms of collectives: the choice of openmpi, mpich, mvapich2 or simgrid, or a "
        "name of lapwing simulate, e.g. mpich,alltoall=pairwise (default: the choice of the "
        "recorded MPI)",
    )
    parser.add_argument(
        "--computation",
        metavar="FACTOR",
        type=quantity(units.ratio),
        default=1.0,
        help="length of computation relative to the recording (default: 1)",
    )
    parser.add_argument(
        "--ranks",
        metavar="N",
        type=quantity(units.ranks),
        help="number of ranks, a multiple of the recorded ones: a larger grid, in which each has "
        "the work of a recorded one (default: the recorded ranks)",
    )
    parser.add_argument(
        "--critical-path",
        action="store_true",
        help="also print the parts of the longest path through calls and messages",
    )
    parser.add_argument(
        "--tolerance",
        action="store_true",
        help="also print how the time depends on latency, bandwidth and overhead, and how much of "
        "each it tolerates",
    )
    parser.add_argument(
        "--by-site",
        action="store_true",
        help="the same for the messages of each call site",
    )
    parser.add_argument(
        "--hide",
        metavar="all|SITE",
        action="append",
        help="print the saving if exchanges hide behind the computation beside them: all, or "
        "those of a call site, by a part of its printed name; repeatable",
    )
    parser.add_argument(
        "--behind",
        choices=("before", "after"),
        help="with --hide: hide behind the computation on this side only",
    )
    parser.add_argument(
        "--pieces",
        metavar="N",
        type=quantity(units.count),
        help="with --hide: maximum number of pieces of a message (default: 32)",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write the time line to this file, for ui.perfetto.dev",
    )
    add_result(parser, "the result")


def _collectives(text: str) -> tuple[str | None, dict[str, str]]:
    library: str | None = None
    algorithms: dict[str, str] = {}
    for word in text.split(","):
        name, equals, algorithm = word.partition("=")
        if equals:
            algorithms[name] = algorithm
        elif library is None and word:
            library = word
        else:
            raise argparse.ArgumentTypeError(
                f"'{text}' is no library and no list such as mpich,alltoall=pairwise"
            )
    return library, algorithms


def execute(arguments: argparse.Namespace) -> int:
    """Read, simulate, keep, print."""
    from ...prediction.programs import read_program
    from ...prediction.replays import replay

    require_result_free(arguments)
    require_free(arguments.trace, arguments.force, "--trace")
    machine = simulated_machine.read(arguments)
    if machine["profile"] is None and machine["parameters"] is None:
        raise LapwingError("missing: --profile or --parameters; see lapwing replay --help")
    _check(arguments, machine)
    program = read_program(arguments.run)
    library, algorithms = arguments.collectives
    how = {
        "library": library,
        "algorithms": algorithms,
        "computation": arguments.computation,
        "ranks": arguments.ranks,
    }
    told = _of_recording(arguments, program, machine, how)
    with waiting("replaying"), simulated_machine.interruptible():
        result = replay(program, **machine, **how, trace=arguments.trace is not None)
    if arguments.trace is not None:
        assert result.trace is not None
        write_trace(arguments, result.trace)
    found = result | told
    show_result(arguments, found, lambda: _tables(found, arguments.trace))
    return 0


def _tables(found: dict[str, Any], trace: str | None) -> list["RenderableType"]:
    from ...tables.replay import hiding_tables, path_tables, replay_table

    return [replay_table(found, trace), *path_tables(found), *hiding_tables(found)]


def _of_recording(
    arguments: argparse.Namespace,
    program: "Program",
    machine: dict[str, Any],
    how: dict[str, Any],
) -> dict[str, Any]:
    """What is asked for that only a recording can tell."""
    from ..._core import Schedule
    from ...prediction.hiding import hiding
    from ...prediction.paths import paths

    asked = [name for name in _OF_RECORDINGS if getattr(arguments, name)]
    if not asked:
        return {}
    if isinstance(program, Schedule):
        raise LapwingError(f"{_option(asked[0])}: is of recordings; {program.path} is a schedule")
    told: dict[str, Any] = {}
    if arguments.critical_path or arguments.tolerance:
        of = {name: machine[name] for name in ("parameters", "profile", "ppn")}
        with waiting("looking for the longest path"), simulated_machine.interruptible():
            told |= paths(
                program, **of, **how, tolerance=arguments.tolerance, by_site=arguments.by_site
            )
    if arguments.hide:
        sites = "all" if arguments.hide == ["all"] else arguments.hide
        with waiting("overlapping exchanges"), simulated_machine.interruptible():
            of = {name: value for name, value in how.items() if name != "ranks"}
            for name in _OF_HIDING:
                if getattr(arguments, name) is not None:
                    of[name] = getattr(arguments, name)
            told["hiding"] = hiding(program, sites, **machine, **of)
    return told


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _check(arguments: argparse.Namespace, machine: dict[str, Any]) -> None:
    """Refuse what does not go together."""
    if arguments.hide and "all" in arguments.hide and len(arguments.hide) > 1:
        raise LapwingError("--hide: either all, or call sites")
    if arguments.hide and arguments.ranks is not None:
        raise LapwingError("--hide: does not go with --ranks")
    for name in _OF_HIDING:
        if getattr(arguments, name) and not arguments.hide:
            raise LapwingError(f"{_option(name)}: goes with --hide")
    if arguments.by_site and not arguments.tolerance:
        raise LapwingError("--by-site: goes with --tolerance")
    for name in ("tolerance", "critical_path"):
        if getattr(arguments, name) and (machine["topology"] or machine["placement"]):
            raise LapwingError(f"{_option(name)}: knows nothing of --topology and --placement")
