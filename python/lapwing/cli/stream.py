"""Run a stream blocking and as planned, and print what the plan hid.

Exit status 1 where the plan was slower than blocking."""

import argparse
import json
from typing import Any

from .. import load_profile
from ..launch import parse
from . import options
from .output import dump, print_document, print_tables, progress, require_free, write_whole
from .parser import Parser

EXAMPLES = """\
  lapwing run stream --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run stream --on mpi machine.json --volume 64MB --compute 40ms --json"""


def add(parser: Parser) -> None:
    """The options of `run stream`."""
    options.add_profile(parser)
    options.add_volume(parser)
    options.add_computation(parser)
    options.add_grain(parser)
    options.add_repetitions(parser)
    options.add_output(parser, "result")
    options.add_json(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, keep, print; 1 where the plan did not pay."""
    from ..tables.sweep import pays

    return 0 if pays(run_stream(arguments, f"stream on {arguments.on}", plan_only=True)) else 1


def run_stream(arguments: argparse.Namespace, title: str, *, plan_only: bool) -> dict[str, Any]:
    """Run what the options of `sweep` or `run` ask for, keep and print the result, return it.

    title: of the progress bar.  plan_only: the blocking run and the plans, no cells.
    """
    from ..measure import Launch, sweep

    require_free(arguments.output, arguments.force)
    target = parse(arguments.on, arguments.ppn)
    profile = load_profile(arguments.machine)
    with progress(title) as on_progress:
        result = sweep(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            profile,
            volume=arguments.volume,
            ratio=arguments.ratio,
            compute=arguments.compute,
            grain=arguments.grain,
            repetitions=arguments.repetitions,
            plan_only=plan_only,
        )
    if arguments.output is not None:
        write_whole(arguments.output, dump(result), arguments.force)
    if arguments.json:
        print_document(dump(result))
    else:
        from ..tables.sweep import mismatch, sweep_tables

        machine = json.loads(profile.to_json())
        print_tables(*sweep_tables(result), *mismatch(machine, result, target.text))
        if arguments.output is not None:
            print_tables(f"\nThe result is in {arguments.output}.")
    return result
