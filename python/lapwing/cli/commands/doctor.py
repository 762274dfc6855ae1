"""Tell whether communication overlaps with computation here, what prevents it, and what helps.

Doctor tries each advice, if that is possible. Exit status 1: overlap is broken. Whatever the
program does, less than half of a message of 32 KB or more is hidden."""

import argparse

from ...errors import LapwingError
from ...launch import parse
from .. import options
from ..output import progress
from ..parser import Parser
from ..results import add_result, require_result_free, show_result

EXAMPLES = """\
  lapwing doctor --list                         the MPIs that are installed
  lapwing doctor --on mpi                       this machine, or the batch allocation
  lapwing doctor --on net:1gbit --mpi mpich     MPICH over a real link
  lapwing doctor --on mpi --launch --host a,b   between two hosts, under Open MPI
  lapwing doctor --on mpi --json | jq .findings[].what"""


def add(parser: Parser) -> None:
    """The options of `doctor`."""
    add_result(parser, "the findings and what they rest on")
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the installed MPIs, and the programs that serve them",
    )
    options.add_target(parser, required=False)


def execute(arguments: argparse.Namespace) -> int:
    """Measure, judge, try, print; 1 where overlap is broken."""
    require_result_free(arguments)
    if arguments.list:
        return _list(arguments)
    if arguments.on is None:
        raise LapwingError("missing: --on TARGET, where to look, or --list")
    from ...doctor.examine import examine
    from ...launch import Launch

    target = parse(arguments.on)
    with progress(f"examining {target.text}") as on_progress:
        document = examine(Launch(target, arguments.mpi, arguments.launch, on_progress))
    from ...tables.doctor import doctor_tables

    show_result(arguments, document, lambda: doctor_tables(document))
    return 1 if document["verdict"] == "broken" else 0


def _list(arguments: argparse.Namespace) -> int:
    from ...doctor.mpis import list_mpis

    document = list_mpis()
    from ...tables.mpis import mpi_table

    show_result(arguments, document, lambda: [mpi_table(document)])
    return 0
