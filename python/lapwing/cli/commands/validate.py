"""Run operations on a target, each with one algorithm after another, beside what is predicted.

All ranks start at one moment by the clock; an operation ends when its last rank is done. Exit
status 0 when it ran, however good the prediction."""

import argparse

from ... import load_profile, units
from ...launch import parse
from .. import options
from ..output import dump, print_document, print_tables, progress
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing validate --on sim:ib4x machine.json                     every operation, two ranks
  lapwing validate --on sim:ib4x machine.json bcast --ranks 2:64 --size 1:1MB
  lapwing validate --on sim:ib4x machine.json alltoall --algorithm bruck --ranks 3,12,48
  lapwing validate --on mpi:2 machine.json allreduce --algorithm mpi
  lapwing validate --on net:1gbit machine.json send --stride 256 --size 1KB:256KB"""


def add(parser: Parser) -> None:
    """The options of `validate`."""
    parser.intermixed = True
    options.add_profile(parser)
    parser.add_argument(
        "operations",
        nargs="*",
        metavar="OP",
        help="send, barrier, bcast, alltoall, allgather, allreduce, reduce, reduce_scatter, "
        "gather, scatter (default: all)",
    )
    parser.add_argument(
        "--ranks",
        metavar="LIST|RANGE",
        type=quantity(units.rank_counts),
        default=[],
        help="numbers of ranks, each in a launch of its own: 2:64, doubling, or 2,12,96 "
        "(default: the target's)",
    )
    parser.add_argument(
        "--size",
        metavar="LIST|RANGE",
        type=quantity(units.sizes),
        default=[8, 1024, 65536, 1 << 20],
        help="bytes: 1:1MB, doubling, or 8,64KB (default: 8,1KB,64KB,1MB)",
    )
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        default="all",
        help="one by its name, all that the MPI can be made to take, mpi for its own choice; "
        "simulated also mpich, openmpi or mvapich2 for theirs (default: all)",
    )
    parser.add_argument(
        "--stride",
        metavar="SIZE",
        type=quantity(units.size),
        help="bytes from one double to the next, of send and bcast: packed by hand and as a type",
    )
    options.add_wait(parser, "run as undisturbed as for the profile; figures of others have a ~")
    options.add_json(parser, "the comparison")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, predict, print."""
    from ...launch import Launch
    from ...validation.validate import validate

    target = parse(arguments.on, arguments.ppn)
    profile = load_profile(arguments.machine)
    with progress(f"validating on {target.text}") as on_progress:
        document = validate(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            profile,
            names=arguments.operations,
            ranks=arguments.ranks,
            sizes=arguments.size,
            algorithm=arguments.algorithm,
            stride=arguments.stride,
            wait=arguments.wait,
        )
    if arguments.json:
        print_document(dump(document))
    else:
        from ...tables.validate import validate_tables

        print_tables(*validate_tables(document))
    return 0
