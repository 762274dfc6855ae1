"""Compress a file with bzip2 on all ranks, or decompress one with -d.

Every rank compresses blocks; rank 0 collects and writes them while later blocks are compressed.
The output is a standard .bz2 file, the same for any number of ranks, and appears under its name
only when it is whole."""

import argparse
import sys

from ... import load_profile, units
from ...errors import LapwingError
from ...launch import parse
from .. import options
from ..output import progress, require_free
from ..parser import Parser, quantity
from ..results import add_printed, print_result, sign_trace

EXAMPLES = """\
  lapwing run compress big.tar -o big.tar.bz2 --on mpi:8
  tar c folder | lapwing run compress - -o folder.tar.bz2 --on mpi
  lapwing run compress -d big.tar.bz2 -o big.tar --on mpi:8
  lapwing run compress big.tar -o big.tar.bz2 --on sim:ib4x:16 machine.json --json"""


def add(parser: Parser) -> None:
    """The options of `run compress`."""
    parser.intermixed = True
    parser.add_argument("file", metavar="FILE", help="file to read; - is standard input")
    options.add_profile(parser, required=False)
    parser.add_argument("-d", "--decompress", action="store_true", help="decompress any .bz2 file")
    options.add_block_size(parser)
    parser.add_argument(
        "--tile",
        metavar="N",
        type=quantity(units.count),
        help="blocks of each rank in a gather (default: as planned, or 1 without a profile)",
    )
    parser.add_argument(
        "--window",
        metavar="N",
        type=quantity(units.count),
        help="gathers in flight (default: as planned, or 6 without a profile)",
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="write the time line of all ranks, for ui.perfetto.dev"
    )
    options.add_output(parser, "the result", "FILE.bz2, or without it for -d")
    add_printed(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Compress, print."""
    from ...launch import Launch
    from ...measure.compress import STANDARD_INPUT, compress, default_output

    piped = arguments.file == STANDARD_INPUT
    output = arguments.output
    if output is None and piped:
        raise LapwingError("-o: name the output; standard input has no name to make one of")
    if output is None:
        output = default_output(arguments.file, arguments.decompress)
    require_free(output, arguments.force, regular=True)
    if arguments.trace and arguments.decompress:
        raise LapwingError("--trace: only compression is pipelined; leave it out with -d")
    if arguments.trace:
        require_free(arguments.trace, arguments.force, "--trace", regular=True)
    if piped and sys.stdin.isatty():
        raise LapwingError("-: standard input is a terminal; pipe something into it")
    target = parse(arguments.on, arguments.ppn)
    profile = load_profile(arguments.machine) if arguments.machine else None
    with progress(f"compress on {arguments.on}") as on_progress:
        result = compress(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            arguments.file,
            output,
            decompress=arguments.decompress,
            force=arguments.force,
            profile=profile,
            block_size=arguments.block_size,
            tile=arguments.tile,
            window=arguments.window,
            trace=arguments.trace,
            input=sys.stdin.fileno() if piped else None,
        )
    from ...tables.compress import compress_tables

    sign_trace(arguments)
    print_result(arguments, result, lambda: compress_tables(result, output, arguments.decompress))
    return 0
