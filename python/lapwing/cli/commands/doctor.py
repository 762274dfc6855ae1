"""Does this installation overlap communication with computation, what stands in the way, and what
to do about it: each advice is tried with and without where that is possible.

Exit status 1 where overlap is broken: where a message of 32 KB or more is hidden by less than half
whatever the program does."""

import argparse

from ...launch import parse
from .. import options
from ..output import dump, print_document, print_tables, progress
from ..parser import Parser

EXAMPLES = """\
  lapwing doctor --on mpi                       this machine, or the batch allocation
  lapwing doctor --on net:1gbit --mpi mpich     MPICH over a real link
  lapwing doctor --on mpi --launch --host a,b   between two hosts, under Open MPI
  lapwing doctor --on mpi --json | jq .findings[].what"""


def add(parser: Parser) -> None:
    """The options of `doctor`."""
    options.add_json(parser, "the findings and what they rest on")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Measure, judge, try, print; 1 where overlap is broken."""
    from ...doctor.examine import examine
    from ...launch import Launch

    target = parse(arguments.on)
    with progress(f"examining {target.text}") as on_progress:
        document = examine(Launch(target, arguments.mpi, arguments.launch, on_progress))
    if arguments.json:
        print_document(dump(document))
    else:
        from ...tables.doctor import doctor_tables

        print_tables(*doctor_tables(document))
    return 1 if document["verdict"] == "broken" else 0
