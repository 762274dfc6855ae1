"""The result of a command: its options, and how it is kept and printed, the same for all."""

import argparse
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..results.provenance import with_provenance
from . import options
from .output import dump, print_document, print_tables, require_free, write_whole
from .parser import Parser

if TYPE_CHECKING:
    from rich.console import RenderableType


def add_result(parser: Parser, what: str) -> None:
    """Add the options of a result: its file, and two forms to print it in."""
    options.add_output(parser, f"{what}: as JSON, or as CSV if its name ends in .csv")
    add_printed(parser, what)


def add_printed(parser: Parser, what: str) -> None:
    """Add the options of the forms in which a result is printed, in place of tables for people."""
    forms = parser.add_mutually_exclusive_group()
    options.add_json(forms, what)
    forms.add_argument(
        "--csv", action="store_true", help="print its table as CSV, and nothing else"
    )


def require_result_free(arguments: argparse.Namespace) -> None:
    """Refuse a file for the result that exists or cannot be written, before anything runs."""
    require_free(arguments.output, arguments.force)


def show_result(
    arguments: argparse.Namespace,
    document: dict[str, Any],
    tables: Callable[[], Iterable["RenderableType"]],
) -> None:
    """Keep a result in the file that -o names, and print it.

    tables: makes what is printed for people.
    """
    document = with_provenance(document)
    if arguments.output is not None:
        as_table = arguments.output.endswith(".csv")
        text = _csv(document) if as_table else dump(document)
        write_whole(arguments.output, text, arguments.force)
    print_result(arguments, document, tables)
    if arguments.output is not None:
        print_note(arguments, f"\nThe result is in {arguments.output}.")


def print_result(
    arguments: argparse.Namespace,
    document: dict[str, Any],
    tables: Callable[[], Iterable["RenderableType"]],
) -> None:
    """Print a result in the form that was asked for."""
    if arguments.json:
        print_document(dump(document))
    elif arguments.csv:
        print_document(_csv(document))
    else:
        print_tables(*tables())


def print_note(arguments: argparse.Namespace, text: str) -> None:
    """Print a line after the tables; nothing where the result is JSON or CSV."""
    if not (arguments.json or arguments.csv):
        print_tables(text)


def write_trace(arguments: argparse.Namespace, text: str) -> None:
    """Write a time line, with its provenance, to the file that --trace names."""
    from ..results.provenance import trace_with_provenance

    write_whole(arguments.trace, trace_with_provenance(text), arguments.force)


def sign_trace(arguments: argparse.Namespace) -> None:
    """Add its provenance to the time line that ranks have written, if --trace names one."""
    from ..results.provenance import add_to_trace

    if arguments.trace is not None:
        add_to_trace(arguments.trace)


def _csv(document: dict[str, Any]) -> str:
    from ..results.csv_table import as_csv

    return as_csv(document)
