"""Run MPI operations on a target, and compare their times with predictions.

All ranks start at the same time; an operation ends when its last rank is done.
Exit status 0 if everything ran, however large the errors."""

import argparse

from ... import load_profile, units
from ...launch import parse
from .. import options
from ..output import progress
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result

EXAMPLES = """\
  lapwing validate --on sim:ib4x machine.json                     all operations, two ranks
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
        help="numbers of ranks, a launch for each: 2,12,96, or 2:64, which doubles "
        "(default: the target's)",
    )
    parser.add_argument(
        "--size",
        metavar="LIST|RANGE",
        type=quantity(units.sizes),
        default=[8, 1024, 65536, 1 << 20],
        help="message sizes: 8,64KB, or 1:1MB, which doubles (default: 8,1KB,64KB,1MB)",
    )
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        default="all",
        help="an algorithm; all that the MPI can be forced to use; or mpi, the MPI's own choice. "
        "On simulated clusters also mpich, openmpi or mvapich2: the choice of that MPI "
        "(default: all)",
    )
    parser.add_argument(
        "--stride",
        metavar="SIZE",
        type=quantity(units.size),
        help="bytes from one double to the next, for send and bcast; times a derived type and "
        "packing by hand",
    )
    options.add_wait(parser, "for the profile's environment; ~ marks times of another")
    add_result(parser, "the comparison")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, predict, print."""
    from ...launch import Launch
    from ...validation.validate import validate

    options.require_profile_first("validate", arguments.machine, arguments.operations)
    require_result_free(arguments)
    target = parse(arguments.on, arguments.ppn)
    profile = load_profile(arguments.machine)
    with progress(f"validating on {target.text}") as on_progress:
        document = validate(
            profile,
            arguments.operations,
            on=Launch(target, arguments.mpi, arguments.launch, on_progress),
            ranks=arguments.ranks,
            sizes=arguments.size,
            algorithm=arguments.algorithm,
            stride=arguments.stride,
            wait=arguments.wait,
        )
    from ...tables.validate import validate_tables

    show_result(arguments, document, lambda: validate_tables(document))
    return 0
