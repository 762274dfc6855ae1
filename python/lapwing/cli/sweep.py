"""Time a stream blocking, cut in every uniform way, as the paper chooses, and as planned."""

import argparse
import json

from .. import load_profile
from ..launch import parse
from . import options
from .output import dump, print_document, print_tables, progress, require_free, write_whole
from .parser import Parser

EXAMPLES = """\
  lapwing sweep --on sim:ib4x machine.json --pattern stream --volume 1MB --ratio 1
  lapwing sweep --on net:1gbit machine.json --volume 4MB --compute 30ms -o result.json
  lapwing sweep --on mpi machine.json --volume 8MB --ratio 1.6 --plan-only --json"""


def add(parser: Parser) -> None:
    """The options of `sweep`."""
    options.add_profile(parser)
    options.add_pattern(parser)
    options.add_volume(parser)
    options.add_computation(parser)
    options.add_grain(parser)
    options.add_repetitions(parser)
    parser.add_argument(
        "--plan-only", action="store_true", help="the blocking run and the plans, no map"
    )
    options.add_output(parser, "result")
    options.add_json(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, keep, print."""
    from ..measure import Launch, sweep

    require_free(arguments.output, arguments.force)
    target = parse(arguments.on)
    profile = load_profile(arguments.machine)
    with progress(f"sweep on {target.text}") as on_progress:
        result = sweep(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            profile,
            volume=arguments.volume,
            ratio=arguments.ratio,
            compute=arguments.compute,
            grain=arguments.grain,
            repetitions=arguments.repetitions,
            plan_only=arguments.plan_only,
        )
    if arguments.output is not None:
        write_whole(arguments.output, dump(result), arguments.force)
    if arguments.json:
        print_document(dump(result))
    else:
        from ..tables.sweep import mismatch, sweep_tables

        machine = json.loads(profile.to_json())
        print_tables(*sweep_tables(result), *mismatch(machine, target.text))
        if arguments.output is not None:
            print_tables(f"\nThe result is in {arguments.output}.")
    return 0
