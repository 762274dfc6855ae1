"""Options that several commands share."""

import argparse
from typing import Any

from .. import units
from ..errors import LapwingError
from ..planning.patterns import DEPENDENCES, DIRECTIONS, PATTERNS
from .output import require_free
from .parser import Parser, quantity

# Operations whose time is predicted.
OPERATIONS = (
    *("send", "barrier", "bcast", "alltoall", "allgather", "allreduce", "reduce"),
    *("reduce_scatter", "gather", "gatherv", "scatter", "scatterv"),
)
_PLOTS = (".png", ".svg")


def add_target(parser: Parser, required: bool = True) -> None:
    """Add the options of the target. required: whether one has to be named."""
    parser.add_argument(
        "--on",
        metavar="TARGET",
        required=required,
        help="where to run: mpi[:N], sim:CLUSTER[:N] (simulated) or net:RATE[:N] (a shaped link)",
    )
    add_mpi(parser)
    parser.add_argument(
        "--ppn",
        metavar="N",
        type=quantity(units.count),
        help="ranks on each node (default: the launcher's; simulated 1)",
    )
    # The last option of a line: everything after it belongs to the launcher.
    parser.add_argument(
        "--launch",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="...",
        help="pass everything that follows to the launcher",
    )


def add_own_program(parser: Parser) -> None:
    """Add the options of where a user's program runs that is given after `--`."""
    parser.add_argument(
        "--on",
        metavar="TARGET",
        help="start the program, given without a launcher, on this target: mpi[:N], "
        "net:RATE[:N] or, for a program that smpicc built, sim:CLUSTER[:N]",
    )
    add_mpi(parser)


def add_mpi(parser: Parser) -> None:
    """Add the option that chooses the MPI."""
    parser.add_argument(
        "--mpi",
        metavar="MPI",
        help="openmpi, mpich or intel, or the path of a folder with an MPI in it, of its launcher "
        "or of its library (default: the first of `lapwing doctor --list`)",
    )


def add_profile(parser: Parser, required: bool = True) -> None:
    """Add the argument for the machine's profile."""
    parser.add_argument(
        "machine",
        nargs=None if required else "?",
        metavar="machine.json",
        help="profile, from `lapwing calibrate`, or a published machine (lapwing show --list)",
    )


def require_profile_first(command: str, machine: str, operations: list[str]) -> None:
    """Refuse an operation that stands where the profile belongs."""
    if machine in OPERATIONS and operations:
        right = f"lapwing {command} {operations[0]} {machine}"
        raise LapwingError(f"{command}: the profile comes first: {right}")


def add_output(parser: Parser, what: str, default: str = "", needed: str = "") -> None:
    """Add the options of the output file. needed: its kind, if one has to be named."""
    ending = f", {needed}" if needed else ""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"file for {what}{ending}" + (f" (default: {default})" if default else ""),
    )
    parser.add_argument("--force", action="store_true", help="overwrite files that exist")


def add_trace(parser: Parser) -> None:
    """Add the option of the time line."""
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write a time line of all ranks and messages, for ui.perfetto.dev (of the last run)",
    )


def add_json(parser: argparse._ActionsContainer, what: str) -> None:
    """Add the option that prints a document instead of a table."""
    parser.add_argument(
        "--json", action="store_true", help=f"print {what} as JSON, and nothing else"
    )


def add_pattern(parser: Parser) -> None:
    """Add the option of the pattern."""
    parser.add_argument(
        "--pattern", choices=PATTERNS, default="stream", help="who exchanges messages with whom"
    )


def blocks(text: str) -> tuple[int, int]:
    """Bytes of a block and from one block to the next, from text such as `64:1KB`."""
    block, colon, stride = text.partition(":")
    if not colon:
        raise ValueError(f"'{text}' is not BLOCK:STRIDE, say 64:1KB")
    return units.size(block), units.size(stride)


def add_layout(parser: Parser) -> None:
    """Add the options of the layout: grain, blocks, and whether sizes are known."""
    parser.add_argument(
        "--grain",
        metavar="SIZE",
        type=quantity(units.size),
        help="messages are cut at multiples of this (default: 8, or a block)",
    )
    parser.add_argument(
        "--stride",
        metavar="BLOCK:STRIDE",
        type=quantity(blocks),
        default=(0, 0),
        help="data in blocks with gaps: bytes of a block, and from one to the next, e.g. 64:1KB",
    )
    parser.add_argument(
        "--unknown-sizes",
        action="store_true",
        help="exchange sizes before data, because only senders know them (collective)",
    )


