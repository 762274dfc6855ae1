"""Run a program unchanged, and record every MPI call of every rank.

`lapwing replay` simulates the recording on other machines. If the program fails or is killed, the
recording has all calls until then. Exit status: the program's."""

import argparse
import os
import sys
from pathlib import Path

from ... import units
from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, require_free, write_whole
from ..parser import Parser, quantity
from ..standard_streams import to_output

EXAMPLES = """\
  lapwing record -o run.lwt -- mpirun -n 4 ./program its arguments
  lapwing record -o run.lwt -- srun -n 64 ./program
  lapwing record -o run.lwt --on net:1gbit -- ./program its arguments
  lapwing record -o run.lwt --on sim:ib4x:16 -- ./program
  lapwing record --show run.lwt --rank 3"""


def add(parser: Parser) -> None:
    """The options of `record`."""
    parser.divided = True
    options.add_own_program(parser)
    options.add_output(parser, "the recording", needed=".lwt")
    parser.add_argument(
        "--show", metavar="FILE", help="print this recording, one line a record; run nothing"
    )
    parser.add_argument(
        "--rank",
        metavar="N",
        type=quantity(units.rank),
        help="with --show: only this rank",
    )
    options.add_json(parser, "the description of the run")


def execute(arguments: argparse.Namespace) -> int:
    """Run, write, print; the program's exit status."""
    _check(arguments)
    if arguments.show is not None:
        return _show(arguments)
    from ...launch import parse
    from ...observing.recording import recorded

    with recorded(
        arguments.rest,
        Path(arguments.output).absolute().parent,
        target=parse(arguments.on) if arguments.on else None,
        mpi=arguments.mpi,
        quiet=arguments.json,
    ) as made:
        write_whole(arguments.output, made.write, arguments.force)
        description = made.description
    if arguments.json:
        print_document(dump(description))
    else:
        from ...tables.record import record_tables

        size = os.stat(arguments.output).st_size
        print_tables(*record_tables(description, arguments.output, size))
    status: int = description["exit_status"]
    return status


def _check(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be done, before anything runs."""
    if arguments.show is not None:
        if arguments.rest or arguments.output is not None or arguments.on is not None:
            raise LapwingError("--show: reads a recording; leave out the program, -o and --on")
        return
    if arguments.rank is not None:
        raise LapwingError("--rank: goes with --show")
    if not arguments.rest:
        raise LapwingError(
            "missing: the program, after --, e.g. "
            "lapwing record -o run.lwt -- mpirun -n 4 ./program"
        )
    if arguments.output is None:
        raise LapwingError("-o: missing; name a file for the recording, e.g. -o run.lwt")
    options.require_ending(arguments.output, "-o", (".lwt",))
    require_free(arguments.output, arguments.force, regular=True)


def _show(arguments: argparse.Namespace) -> int:
    from ...prediction.recordings import description_of, read_recording, sites_of
    from ...tables.record import line_of

    recording = read_recording(arguments.show)
    description = description_of(recording)
    if arguments.json:
        print_document(dump(description))
        return 0
    one = arguments.rank
    if one is not None and one >= recording.ranks:
        raise LapwingError(f"--rank: {one} is not among the {recording.ranks} ranks")
    with to_output():
        for rank in [one] if one is not None else range(recording.ranks):
            sites = sites_of(description, rank)
            try:
                for record in recording.records(rank):
                    sys.stdout.write(f"{rank} {line_of(record, sites)}\n")
            except ValueError as error:
                raise LapwingError(f"{arguments.show}: {error}") from None
    return 0
