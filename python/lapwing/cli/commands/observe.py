"""Run a program unchanged, and rank its exchanges by the saving of overlap.

Compile the program with -g to get functions, files and lines. Exit status: the program's."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import load_profile, units
from ...errors import LapwingError
from .. import options
from ..output import dump, print_text, require_free, write_whole
from ..parser import Parser, quantity
from ..results import add_printed, print_result, write_trace

if TYPE_CHECKING:
    from ...observing.patch import Patch
    from ...observing.run import Observation

EXAMPLES = """\
  lapwing observe -- mpirun -n 4 ./program
  lapwing observe machine.json -- mpirun -n 4 ./program its arguments
  lapwing observe machine.json --on net:1gbit -- ./program its arguments
  lapwing observe machine.json --patch overlapped.cpp -- mpirun -n 4 ./program
  lapwing observe machine.json -o seen.html -- mpirun -n 4 ./program
  lapwing observe -o seen.json --trace time.json -- srun -n 64 ./program
  lapwing observe machine.json --from seen.json"""

_MOST = 10
_PAGES = (".html", ".htm")
_SOURCES = (".cpp", ".cc", ".cxx")


def add(parser: Parser) -> None:
    """The options of `observe`."""
    parser.divided = True
    options.add_profile(parser, required=False)
    options.add_own_program(parser)
    options.add_output(parser, "the observation, to rank it again with --from; .html: a page of it")
    parser.add_argument(
        "--from", dest="seen", metavar="FILE", help="rank this observation, run nothing"
    )
    parser.add_argument(
        "--patch",
        metavar="FILE",
        help="C++ file for functions that overlap the exchanges; you fill in the computation (for "
        "Fortran also a .f90 file); -: standard output",
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="file for the time line, for ui.perfetto.dev"
    )
    parser.add_argument(
        "--most",
        metavar="N",
        type=quantity(units.count),
        default=_MOST,
        help=f"exchanges to show in the table (default: {_MOST})",
    )
    add_printed(parser, "everything")


def execute(arguments: argparse.Namespace) -> int:
    """Run, rank, print; the program's exit status."""
    _check(arguments)
    document = _observation(arguments)
    if arguments.output is not None:
        write_whole(arguments.output, _written(document, arguments.output), arguments.force)
    if document.events is not None and arguments.trace is not None:
        from ...observing.timeline import trace

        write_trace(arguments, trace(document.events, document["calls"]))
    if arguments.patch != "-":
        from ...tables.observe import observe_tables

        print_result(arguments, document, lambda: observe_tables(document, arguments.most))
    if arguments.patch is not None:
        _write_patch(document, arguments)
    status: int = document["exit_status"]
    return 0 if arguments.seen else status


def _check(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be done, before anything runs."""
    if (arguments.seen is None) == (not arguments.rest):
        raise LapwingError(
            "missing: the program, after --, e.g. lapwing observe -- mpirun -n 4 ./program"
            if arguments.seen is None
            else "--from: reads a kept observation; leave out the program"
        )
    if arguments.seen is not None and arguments.trace is not None:
        raise LapwingError("--trace: a record has no whole time line; run the program")
    if arguments.patch is not None:
        if arguments.machine is None:
            raise LapwingError("--patch: needs a machine to plan for: name its profile first")
        if arguments.patch != "-":
            options.require_ending(arguments.patch, "--patch", _SOURCES)
            require_free(_module(arguments.patch), arguments.force, "--patch")
            require_free(arguments.patch, arguments.force, "--patch")
        elif arguments.json or arguments.csv:
            raise LapwingError("--patch -: not together with --json or --csv; name a file")
    require_free(arguments.output, arguments.force)
    require_free(arguments.trace, arguments.force, "--trace")


def _observation(arguments: argparse.Namespace) -> "Observation":
    from ...observing.run import load, observe, ranked

    profile = load_profile(arguments.machine) if arguments.machine else None
    if arguments.seen is not None:
        return ranked(load(arguments.seen), profile, arguments.machine)
    page = arguments.output is not None and arguments.output.endswith(_PAGES)
    return observe(
        arguments.rest,
        profile=profile,
        on=arguments.on,
        mpi=arguments.mpi,
        quiet=arguments.json or arguments.csv or arguments.patch == "-",
        events=page or arguments.trace is not None,
        machine=arguments.machine,
    )


def _written(document: dict[str, Any], path: str) -> str:
    """What goes into the file: a page, or the document."""
    if not path.endswith(_PAGES):
        return dump(document)
    from ...reporting import page
    from ...results.documents import results_in
    from ...results.provenance import with_provenance

    program = str(Path(path).with_suffix(""))
    results = results_in(with_provenance(document), program)
    return page(results, "What overlap would save")


def _write_patch(document: dict[str, Any], arguments: argparse.Namespace) -> None:
    from ...observing.patch import make_patch

    path = arguments.patch
    patch = make_patch(document, "overlapped.cpp" if path == "-" else Path(path).name)
    if patch is None:
        print(
            "lapwing: --patch: no exchange is worth overlapping, nothing to write", file=sys.stderr
        )
    elif path == "-":
        print_text(_together(patch))
    else:
        write_whole(path, patch.cpp, arguments.force)
        if patch.fortran is not None:
            write_whole(_module(path), patch.fortran, arguments.force)


def _module(path: str) -> str:
    """The Fortran file beside a C++ file."""
    return str(Path(path).with_suffix(".f90"))


def _together(patch: "Patch") -> str:
    """Both files as one text; the Fortran module as a comment of the other."""
    if patch.fortran is None:
        return patch.cpp
    lines = "\n".join(f"//{' ' if line else ''}{line}" for line in patch.fortran.splitlines())
    return f"{patch.cpp}\n// overlapped.f90:\n//\n{lines}\n"
