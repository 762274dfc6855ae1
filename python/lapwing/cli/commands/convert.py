"""Make a recording of a trace that another tool wrote, to be played on other machines.

Which format the trace has is found out."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import LapwingError
from ...traces import FORMATS
from .. import options
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser

if TYPE_CHECKING:
    from ...traces.program import Program

EXAMPLES = """\
  lapwing convert scorep-run/traces.otf2 -o run.lwt
  lapwing convert dumpi-2024.meta -o run.lwt
  lapwing convert step.0.et step.1.et -o step.lwt
  lapwing convert rank0.json.gz rank1.json.gz -o step.lwt
  lapwing convert traces-of-all-ranks --from chakra -o step.lwt --json"""

# What can be written, by the file's ending: `_write` knows how.
_ENDINGS = (".lwt",)


def add(parser: Parser) -> None:
    """The options of `convert`."""
    parser.intermixed = True
    parser.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="+",
        help="the trace: its file, its directory, or the files of its ranks",
    )
    parser.add_argument(
        "--from",
        dest="kind",
        choices=FORMATS,
        help="the trace's format (default: what its content says)",
    )
    options.add_output(parser, "recording", needed=", ".join(_ENDINGS))
    options.add_json(parser, "what the recording says of the run")


def _write(program: "Program", path: str, force: bool) -> None:
    """Write what the file's ending asks for, one of _ENDINGS."""
    write_whole(path, program.write, force)


def execute(arguments: argparse.Namespace) -> int:
    """Read, write, say what there is."""
    if arguments.output is None:
        raise LapwingError("-o: missing; name a file for the recording, e.g. -o run.lwt")
    options.require_ending(arguments.output, "-o", _ENDINGS)
    require_free(arguments.output, arguments.force)
    from ...launch.scratch import scratch
    from ...traces.convert import convert

    beside = Path(arguments.output).absolute().parent
    with scratch(str(beside)) as parts, waiting("converting"):
        program = convert(arguments.inputs, parts, arguments.kind)
        _write(program, arguments.output, arguments.force)
    if arguments.json:
        print_document(dump(program.description))
    else:
        from ...tables.record import record_tables

        size = os.stat(arguments.output).st_size
        print_tables(*record_tables(program.description, arguments.output, size))
    return 0
