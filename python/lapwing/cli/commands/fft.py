"""Time a Fourier transform under several communication schedules, in turn.

With a profile, predict each time as well.
Exit status 1: the result of a transform is wrong."""

import argparse

from ... import load_profile, units
from ...launch import parse
from ...transforms.ways import (
    AUTO,
    DECOMPOSITIONS,
    EFFORTS,
    ORDERS,
    PACKINGS,
    SCHEDULES,
    STRIPS,
    TRANSPORTS,
    Asked,
    Problem,
    usual_window,
)
from .. import options
from ..output import progress, require_free
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result, write_trace

EXAMPLES = """\
  lapwing run fft --size 256x256x256 --on mpi:2
  lapwing run fft machine.json --size 128 --compare exchange,slabs,auto --on sim:ib4x:16
  lapwing run fft --size 256 --schedule tiled --tile 1:8 --window 2,3 --on sim:ib4x:16
  lapwing run fft --size 96 --real --decomposition 2d --batch 2 --on sim:ib4x:16
  lapwing run fft --size 256 --schedule exchange --packing copy,derived,blocked:4 --on mpi:2
  lapwing run fft --size 400 --no-data --on sim:ib4x:16 --json"""


def add(parser: Parser) -> None:
    """The options of `run fft`."""
    options.add_profile(parser, required=False)
    parser.add_argument(
        "--size",
        metavar="NxNxN",
        type=quantity(units.lengths),
        required=True,
        help="elements along each axis, the last contiguous: 256x256x128, or 256 for a cube",
    )
    parser.add_argument(
        "--real",
        action="store_true",
        help="transform real numbers to half a spectrum (default: complex)",
    )
    parser.add_argument(
        "--batch",
        metavar="N",
        type=quantity(units.count),
        default=1,
        help="arrays in one transform (default: 1)",
    )
    parser.add_argument(
        "--decomposition",
        choices=DECOMPOSITIONS,
        default="1d",
        help="1d distributes planes, 2d pencils over a grid of ranks, auto chooses 2d if there are "
        "more ranks than planes (default: 1d)",
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="transposed",
        help="order of the spectrum's axes; natural doubles the communication "
        "(default: transposed)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--compare",
        metavar="LIST",
        type=lambda text: text.split(","),
        help=f"schedules to time: {', '.join(SCHEDULES)}, or {AUTO}, the fastest by the profile; "
        "slabs:rma names a transport too (default: all; auto only with a profile)",
    )
    what.add_argument("--schedule", metavar="NAME", help="one schedule, and the exchange")
    parser.add_argument(
        "--transport",
        choices=TRANSPORTS,
        help="transport of every schedule that can use it (default: the usual one)",
    )
    parser.add_argument(
        "--tile",
        metavar="N,N",
        type=quantity(units.counts),
        default=[],
        help="for tiled: planes in an all-to-all; each number is timed (default: 1)",
    )
    parser.add_argument(
        "--window",
        metavar="N,N",
        type=quantity(units.counts),
        default=[],
        help="messages in flight; for tiled, all-to-alls in flight; each number is timed "
        f"(default: all; tiled {usual_window('tiled', 'collective', 2)}; two-sided strips "
        f"{usual_window('strips', 'two-sided', 2)} to each rank)",
    )
    parser.add_argument(
        "--strips",
        metavar="N,N",
        type=quantity(units.counts),
        default=[],
        help="for strips and tails: pieces of a part of a plane; each number is timed "
        f"(default: {STRIPS})",
    )
    parser.add_argument(
        "--packing",
        metavar="LIST",
        type=lambda text: text.split(","),
        default=[],
        help=f"for exchange: {', '.join(PACKINGS)}; blocked:4:8 is 4 planes at a time, 8 elements "
        "apart; each packing is timed (default: copy)",
    )
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=quantity(units.count),
        help="timed runs of each schedule (default: 7; simulated 1)",
    )
    parser.add_argument(
        "--effort",
        choices=EFFORTS,
        help="how long FFTW searches for the fastest line (default: measure)",
    )
    parser.add_argument(
        "--poll",
        metavar="TIME",
        type=quantity(units.seconds),
        help="time between polls of pending messages while lines are transformed; 0s turns polling "
        "off (default: 100us)",
    )
    parser.add_argument(
        "--no-data",
        action="store_true",
        help="simulate without data: less memory, the same times, nothing verified",
    )
    options.add_trace(parser)
    add_result(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, print; 0 if every transform is what it has to be."""
    from ...launch import Launch
    from ...observing.traced import recorded
    from ...tables.fft import fft_tables
    from ...transforms.timing import Runs, time_transforms

    require_result_free(arguments)
    require_free(arguments.trace, arguments.force, "--trace")
    target = parse(arguments.on, arguments.ppn)
    profile = None if arguments.machine is None else load_profile(arguments.machine)
    schedules = arguments.compare or [*SCHEDULES, *([AUTO] if profile is not None else [])]
    if arguments.schedule is not None:
        schedules = [arguments.schedule]
    size = "x".join(map(str, arguments.size))
    with (
        progress(f"fft {size} on {arguments.on}") as on_progress,
        recorded(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            arguments.trace is not None,
        ) as (launch, traced),
    ):
        result = time_transforms(
            launch,
            Problem(
                arguments.size,
                arguments.real,
                arguments.batch,
                arguments.decomposition,
                arguments.order,
            ),
            Asked(
                schedules,
                arguments.transport,
                arguments.tile,
                arguments.window,
                arguments.strips,
                arguments.packing,
            ),
            Runs(arguments.effort, arguments.poll, arguments.repeat, not arguments.no_data),
            profile=profile,
        )
        if traced is not None:
            write_trace(arguments, traced.text())
    show_result(arguments, result, lambda: fft_tables(result))
    return 0 if all(entry.get("verified", True) for entry in result["ways"]) else 1
