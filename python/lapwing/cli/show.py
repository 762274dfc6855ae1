"""Print a profile: the machine, its LogGP parameters, overheads, bandwidth, progress, queue."""

import argparse
import json

from .. import load_profile
from . import options
from .output import print_document, print_tables
from .parser import Parser

EXAMPLES = """\
  lapwing show machine.json
  lapwing show machine.json --json | jq .overhead"""


def add(parser: Parser) -> None:
    """The options of `show`."""
    options.add_profile(parser)
    options.add_json(parser, "the profile")


def execute(arguments: argparse.Namespace) -> int:
    """Read, check, print."""
    document = load_profile(arguments.machine).to_json()
    if arguments.json:
        print_document(document)
    else:
        from ..tables.profile import profile_tables

        print_tables(*profile_tables(json.loads(document)))
    return 0
