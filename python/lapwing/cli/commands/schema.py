"""Print the JSON Schema (draft 2020-12) of a document: each field's meaning and unit."""

import argparse

from ...schema import NAMES, schema
from ...schema.markdown import markdown
from ..output import dump, print_document
from ..parser import Parser

EXAMPLES = """\
  lapwing schema profile > profile.schema.json
  lapwing schema sweep | jq '.properties | keys'
  lapwing schema profile --markdown > docs/profile.md"""


def add(parser: Parser) -> None:
    """The options of `schema`."""
    parser.add_argument("document", choices=NAMES, help="which document")
    parser.add_argument(
        "--markdown", action="store_true", help="as a page: every field with its unit and source"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Print it."""
    document = schema(arguments.document)
    print_document(markdown(document) if arguments.markdown else dump(document))
    return 0
