"""Play a program on another machine, with other ranks on a node, by other algorithms.

The program is a recording of `lapwing record`, or a GOAL schedule (text, or LogGOPSim's binary
format). The machine is one that was measured (--profile), or a LogGOPS machine (--parameters)."""

import argparse
from typing import TYPE_CHECKING, Any

from ... import units
from ...errors import LapwingError
from .. import simulated_machine
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser, quantity

if TYPE_CHECKING:
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
        help="by which algorithms collectives are done: as openmpi, mpich, mvapich2 or simgrid "
        "choose, or as lapwing simulate names them, e.g. mpich,alltoall=pairwise (default: as the "
        "MPI that was recorded)",
    )
    parser.add_argument(
        "--computation",
        metavar="FACTOR",
        type=quantity(units.ratio),
        default=1.0,
        help="how often longer than recorded computation takes (default: 1)",
    )
    parser.add_argument(
        "--ranks",
        metavar="N",
        type=quantity(units.ranks),
        help="play it with so many ranks, a multiple of those that were recorded: a larger grid, "
        "in which each has the work of a recorded one (default: as many as were recorded)",
    )
    parser.add_argument(
        "--critical-path",
        action="store_true",
        help="also say of what the longest path through calls and messages consists",
    )
    parser.add_argument(
        "--tolerance",
        action="store_true",
        help="also say how the time depends on latency, bandwidth and overhead, and what it "
        "tolerates of each",
    )
    parser.add_argument(
        "--by-site",
        action="store_true",
        help="the same of each call site: of the messages that it sends",
    )
    parser.add_argument(
        "--hide",
        metavar="all|SITE",
        action="append",
        help="what is saved if exchanges hide behind the computation beside them: all, or those of "
        "a call site, named by a part of what is printed for it; several times for several",
    )
    parser.add_argument(
        "--behind",
        choices=("before", "after"),
        help="with --hide: behind the computation on this side of them alone",
    )
    parser.add_argument(
        "--pieces",
        metavar="N",
        type=quantity(units.count),
        help="with --hide: cut into so many pieces at most (default: 32)",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write the time line to this file, for ui.perfetto.dev to show",
    )
    parser.add_argument("--force", action="store_true", help="overwrite this file if it exists")
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON, and nothing else"
    )


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
    """Read, play, keep, print."""
    from ...prediction.programs import read_program
    from ...prediction.replays import replay

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
        write_whole(arguments.trace, result.trace, arguments.force)
    found = result | told
    if arguments.json:
        print_document(dump(found))
    else:
        from ...tables.replay import hiding_tables, path_tables, replay_table

        print_tables(
            replay_table(found, arguments.trace), *path_tables(found), *hiding_tables(found)
        )
    return 0


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
