"""Calibrate, plan, run and compare once, in a few minutes.

The comparison is with the blocking run, the best equal messages and the paper's choice. It uses a
simulated InfiniBand cluster (sim:ib4x) and, if this machine allows it, a real link shaped to
1 Gbit/s (net:1gbit). Exit status 1: a plan was slower than blocking."""

import argparse
from itertools import chain, count
from pathlib import Path

from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, progress, write_whole
from ..parser import Parser

EXAMPLES = """\
  lapwing demo                  the table; what is behind it goes to ./lapwing-demo
  lapwing demo -o results       ... goes to ./results
  lapwing demo --json           one document on standard output, no files"""

_DIRECTORY = "lapwing-demo"


def add(parser: Parser) -> None:
    """The options of `demo`."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        help=f"new directory for the JSON and a report (default: {_DIRECTORY}, or {_DIRECTORY}-2 "
        "... where that exists; none with --json)",
    )
    options.add_mpi(parser)
    options.add_json(parser, "all results")


def execute(arguments: argparse.Namespace) -> int:
    """Measure, keep, print."""
    from ...measure.demo import demo
    from ...reporting import page
    from ...results.documents import results_in
    from ...results.provenance import with_provenance

    chosen = arguments.output
    if chosen is not None and (not chosen or Path(chosen).exists()):
        raise LapwingError(f"-o {chosen}: exists already; name a new directory")
    with progress("demo") as on_progress:
        found = demo(arguments.mpi, on_progress)
    document = with_provenance(found.document())
    kept = None
    if chosen is not None or not arguments.json:
        report = page(results_in(document, "demo.json"), "Lapwing demo")
        files = {"demo.json": dump(document), "report.html": report}
        files |= found.profiles()
        files |= {name: dump(sweep) for name, sweep in found.sweeps().items()}
        kept = _keep(chosen, files)
    from ...results.sentences import pays
    from ...tables.demo import demo_tables

    if arguments.json:
        print_document(dump(document))
    else:
        print_tables(*demo_tables(document), f"The JSON behind it is in {kept}.")
        if kept is not None:
            print_tables(f"A report for a browser: {kept / 'report.html'}")
    sweeps = chain.from_iterable(network.sweeps for network in found.networks)
    return 0 if all(map(pays, sweeps)) else 1


def _keep(chosen: str | None, files: dict[str, str]) -> Path:
    """Write the files to a new directory."""
    numbered = (f"{_DIRECTORY}-{number}" for number in count(2))
    for name in [chosen] if chosen is not None else chain([_DIRECTORY], numbered):
        directory = Path(name)
        try:
            directory.mkdir()
            break
        except FileExistsError:
            if chosen is not None:
                raise LapwingError(f"{name}: exists already; name a new directory") from None
        except OSError as error:
            raise LapwingError(f"{name}: cannot make the directory: {error.strerror}") from None
    for name, content in files.items():
        write_whole(str(directory / name), content, force=False)
    return directory
