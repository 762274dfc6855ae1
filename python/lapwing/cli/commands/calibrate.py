"""Measure what communication costs on a machine, and write a profile.

Two ranks are enough; with more, contention and topology are measured as well."""

import argparse
import json

from ... import units
from ...launch import parse
from .. import options
from ..output import print_document, print_tables, progress, require_free, write_whole
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing calibrate --on mpi -o machine.json          this machine, or the batch allocation
  lapwing calibrate --on sim:ib4x -o ib4x.json        a simulated cluster
  lapwing calibrate --on net:1gbit --mpi mpich        a real link, with MPICH; writes machine.json
  lapwing calibrate --on sim:ib4x:8 --ppn 4           within a node and between nodes
  lapwing calibrate --on sim:hdr --json | jq .loggp   the profile on standard output
  lapwing calibrate --on mpi --only loggp             only L, o, g and G, in two seconds
  lapwing calibrate --on mpi --repeat 3               the median of three launches
  lapwing calibrate --on mpi --launch --host a,b      options for the launcher"""

DEFAULT_OUTPUT = "machine.json"


def add(parser: Parser) -> None:
    """The options of `calibrate`."""
    options.add_output(parser, "the profile", f"{DEFAULT_OUTPUT}; none with --json")
    parser.add_argument(
        "--quick", action="store_true", help="measure fewer sizes and bursts, less accurately"
    )
    parser.add_argument(
        "--accuracy",
        metavar="X",
        type=quantity(units.accuracy),
        help="relative error to aim for, e.g. 0.02",
    )
    parser.add_argument(
        "--ranks",
        metavar="LIST",
        type=quantity(units.numbers),
        help="numbers of ranks that communicate at once, e.g. 2,16,64 (default: powers of two, "
        "and all)",
    )
    parser.add_argument(
        "--pair",
        metavar="I,J",
        type=quantity(units.numbers),
        action="append",
        default=[],
        help="another pair of ranks to measure, e.g. 0,5; repeatable",
    )
    parser.add_argument(
        "--only",
        metavar="PARTS",
        type=lambda text: text.split(","),
        default=[],
        help="parts to measure: loggp (always), tables, latency, operations, protocol, plogp, "
        "log3p, kernels, collectives, pairs, patterns, topology (default: all)",
    )
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=quantity(units.count),
        default=1,
        help="number of launches; each cost is their median (default: 1)",
    )
    options.add_wait(parser, "until two ranks run undisturbed")
    options.add_json(parser, "the profile")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Measure, keep, print."""
    from ...launch import Launch
    from ...measure.calibrate import calibrate

    output = arguments.output
    if output is None and not arguments.json:
        output = DEFAULT_OUTPUT
    require_free(output, arguments.force)
    target = parse(arguments.on, arguments.ppn)
    with progress(f"calibrating {target.text}") as on_progress:
        profile = calibrate(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            quick=arguments.quick,
            accuracy=arguments.accuracy,
            ranks=arguments.ranks,
            pairs=arguments.pair,
            only=arguments.only,
            wait=arguments.wait,
            repeat=arguments.repeat,
        )
    document = profile.to_json()
    if output is not None:
        write_whole(output, document, arguments.force)
    if arguments.json:
        print_document(document)
    else:
        from ...tables.profile.sections import profile_tables

        print_tables(*profile_tables(json.loads(document)), f"\nThe profile is in {output}.")
    return 0
