"""Time parallel compression: blocking, and with every tile and window.

Overhead is the time that collection adds to the computation (Hoefler, Gottschling and
Lumsdaine 2008, figures 1, 2 and 5)."""

import argparse

from ... import load_profile, units
from ...launch import parse
from .. import options
from ..output import progress
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result

EXAMPLES = """\
  lapwing sweep --app compress --on sim:ib4x:16 --tiles 1,2,4 --windows 1,2,4
  lapwing sweep --app compress --on sim:slow.toml:120 machine.json --block-size 100k --plan-only
  lapwing sweep --app compress --on net:1gbit --file big.tar --json"""

_PAPERS_DATA = 146 << 20  # bytes


def add(parser: Parser) -> None:
    """The options of `sweep --app compress`."""
    options.add_app(parser)
    options.add_profile(parser, required=False)
    data = parser.add_mutually_exclusive_group()
    data.add_argument("--file", metavar="FILE", help="file to compress")
    data.add_argument(
        "--random",
        metavar="SIZE",
        type=quantity(units.size),
        default=_PAPERS_DATA,
        help="random data to compress instead (default: 146MB, the paper's)",
    )
    options.add_block_size(parser)
    for name, what in (("tiles", "blocks of each rank in a gather"), ("windows", "in flight")):
        parser.add_argument(
            f"--{name}",
            metavar="N,N...",
            type=quantity(_counts),
            default=[1, 2, 4],
            help=f"{what} (default: 1,2,4)",
        )
    parser.add_argument(
        "--plan-only", action="store_true", help="the blocking run and the plan, no map"
    )
    options.add_repeat(parser)
    add_result(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Time, keep, print."""
    from ...launch import Launch
    from ...measure.compress import benchmark
    from ...tables.compress import sweep_tables

    require_result_free(arguments)
    target = parse(arguments.on, arguments.ppn)
    profile = load_profile(arguments.machine) if arguments.machine else None
    with progress(f"sweep of compression on {arguments.on}") as on_progress:
        result = benchmark(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            file=arguments.file,
            random=arguments.random,
            profile=profile,
            block_size=arguments.block_size,
            tiles=[] if arguments.plan_only else arguments.tiles,
            windows=[] if arguments.plan_only else arguments.windows,
            repeat=arguments.repeat,
        )
    show_result(arguments, result, lambda: sweep_tables(result))
    return 0


def _counts(text: str) -> list[int]:
    return [units.count(word) for word in text.split(",")]
