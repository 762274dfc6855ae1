"""Triangulate points of the plane (Delaunay) on all ranks.

Each rank has a vertical strip of points. It receives the borders of the neighbouring strips while
it inserts its own points, and asks other ranks about uncertain faces. The triangles are those of
the sequential triangulation, also on a grid or a circle.
Exit status 1: --verify found a difference."""

import argparse

from ... import load_profile, units
from ...launch import parse
from ...measure.triangulation import SCHEDULES, TRANSPORTS, points
from .. import options
from ..output import progress, require_free
from ..parser import Parser, quantity
from ..results import add_printed, print_result, sign_trace

EXAMPLES = """\
  lapwing run triangulation --points 1000000 --verify --on mpi:4
  lapwing run triangulation --input points.txt -o triangles.txt --on mpi:2
  lapwing run triangulation machine.json --points 1000000 --on sim:ib4x:16 --json
  lapwing run triangulation --points 100000 --schedule blocking --transport get --on mpi:2"""


def add(parser: Parser) -> None:
    """The options of `run triangulation`."""
    options.add_profile(parser, required=False)
    parser.add_argument(
        "--points",
        metavar="N",
        type=quantity(points),
        help="random points in the unit square (default: 100000)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=quantity(points), help="seed of the random points (default: 1)"
    )
    parser.add_argument(
        "--input", metavar="FILE", help="file of points instead, `x y` in each line"
    )
    parser.add_argument(
        "--verify", action="store_true", help="compare with the sequential triangulation"
    )
    parser.add_argument(
        "--schedule",
        choices=SCHEDULES,
        default="auto",
        help="wait for all borders, then compute (blocking), compute meanwhile (overlapped), or "
        "by the profile (auto) (default: auto)",
    )
    parser.add_argument(
        "--transport",
        choices=TRANSPORTS,
        default="two-sided",
        help="how borders travel (default: two-sided)",
    )
    parser.add_argument(
        "--message-size",
        metavar="SIZE",
        type=quantity(units.size),
        help="bytes of a message (default: as planned, or 32KB without a profile)",
    )
    parser.add_argument(
        "--window",
        metavar="N",
        type=quantity(units.count),
        help="messages in flight (default: as planned, or all without a profile)",
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="write the time line of all ranks, for ui.perfetto.dev"
    )
    options.add_output(parser, "the triangles", needed="three numbers of points in each line")
    add_printed(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, print; 0 unless it is found to be wrong."""
    from ...launch import Launch
    from ...measure.triangulation import triangulate
    from ...tables.triangulation import triangulation_tables

    require_free(arguments.output, arguments.force, regular=True)
    require_free(arguments.trace, arguments.force, "--trace", regular=True)
    target = parse(arguments.on, arguments.ppn)
    with progress(f"triangulation on {arguments.on}") as on_progress:
        result = triangulate(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            points=arguments.points,
            seed=arguments.seed,
            input=arguments.input,
            output=arguments.output,
            trace=arguments.trace,
            verify=arguments.verify,
            profile=None if arguments.machine is None else load_profile(arguments.machine),
            schedule=arguments.schedule,
            transport=arguments.transport,
            message_size=arguments.message_size,
            window=arguments.window,
        )
    sign_trace(arguments)
    print_result(arguments, result, lambda: triangulation_tables(result))
    return 0 if result.get("verified", True) else 1
