"""Options that several commands have, each said once."""

import argparse

from .. import units
from ..patterns import DEPENDENCES, DIRECTIONS, PATTERNS
from .parser import Parser, quantity


def add_target(parser: Parser) -> None:
    """Where to run."""
    parser.add_argument(
        "--on",
        metavar="TARGET",
        required=True,
        help="where to run: mpi[:N], sim:CLUSTER[:N] (simulated) or net:RATE[:N] (a shaped link)",
    )
    add_mpi(parser)
    parser.add_argument(
        "--ppn",
        metavar="N",
        type=quantity(units.count),
        help="ranks on each node (default: as the launcher likes; simulated 1)",
    )
    # Last on the line, for all that follows it belongs to the launcher.
    parser.add_argument(
        "--launch",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="...",
        help="what follows goes to the launcher unchanged",
    )


def add_mpi(parser: Parser) -> None:
    """Which MPI."""
    parser.add_argument(
        "--mpi",
        choices=["openmpi", "mpich"],
        help="which MPI, where both are installed",
    )


def add_profile(parser: Parser, required: bool = True) -> None:
    """The machine's profile."""
    parser.add_argument(
        "machine",
        nargs=None if required else "?",
        metavar="machine.json",
        help="profile, from `lapwing calibrate`, or a published machine (lapwing show --list)",
    )


def add_output(parser: Parser, what: str, default: str = "") -> None:
    """A file for the result."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"file for the {what}" + (f" (default: {default})" if default else ""),
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite that file if there is one already"
    )


def add_json(parser: Parser, what: str) -> None:
    """A document instead of a table."""
    parser.add_argument(
        "--json", action="store_true", help=f"print {what} as JSON, and nothing else"
    )


def add_pattern(parser: Parser) -> None:
    """How messages run between ranks."""
    parser.add_argument(
        "--pattern", choices=PATTERNS, default="stream", help="how messages run between ranks"
    )


def add_sides(parser: Parser) -> None:
    """Which side of messages the computation is on, and what it waits for."""
    parser.add_argument(
        "--direction",
        choices=DIRECTIONS,
        help="receive and then consume (fetch), compute and then send (produce), or half of the "
        "computation on either side (both)",
    )
    parser.add_argument(
        "--dependence",
        choices=DEPENDENCES,
        help="computation waits for the piece it works on (tight), or for nothing (loose, as the "
        "interior of a halo)",
    )
    parser.add_argument(
        "--peers",
        metavar="N",
        type=int,
        help="with how many others a rank exchanges (default: all)",
    )
    parser.add_argument(
        "--unknown-sizes",
        action="store_true",
        help="sizes depend on data: they are exchanged before it (collective)",
    )


def add_app(parser: Parser) -> None:
    """What to sweep."""
    parser.add_argument(
        "--app", choices=["stream", "compress"], default="stream", help="what to time"
    )


def add_block_size(parser: Parser) -> None:
    """How much is compressed at once."""
    parser.add_argument(
        "--block-size",
        metavar="SIZE",
        type=quantity(units.block),
        default=900_000,
        help="compressed at once, 1k to 900k, a k being 1000 bytes as bzip2 has it (default: 900k)",
    )


def add_volume(parser: Parser) -> None:
    """How much."""
    parser.add_argument(
        "--volume",
        metavar="SIZE",
        type=quantity(units.size),
        required=True,
        help="bytes in all, e.g. 64KB or 8MB",
    )


def add_grain(parser: Parser) -> None:
    """The unit in which messages are cut."""
    parser.add_argument(
        "--grain",
        metavar="SIZE",
        type=quantity(units.size),
        default=8,
        help="messages are cut at multiples of this (default: 8)",
    )


def add_computation(parser: Parser) -> None:
    """What there is to hide communication behind."""
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument(
        "--ratio",
        metavar="R",
        type=quantity(units.ratio),
        help="computation, as a multiple of the communication of the blocking run",
    )
    either.add_argument(
        "--compute",
        metavar="TIME",
        type=quantity(units.seconds),
        help="computation in all, e.g. 12ms",
    )


def add_repetitions(parser: Parser) -> None:
    """How often."""
    parser.add_argument(
        "--repetitions",
        metavar="N",
        type=quantity(units.count),
        help="runs of each way to cut (default: 3; simulated 1)",
    )
