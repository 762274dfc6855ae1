"""Predict the time of an operation on a measured machine, at any scale.

Needs no network and no MPI. Exit status 0, also beyond the measured sizes."""

import argparse

from ... import load_profile, units
from ...errors import LapwingError
from .. import options
from ..output import waiting, write_whole
from ..parser import Parser, quantity
from ..results import add_result, print_note, require_result_free, show_result

EXAMPLES = """\
  lapwing predict machine.json bcast --ranks 2:1048576 --size 1:1MB
  lapwing predict machine.json alltoall --ranks 256 --size 1:1MB --algorithm all
  lapwing predict machine.json allreduce --ranks 2:4096 --algorithm openmpi --ppn 16
  lapwing predict machine.json send --size 1KB:1MB --stride 64
  lapwing predict ranger bcast --model printed --algorithm binomial
  lapwing predict machine.json bcast --algorithm all --plot bcast.svg"""

_SIZES = [8, 1024, 65536, 1 << 20]


def add(parser: Parser) -> None:
    """The options of `predict`."""
    options.add_profile(parser)
    parser.add_argument(
        "operation",
        metavar="OP",
        help=f"{', '.join(options.OPERATIONS[:-1])} or {options.OPERATIONS[-1]}",
    )
    parser.add_argument(
        "--ranks",
        metavar="LIST|RANGE",
        type=quantity(units.rank_counts),
        help="numbers of ranks: 2:1048576, doubling, or 2,12,96 (default: 2:1024)",
    )
    parser.add_argument(
        "--size",
        metavar="LIST|RANGE",
        type=quantity(units.sizes),
        help="bytes: 1:1MB, doubling, or 8,64KB (default: 8,1KB,64KB,1MB); of a bcast, reduce or "
        "allreduce the whole message, of an alltoall from each rank to each, of the others the "
        "block of a rank",
    )
    parser.add_argument(
        "--stride",
        metavar="SIZE",
        type=quantity(units.size),
        help="bytes from one element to the next, for strided data",
    )
    parser.add_argument(
        "--ppn",
        metavar="N",
        type=quantity(units.count),
        default=1,
        help="ranks on each node (default: 1)",
    )
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        default="best",
        help="all, one by its name, the choice of mvapich2, mpich or openmpi, or the one that is "
        "predicted to be fastest (default: best)",
    )
    parser.add_argument(
        "--model",
        choices=["auto", "engine", "model", "printed"],
        default="auto",
        help="event by event (engine), by closed forms (model), by formulas as papers print them, "
        "or the engine unless it takes long (default: auto)",
    )
    options.add_plot(parser, "the times")
    add_result(parser, "the predictions")


def execute(arguments: argparse.Namespace) -> int:
    """Predict, draw, print."""
    from ...prediction.predict import predict

    options.require_plot(arguments)
    require_result_free(arguments)
    options.require_profile_first("predict", arguments.machine, [arguments.operation])
    profile = load_profile(arguments.machine)
    try:
        with waiting(f"predicting {arguments.operation}"):
            document = predict(
                profile,
                arguments.operation,
                ranks=arguments.ranks or ([2] if arguments.operation == "send" else _RANKS),
                sizes=arguments.size or ([1] if arguments.operation == "barrier" else _SIZES),
                algorithm=arguments.algorithm,
                model=arguments.model,
                stride=arguments.stride,
                ppn=arguments.ppn,
            ).document
    except ValueError as error:
        raise LapwingError(f"predict: {error}") from None
    if arguments.plot is not None:
        from ...figures.picture import draw
        from ...figures.predictions import prediction_curves

        kind = arguments.plot.rpartition(".")[2]
        specs = prediction_curves([(arguments.machine, document)])
        if not specs:
            raise LapwingError("--plot: one time is no figure; predict several sizes or ranks")
        write_whole(arguments.plot, draw(specs, kind), arguments.force)
    from ...tables.predictions import prediction_tables

    show_result(arguments, document, lambda: prediction_tables(document))
    if arguments.plot is not None:
        print_note(arguments, f"The plot is in {arguments.plot}.")
    return 0


_RANKS = [1 << power for power in range(1, 11)]
