"""Draw the figures of results into a .png or .svg file, for a paper."""

import argparse

from ...errors import LapwingError, did_you_mean
from .. import options
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing plot machine.json --list
  lapwing plot machine.json --figure bandwidth -o bandwidth.svg
  lapwing plot result.json -o result.png                all figures, below each other
  lapwing plot predict.json --figure predicted-ranks --select "size=64 KB" -o bcast.svg"""


def add(parser: Parser) -> None:
    """The options of `plot`."""
    options.add_results(parser)
    parser.add_argument(
        "--figure",
        metavar="NAME",
        action="append",
        default=[],
        help="a figure to draw; repeatable (default: all)",
    )
    parser.add_argument(
        "--select",
        metavar="NAME=VALUE",
        action="append",
        type=quantity(_selected),
        default=[],
        help="what a drop-down of a figure shows (default: its first value)",
    )
    parser.add_argument(
        "--title", metavar="TEXT", help="stands above the figure, instead of its own title"
    )
    parser.add_argument("--list", action="store_true", help="list the figures")
    options.add_output(parser, "the picture", needed="a .png or .svg file")
    options.add_json(parser, "the names of the figures")


def _selected(text: str) -> tuple[str, str]:
    """`size=64 KB` as its two parts."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError("must be NAME=VALUE, e.g. size=64 KB")
    return name, value


def execute(arguments: argparse.Namespace) -> int:
    """Read, choose, draw; or list."""
    if not arguments.list:
        options.require_picture(arguments.output, "-o")
        require_free(arguments.output, arguments.force)
    from ...figures import choices, figures, title_of, titled
    from ...results.documents import load

    results = [each for path in arguments.results for each in load(path)]
    drawn = figures(results)
    known = [figure["name"] for figure in drawn]
    for name in arguments.figure:
        if name not in known:
            raise LapwingError(
                f'--figure: unknown figure "{name}"{did_you_mean(name, known)}; see --list'
            )
    if arguments.figure:
        drawn = [figure for figure in drawn if figure["name"] in arguments.figure]
    if not drawn:
        raise LapwingError(f"{arguments.results[0]}: there is nothing to draw")
    chosen = dict(arguments.select)
    for name, value in chosen.items():
        known = [each for figure in drawn for each in choices(figure).get(name, [])]
        if value not in known:
            raise LapwingError(
                f'--select {name}: there is no "{value}"{did_you_mean(value, known)}; see --list '
                "--json"
            )
    if arguments.title is not None:
        if len(drawn) > 1:
            raise LapwingError("--title: is for one figure; choose it with --figure")
        drawn = [titled(drawn[0], arguments.title)]
    if not arguments.list:
        from ...figures.picture import draw

        kind = arguments.output.rpartition(".")[2]
        with waiting("drawing"):
            content = draw(drawn, kind, chosen)
        write_whole(arguments.output, content, arguments.force)
    if arguments.json:
        listed = [
            {"name": figure["name"], "title": title_of(figure), "choices": choices(figure)}
            for figure in drawn
        ]
        print_document(dump({"lapwing": "plot", "file": arguments.output, "figures": listed}))
    elif arguments.list:
        from ...tables.figures import figures_table

        print_tables(figures_table(drawn))
    else:
        print_tables(f"The plot is in {arguments.output}.")
    return 0
