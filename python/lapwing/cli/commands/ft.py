"""Run NAS FT and verify its checksums.

The benchmark solves a diffusion equation by three-dimensional Fourier transforms.
You choose when and how they send data. Exit status 1: a checksum is wrong."""

import argparse

from ... import load_profile, units
from ...launch import parse
from ...transforms.nas_ft import CLASSES
from ...transforms.ways import AUTO, EFFORTS, PACKINGS, SCHEDULES, STRIPS, TRANSPORTS, usual_window
from .. import options
from ..output import progress, require_free
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result, write_trace

EXAMPLES = """\
  lapwing run ft --class A --on mpi:2
  lapwing run ft --class B --schedule pencils --transport rma --on mpi:8
  lapwing run ft --class S --schedule tiled --tile 2 --on sim:ib4x:16 --json
  lapwing run ft machine.json --class A --schedule auto --on sim:ib4x:16"""


def add(parser: Parser) -> None:
    """The options of `run ft`."""
    options.add_profile(parser, required=False)
    parser.add_argument(
        "--class",
        dest="problem",
        choices=list(CLASSES),
        default="S",
        help="size of the problem, from S to E (default: S)",
    )
    parser.add_argument(
        "--schedule",
        choices=[*SCHEDULES, AUTO],
        default="slabs",
        help="when to send: after the last plane (exchange), each part of a plane (slabs), each "
        "row (pencils), some planes per non-blocking all-to-all (tiled), parts of planes cut into "
        "strips (strips), or only those of the last plane (tails); auto chooses the fastest by "
        "the profile (default: slabs)",
    )
    parser.add_argument(
        "--transport",
        choices=TRANSPORTS,
        help="how data is sent (default: collective for exchange and tiled, else two-sided)",
    )
    parser.add_argument(
        "--tile",
        metavar="N",
        type=quantity(units.count),
        help="for tiled: planes in an all-to-all (default: 1)",
    )
    parser.add_argument(
        "--window",
        metavar="N",
        type=quantity(units.count),
        help="messages in flight; for tiled, all-to-alls in flight "
        f"(default: all; tiled {usual_window('tiled', 'collective', 2)}; two-sided strips "
        f"{usual_window('strips', 'two-sided', 2)} to each rank)",
    )
    parser.add_argument(
        "--strips",
        metavar="N",
        type=quantity(units.count),
        help=f"for strips and tails: pieces of a part of a plane (default: {STRIPS})",
    )
    parser.add_argument(
        "--packing",
        metavar="NAME",
        help=f"for exchange: {', '.join(PACKINGS)}; blocked:4:8 is 4 planes at a time, 8 elements "
        "apart (default: copy)",
    )
    parser.add_argument(
        "--effort",
        choices=EFFORTS,
        help="how long FFTW searches for the fastest line (default: measure)",
    )
    options.add_trace(parser)
    add_result(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, print; 0 if it is verified."""
    from ...launch import Launch
    from ...observing.traced import recorded
    from ...tables.ft import ft_tables
    from ...transforms.nas_ft import run_nas_ft

    require_result_free(arguments)
    require_free(arguments.trace, arguments.force, "--trace")
    target = parse(arguments.on, arguments.ppn)
    with (
        progress(f"ft {arguments.problem} on {arguments.on}") as on_progress,
        recorded(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            arguments.trace is not None,
        ) as (launch, traced),
    ):
        result = run_nas_ft(
            launch,
            arguments.problem,
            schedule=arguments.schedule,
            profile=None if arguments.machine is None else load_profile(arguments.machine),
            transport=arguments.transport,
            tile=arguments.tile,
            window=arguments.window,
            strips=arguments.strips,
            packing=arguments.packing,
            effort=arguments.effort,
        )
        if traced is not None:
            write_trace(arguments, traced.text())
    show_result(arguments, result, lambda: ft_tables(result))
    return 0 if result["verified"] else 1
