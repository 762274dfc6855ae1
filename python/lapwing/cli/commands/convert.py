"""Make a recording from the trace of another tool, or a GOAL schedule from a trace or recording.

Lapwing recognises the format of the trace. The ending of -o chooses the format of the result."""

import argparse
import os
from pathlib import Path
from typing import Any

from ...errors import LapwingError
from ...traces import FORMATS
from .. import options
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser

EXAMPLES = """\
  lapwing convert scorep-run/traces.otf2 -o run.lwt
  lapwing convert dumpi-2024.meta -o run.lwt
  lapwing convert step.0.et step.1.et -o step.lwt
  lapwing convert rank0.json.gz rank1.json.gz -o step.lwt
  lapwing convert traces-of-all-ranks --from chakra -o step.lwt --json
  lapwing convert run.lwt -o run.goal"""

_RECORDING, _SCHEDULE = ".lwt", ".goal"


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
        help="the trace's format (default: by its content)",
    )
    options.add_output(parser, "the recording or schedule", needed=f"{_RECORDING} or {_SCHEDULE}")
    options.add_json(parser, "the description of the run")


def execute(arguments: argparse.Namespace) -> int:
    """Read, write, say what there is."""
    from ...prediction.recordings import is_recording

    if arguments.output is None:
        raise LapwingError("-o: missing; name a file for the recording, e.g. -o run.lwt")
    options.require_ending(arguments.output, "-o", (_RECORDING, _SCHEDULE))
    require_free(arguments.output, arguments.force, regular=True)
    recorded = len(arguments.inputs) == 1 and is_recording(arguments.inputs[0])
    if recorded and arguments.output.endswith(_RECORDING):
        raise LapwingError(f"{arguments.inputs[0]}: is a recording already")
    if recorded:
        description = _write_schedule(arguments.inputs[0], arguments)
    else:
        description = _convert(arguments)
    if arguments.json:
        print_document(dump(description))
    else:
        from ...tables.record import record_tables

        size = os.stat(arguments.output).st_size
        print_tables(*record_tables(description, arguments.output, size))
    return 0


def _convert(arguments: argparse.Namespace) -> dict[str, Any]:
    """Convert a trace; returns what is said of its run."""
    from ...launch.scratch import scratch
    from ...traces.convert import convert

    beside = Path(arguments.output).absolute().parent
    with scratch(str(beside)) as parts, waiting("converting"):
        program = convert(arguments.inputs, parts, arguments.kind)
        if arguments.output.endswith(_RECORDING):
            write_whole(arguments.output, program.write, arguments.force)
            return program.description
        recording = parts / "run.lwt"
        with recording.open("wb") as file:
            program.write(file)
        return _write_schedule(str(recording), arguments)


def _write_schedule(recording: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Write a recording as a GOAL schedule; returns what it says of its run."""
    from ...prediction.recordings import description_of, read_recording
    from ...prediction.replays import goal_text

    program = read_recording(recording)
    description = description_of(program)
    write_whole(arguments.output, goal_text(program), arguments.force)
    return description