def layout(arguments: argparse.Namespace) -> dict[str, Any]:
    """The layout as arguments of `lapwing.plan`."""
    block, stride = arguments.stride
    return {
        "grain": arguments.grain if arguments.grain is not None else max(8, block),
        "block": block,
        "stride": stride,
        "sizes_known": not arguments.unknown_sizes,
    }


def add_sides(parser: Parser) -> None:
    """Add the options of the computation's direction, dependence and peers."""
    parser.add_argument(
        "--direction",
        choices=DIRECTIONS,
        help="receive, then compute (fetch); compute, then send (produce); or half of the "
        "computation on either side (both)",
    )
    parser.add_argument(
        "--dependence",
        choices=DEPENDENCES,
        help="each piece of computation needs its piece of data (tight), or computation needs no "
        "message (loose), as the interior of a halo",
    )
    parser.add_argument(
        "--peers",
        metavar="N",
        type=quantity(units.ranks),
        help="number of peers of each rank (default: all; a halo that runs has 2)",
    )


def add_app(parser: Parser) -> None:
    """Add the option of the program to sweep."""
    parser.add_argument(
        "--app",
        choices=["stream", "compress"],
        default="stream",
        help="time a stream or another pattern (stream), or parallel compression (compress)",
    )


def add_block_size(parser: Parser) -> None:
    """Add the option of the block that is compressed at once."""
    parser.add_argument(
        "--block-size",
        metavar="SIZE",
        type=quantity(units.block),
        default=900_000,
        help="bytes to compress at once, 1k to 900k; k is 1000 bytes, as for bzip2 (default: 900k)",
    )


def add_volume(parser: Parser) -> None:
    """Add the option of the volume."""
    parser.add_argument(
        "--volume",
        metavar="SIZE",
        type=quantity(units.size),
        required=True,
        help="bytes that each computing rank receives or sends, e.g. 64KB or 8MB",
    )


def add_computation(parser: Parser) -> None:
    """Add the options of the computation that hides communication."""
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
        help="computation of each rank, e.g. 12ms",
    )


def add_plot(parser: Parser, what: str) -> None:
    """Add the option of a picture besides the document."""
    parser.add_argument(
        "--plot", metavar="FILE", help=f"draw {what} as well, into a .png or .svg file"
    )


def require_plot(arguments: argparse.Namespace) -> None:
    """Refuse a plot that cannot be drawn, before anything runs."""
    if arguments.plot is None:
        return
    require_picture(arguments.plot, "--plot")
    require_free(arguments.plot, arguments.force, "--plot")


def require_picture(path: str | None, option: str) -> None:
    """Refuse a picture that cannot be drawn. option: that names it."""
    require_ending(path, option, _PLOTS)
    from importlib.util import find_spec

    if find_spec("vl_convert") is None:
        raise LapwingError(f'{option} needs vl-convert: pip install "lapwing[plot]"')


def require_ending(path: str | None, option: str, endings: tuple[str, ...]) -> None:
    """Refuse a file name without one of the endings. option: that names the file."""
    if path is None:
        raise LapwingError(f"missing: {option}, a file that ends in {' or '.join(endings)}")
    if not path.endswith(endings):
        raise LapwingError(f"{option} {path}: name a file that ends in {' or '.join(endings)}")


def add_results(parser: Parser) -> None:
    """Add the argument for result documents."""
    parser.add_argument(
        "results",
        metavar="RESULT",
        nargs="+",
        help="a profile, or what a command printed with --json or wrote with -o",
    )


def read_text(path: str) -> str:
    """The text of a file that the user names. Raises LapwingError."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        raise LapwingError(f"{path}: is no text") from None


def add_repeat(parser: Parser) -> None:
    """Add the option of the number of runs."""
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=quantity(units.count),
        help="timed runs of each variant (default: 3; simulated 1)",
    )


def add_wait(parser: Parser, what: str) -> None:
    """Add the option of the wait for an environment. what: that each launch waits for."""
    parser.add_argument(
        "--wait",
        metavar="TIME",
        type=quantity(units.seconds),
        help=f"maximum time that each launch waits {what} (default: 0)",
    )
