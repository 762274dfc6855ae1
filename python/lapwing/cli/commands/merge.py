"""Make one profile from several of the same machine.

If several profiles have the same part, the later one wins."""

import argparse
import json

from ... import load_profile
from ..._core import Profile
from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, require_free, write_whole
from ..parser import Parser

EXAMPLES = """\
  lapwing merge machine.json one-sided.json -o whole.json
  lapwing merge monday.json tuesday.json --prefer monday.json -o machine.json
  lapwing merge a.json b.json c.json --json | jq .machine"""


def add(parser: Parser) -> None:
    """The options of `merge`."""
    parser.add_argument("machines", metavar="machine.json", nargs="+", help="profiles, two or more")
    parser.add_argument(
        "--prefer",
        metavar="machine.json",
        help="the profile that wins if several have the same part (default: the later)",
    )
    parser.add_argument(
        "--different-machines",
        action="store_true",
        help="merge profiles of different machines too",
    )
    options.add_output(parser, "the profile")
    options.add_json(parser, "the profile")


def execute(arguments: argparse.Namespace) -> int:
    """Read, compare, merge, keep, print."""
    from ...profiles.merge import merge

    names: list[str] = arguments.machines
    if len(names) < 2:
        raise LapwingError("merge: name two profiles or more; see lapwing merge --help")
    if arguments.prefer is not None and arguments.prefer not in names:
        raise LapwingError(f"--prefer {arguments.prefer}: is none of {', '.join(names)}")
    if arguments.output is None and not arguments.json:
        raise LapwingError("missing: -o FILE, or --json; see lapwing merge --help")
    require_free(arguments.output, arguments.force)
    profiles = [load_profile(name) for name in names]
    if not arguments.different_machines:
        _require_same(names, profiles)
    documents = [json.loads(profile.to_json()) for profile in profiles]
    prefer = names.index(arguments.prefer) if arguments.prefer is not None else None
    merged = merge(documents, prefer=prefer)
    # Read and written once more, to check it and give it the form of all profiles.
    document = Profile.from_json(dump(merged)).to_json()
    if arguments.output is not None:
        write_whole(arguments.output, document, arguments.force)
    if arguments.json:
        print_document(document)
    else:
        from ...tables.profile.sections import profile_tables

        print_tables(*profile_tables(merged), f"\nThe profile is in {arguments.output}.")
    return 0


def _require_same(names: list[str], profiles: list[Profile]) -> None:
    for name, profile in zip(names[1:], profiles[1:], strict=True):
        if what := profiles[0].difference(profile):
            raise LapwingError(
                f"{name} is not of the same machine as {names[0]}, which was measured {what}; "
                "--different-machines merges them all the same"
            )
