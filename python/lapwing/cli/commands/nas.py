"""Run one of the NAS Parallel Benchmarks with overlap, and verify it.

Exit status 1: the result is wrong."""

import argparse

from ... import load_profile, units
from ...launch import parse
from ...nas.benchmarks import AUTO, BENCHMARKS, CLASSES, SCHEDULES, TRANSPORTS
from .. import options
from ..output import progress, require_free
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result, sign_trace

EXAMPLES = """\
  lapwing run mg --class A --on mpi:2
  lapwing run mg --class W --schedule blocking --on sim:ib4x:16 --json
  lapwing run mg machine.json --class A --schedule auto --on sim:ib4x:16"""


def add(parser: Parser) -> None:
    """The options of `run mg` and its like; of all of them where none is named."""
    named = parser.prog.rpartition(" ")[2]
    settings: dict[str, str] = {}
    for name, benchmark in BENCHMARKS.items():
        if named == name or named not in BENCHMARKS:
            settings |= benchmark.settings
    options.add_profile(parser, required=False)
    parser.add_argument(
        "--class",
        dest="problem",
        choices=CLASSES,
        default="S",
        help="size of the problem, from S to E (default: S)",
    )
    parser.add_argument(
        "--schedule",
        choices=[*SCHEDULES, AUTO],
        default="overlapped",
        help="communicate after the computation (blocking), meanwhile (overlapped), or by the "
        "profile (auto) (default: overlapped)",
    )
    parser.add_argument(
        "--transport",
        choices=TRANSPORTS,
        help="how messages move (default: two-sided)",
    )
    for name, meaning in settings.items():
        parser.add_argument(f"--{name}", metavar="N", type=quantity(units.count), help=meaning)
    options.add_trace(parser)
    parser.set_defaults(settings=list(settings))
    add_result(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, print; 0 if it is verified."""
    from ...launch import Launch
    from ...nas.run import run_nas
    from ...tables.nas import nas_tables

    name = arguments.program.rpartition(" ")[2]
    require_result_free(arguments)
    require_free(arguments.trace, arguments.force, "--trace", regular=True)
    target = parse(arguments.on, arguments.ppn)
    with progress(f"{name} {arguments.problem} on {arguments.on}") as on_progress:
        result = run_nas(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            name,
            arguments.problem,
            schedule=arguments.schedule,
            transport=arguments.transport,
            settings={each: getattr(arguments, each) for each in arguments.settings},
            profile=None if arguments.machine is None else load_profile(arguments.machine),
            trace=arguments.trace,
        )
    sign_trace(arguments)
    show_result(arguments, result, lambda: nas_tables(result))
    return 0 if result["verified"] else 1
