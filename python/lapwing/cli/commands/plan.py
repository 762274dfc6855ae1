"""Choose the messages for a workload on a measured machine; needs no network and no MPI."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from ... import load_profile, plan, sensitivity, units
from ...errors import LapwingError
from ...planning.methods import METHODS
from ...planning.transports import TRANSPORTS
from .. import options
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result

if TYPE_CHECKING:
    from rich.console import RenderableType

EXAMPLES = """\
  lapwing plan machine.json --volume 8MB --compute 12ms
  lapwing plan machine.json --volume 1MB --compute 2ms --grain 4KB --direction produce
  lapwing plan machine.json --volume 8MB --compute 12ms --pattern alltoall --ranks 64
  lapwing plan machine.json --volume 1MB --compute 2ms --pattern halo --peers 4
  lapwing plan machine.json --volume 8MB --compute 12ms --method paper
  lapwing plan machine.json --volume 8MB --compute 12ms --sensitivity
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
    options.add_pattern(parser)
    options.add_sides(parser)
    options.add_layout(parser)
    parser.add_argument(
        "--ranks",
        metavar="N",
        type=quantity(units.ranks),
        help="number of ranks (default: one more than the peers)",
    )
    parser.add_argument(
        "--unbalanced",
        action="store_true",
        help="ranks are not in step (all-to-all)",
    )
    parser.add_argument(
        "--transport",
        choices=TRANSPORTS,
        default="any",
        help="how messages move (default: any, the fastest of two-sided, put and get as far as "
        "they were measured)",
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="lapwing",
        help="messages of unequal size, or the search of Iancu and Strohmaier (2007), with an "
        "overhead o(S,b), or o(S) (paper-size), as if communication or computation took longer "
        "(paper-communication, paper-computation), or with bursts of an all-to-all (paper-bursts)",
    )
    parser.add_argument(
        "--uncertainty",
        metavar="SHARE",
        type=quantity(units.uncertainty),
        default=0.0,
        help="of the computation, up to 10: with 0.2 it may take 1.2 times as long, or 1/1.2; the "
        "plan is the one that loses least",
    )
    parser.add_argument(
        "--sensitivity",
        action="store_true",
        help="print what a wrong computation time costs, instead of the plan",
    )
    add_result(parser, "the plan, or its sensitivity,")


def execute(arguments: argparse.Namespace) -> int:
    """Plan and print."""
    require_result_free(arguments)
    profile = load_profile(arguments.machine)
    words: dict[str, Any] = {
        "volume": arguments.volume,
        "compute": arguments.compute,
        "pattern": arguments.pattern,
        "direction": arguments.direction,
        "dependence": arguments.dependence,
        "ranks": arguments.ranks,
        "peers": arguments.peers,
        "balanced": not arguments.unbalanced,
        **options.layout(arguments),
        "uncertainty": arguments.uncertainty,
        "transport": arguments.transport,
        "method": arguments.method,
    }
    try:
        if arguments.sensitivity:
            document = sensitivity(profile, **words)
        else:
            document = json.loads(plan(profile, **words).to_json())
    except ValueError as error:
        raise LapwingError(f"plan: {error}") from None
    show_result(arguments, document, lambda: [_table(document)])
    return 0


def _table(document: dict[str, Any]) -> "RenderableType":
    from ...tables.plan import plan_table, sensitivity_table

    return (plan_table if document["lapwing"] == "plan" else sensitivity_table)(document)
