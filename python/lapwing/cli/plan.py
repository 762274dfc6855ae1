"""Choose the messages for a workload on a measured machine; needs no network and no MPI."""

import argparse
import json

from .. import load_profile, plan, units
from ..errors import LapwingError
from . import options
from .output import print_document, print_tables
from .parser import Parser, quantity

EXAMPLES = """\
  lapwing plan machine.json --volume 8MB --compute 12ms
  lapwing plan machine.json --volume 1MB --compute 2ms --grain 4KB --direction produce
  lapwing plan machine.json --volume 8MB --compute 12ms --method paper
  lapwing plan machine.json --volume 8MB --compute 12ms --json | jq .messages"""


def add(parser: Parser) -> None:
    """The options of `plan`."""
    options.add_profile(parser)
    options.add_volume(parser)
    parser.add_argument(
        "--compute",
        metavar="TIME",
        type=quantity(units.seconds),
        required=True,
        help="computation in all, e.g. 12ms",
    )
    options.add_grain(parser)
    options.add_pattern(parser)
    parser.add_argument(
        "--direction",
        choices=["fetch", "produce"],
        default="fetch",
        help="receive and then consume (fetch), or compute and then send (produce)",
    )
    parser.add_argument(
        "--method",
        choices=["lapwing", "paper"],
        default="lapwing",
        help="messages of unequal size, or the search of Iancu and Strohmaier (2007)",
    )
    options.add_json(parser, "the plan")


def execute(arguments: argparse.Namespace) -> int:
    """Plan and print."""
    profile = load_profile(arguments.machine)
    try:
        made = plan(
            profile,
            volume=arguments.volume,
            compute=arguments.compute,
            grain=arguments.grain,
            pattern=arguments.pattern,
            direction=arguments.direction,
            method=arguments.method,
        )
    except ValueError as error:
        raise LapwingError(f"plan: {error}") from None
    document = made.to_json()
    if arguments.json:
        print_document(document)
    else:
        from ..tables.plan import plan_table

        print_tables(plan_table(json.loads(document)))
    return 0
