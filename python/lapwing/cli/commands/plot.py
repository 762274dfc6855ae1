"""Draw what results show into a .png or .svg file: the figures of the report, for a paper."""

import argparse

from ...errors import LapwingError, did_you_mean
from .. import options
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser

EXAMPLES = """\
  lapwing plot machine.json --list
  lapwing plot machine.json --figure bandwidth-machine -o bandwidth.svg
  lapwing plot result.json -o result.png                all figures, below each other
  lapwing sweep ... -o map.json && lapwing plot map.json --figure loss-1 -o map.svg"""


def add(parser: Parser) -> None:
    """The options of `plot`."""
    options.add_results(parser)
    parser.add_argument(
        "--figure",
        metavar="NAME",
        action="append",
        default=[],
        help="a figure to draw; may be given several times (default: all)",
    )
    parser.add_argument("--list", action="store_true", help="list the figures")
    options.add_output(parser, "picture", needed="a .png or .svg file")
    options.add_json(parser, "which figures were drawn, or there are,")


def execute(arguments: argparse.Namespace) -> int:
    """Read, choose, draw; or list."""
    if not arguments.list:
        options.require_picture(arguments.output, "-o")
        require_free(arguments.output, arguments.force)
    from ...figures import figures
    from ...results.documents import load

    results = [each for path in arguments.results for each in load(path)]
    drawn = figures(results)
    known = [figure.name for figure in drawn]
    for name in arguments.figure:
        if name not in known:
            raise LapwingError(
                f'--figure: unknown figure "{name}"{did_you_mean(name, known)}; see --list'
            )
    if arguments.figure:
        drawn = [figure for figure in drawn if figure.name in arguments.figure]
    if not drawn:
        raise LapwingError(f"{arguments.results[0]}: there is nothing to draw")
    if not arguments.list:
        from ...figures.draw import draw

        kind = arguments.output.rpartition(".")[2]
        with waiting("drawing"):
            content = draw(drawn, kind)
        write_whole(arguments.output, content, arguments.force)
    if arguments.json:
        listed = [{"name": figure.name, "title": figure.title} for figure in drawn]
        print_document(dump({"lapwing": "plot", "file": arguments.output, "figures": listed}))
    elif arguments.list:
        from ...tables.figures import figures_table

        print_tables(figures_table(drawn))
    else:
        print_tables(f"The plot is in {arguments.output}.")
    return 0
