"""Fit a machine's costs to measured collectives, and write a profile.

The measurements come from few nodes, with forced algorithms. The fitted profile predicts more nodes
and other algorithms. Nine of ten measured times lie in its interval."""

import argparse

from ... import load_profile, units
from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing import collectives.csv --only system=lumi -o measured.json
  lapwing fit machine.json measured.json -o fitted.json
  lapwing predict fitted.json allreduce --ranks 16:1024 --size 8:1MB --algorithm all"""


def add(parser: Parser) -> None:
    """The options of `fit`."""
    options.add_profile(parser)
    parser.add_argument(
        "measurements",
        metavar="MEASUREMENTS",
        nargs="+",
        help="documents of `lapwing import` with measured collectives",
    )
    parser.add_argument(
        "--most-nodes",
        metavar="N",
        type=quantity(units.ranks),
        help="leave out measurements on more nodes, to see how well they are predicted",
    )
    options.add_output(parser, "the fitted profile")
    options.add_json(parser, "the fitted costs")


def execute(arguments: argparse.Namespace) -> int:
    """Fit, write, say how well it fits."""
    if arguments.output is None and not arguments.json:
        raise LapwingError("missing: -o FILE, or --json; see lapwing fit --help")
    require_free(arguments.output, arguments.force)
    machine = load_profile(arguments.machine)
    from ...fitting.fit import fit
    from ...measurements.document import load_measurements

    measurements = [load_measurements(path) for path in arguments.measurements]
    cells = sum(len(each.cells) for each in measurements)
    with waiting(f"fitting {cells} times"):
        fitted = fit(machine, measurements, most_nodes=arguments.most_nodes)
    if arguments.output is not None:
        write_whole(arguments.output, fitted.profile.to_json(), arguments.force)
    document = fitted.document
    if arguments.json:
        print_document(dump(document))
    else:
        from ...tables.fit import fit_tables

        print_tables(*fit_tables(document), f"\nThe fitted profile is in {arguments.output}.")
    return 0
