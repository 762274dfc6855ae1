"""Run a program unchanged, and rank what it exchanges by what overlapping it would save.

Functions, files and lines are named where the program tells (compile it with -g). Exit status: the
program's."""

import argparse
from typing import Any

from ... import load_profile, units
from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, require_free, write_whole
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing observe -- mpirun -n 4 ./program
  lapwing observe machine.json -- mpirun -n 4 ./program its arguments
  lapwing observe machine.json --on net:1gbit -- ./program its arguments
  lapwing observe -o seen.json -- srun -n 64 ./program
  lapwing observe machine.json --from seen.json"""

_MOST = 10


def add(parser: Parser) -> None:
    """The options of `observe`."""
    parser.divided = True
    options.add_profile(parser, required=False)
    parser.add_argument(
        "--on",
        metavar="TARGET",
        help="start the program, given without a launcher, on this target: mpi[:N], "
        "net:RATE[:N] or, for a program that smpicc built, sim:CLUSTER[:N]",
    )
    options.add_mpi(parser)
    options.add_output(parser, "observation, to be ranked again by --from")
    parser.add_argument("--from", dest="seen", metavar="FILE", help="rank this record, run nothing")
    parser.add_argument(
        "--most",
        metavar="N",
        type=quantity(units.count),
        default=_MOST,
        help=f"exchanges to show in the table (default: {_MOST})",
    )
    options.add_json(parser, "everything")


def execute(arguments: argparse.Namespace) -> int:
    """Run, rank, print; the program's exit status."""
    from ...observe.run import ranked

    if (arguments.seen is None) == (not arguments.rest):
        raise LapwingError(
            "missing: the program, after --, e.g. lapwing observe -- mpirun -n 4 ./program"
            if arguments.seen is None
            else "--from: reads what was observed before; leave out the program"
        )
    require_free(arguments.output, arguments.force)
    profile = load_profile(arguments.machine) if arguments.machine else None
    document = ranked(_seen(arguments), profile, arguments.machine)
    if arguments.output is not None:
        write_whole(arguments.output, dump(document), arguments.force)
    if arguments.json:
        print_document(dump(document))
    else:
        from ...tables.observe import observe_tables

        print_tables(*observe_tables(document, arguments.most))
    status: int = document["exit_status"]
    return 0 if arguments.seen else status


def _seen(arguments: argparse.Namespace) -> dict[str, Any]:
    from ...launch import parse
    from ...observe.run import load, observe

    if arguments.seen is not None:
        return load(arguments.seen)
    return observe(
        arguments.rest,
        target=parse(arguments.on) if arguments.on else None,
        mpi=arguments.mpi,
        quiet=arguments.json,
    )
