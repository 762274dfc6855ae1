"""Time a stream blocking, cut in every uniform way, as the paper chooses, and as planned.

With --app compress: parallel compression, collected in every way; that has its own --help."""

import argparse

from . import options
from .parser import Parser
from .stream import run_stream

EXAMPLES = """\
  lapwing sweep --on sim:ib4x machine.json --pattern stream --volume 1MB --ratio 1
  lapwing sweep --on net:1gbit machine.json --volume 4MB --compute 30ms -o result.json
  lapwing sweep --on mpi machine.json --volume 8MB --ratio 1.6 --plan-only --json
  lapwing sweep --app compress --on sim:ib4x:16 --tiles 1,2,4 --windows 1,2,4"""


def choose(words: list[str]) -> tuple[str, int]:
    """The module that sweeps what `words` ask for, and how many of them say so."""
    # What follows --launch is not ours to read.
    own = words[: words.index("--launch")] if "--launch" in words else words
    asked = any(
        word == "--app=compress" or own[place : place + 2] == ["--app", "compress"]
        for place, word in enumerate(own)
    )
    return "sweep_compress" if asked else "sweep", 0


def add(parser: Parser) -> None:
    """The options of `sweep`."""
    options.add_app(parser)
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
    run_stream(arguments, f"sweep on {arguments.on}", plan_only=arguments.plan_only)
    return 0
