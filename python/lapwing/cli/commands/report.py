"""Make one page of results: a verdict, what to do, and every figure of it.

The page needs only a browser: no network, no other file."""

import argparse

from .. import options
from ..output import dump, print_document, print_tables, require_free, waiting, write_whole
from ..parser import Parser

EXAMPLES = """\
  lapwing report machine.json result.json -o report.html
  lapwing report lapwing-demo/*.json -o report.html
  lapwing report *.json -o report.html --title "Our cluster, before and after"

docs/report.md shows a page, and docs/results.md says what can go into one."""

_TITLE = "Lapwing report"


def add(parser: Parser) -> None:
    """The options of `report`."""
    options.add_results(parser)
    parser.add_argument("--title", metavar="TEXT", default=_TITLE, help=f"(default: {_TITLE})")
    options.add_output(parser, "the page", needed="an .html file")
    options.add_json(parser, "the findings")


def execute(arguments: argparse.Namespace) -> int:
    """Read, check, write, say what was found."""
    options.require_ending(arguments.output, "-o", (".html", ".htm"))
    require_free(arguments.output, arguments.force)
    from ...figures import title_of
    from ...reporting import report_of
    from ...results.documents import load

    results = [each for path in arguments.results for each in load(path)]
    with waiting("drawing"):
        made = report_of(results, arguments.title)
    write_whole(arguments.output, made.html, arguments.force)
    if arguments.json:
        print_document(
            dump(
                {
                    "lapwing": "report",
                    "file": arguments.output,
                    "verdict": {"sentences": made.sentences, "do": made.todo},
                    "found": [
                        {"what": each.found, "do": each.todo or None} for each in made.findings
                    ],
                    "figures": [
                        {"name": figure["name"], "title": title_of(figure)}
                        for figure in made.figures
                    ],
                }
            )
        )
    else:
        print_tables(*made.sentences, *(f"  -> {each}" for each in made.todo))
        print_tables(f"\nThe report is in {arguments.output}.")
    return 0
