"""Print the JSON Schema (draft 2020-12) of a document: each field's meaning and unit."""

import argparse

from ..schema import NAMES, schema
from .output import dump, print_document
from .parser import Parser

EXAMPLES = """\
  lapwing schema profile > profile.schema.json
  lapwing schema sweep | jq '.properties | keys'"""


def add(parser: Parser) -> None:
    """The options of `schema`."""
    parser.add_argument("document", choices=NAMES, help="which document")


def execute(arguments: argparse.Namespace) -> int:
    """Print it."""
    print_document(dump(schema(arguments.document)))
    return 0
