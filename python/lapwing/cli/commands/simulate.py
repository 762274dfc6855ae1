"""Simulate a message schedule: of a file, or of a collective.

The machine is a LogGOPS machine (--parameters), or a measured one (--profile)."""

import argparse
from typing import TYPE_CHECKING

from ... import units
from ...errors import LapwingError
from .. import simulated_machine
from ..output import require_free, waiting, write_whole
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result, write_trace

if TYPE_CHECKING:
    from ..._core import Schedule

EXAMPLES = """\
  lapwing simulate schedule.goal --parameters L=2500,o=1500,g=1000,G=6,O=0,S=65535
  lapwing simulate --collective alltoall --algorithm linear --ranks 4096 --size 1KB
  lapwing simulate --collective bcast --ranks 64 --size 1MB --profile machine.json --ppn 4
  lapwing simulate --collective barrier --ranks 16 --trace barrier.json
  lapwing simulate --collective barrier --ranks 16 --write barrier.goal
  lapwing simulate schedule.goal --json | jq .finish_ns

docs/simulate-reference.md has the rules of the machine, the collectives and the algorithms."""

_size = quantity(units.message)


def add(parser: Parser) -> None:
    """The options of `simulate`."""
    parser.intermixed = True
    parser.add_argument(
        "schedule",
        metavar="schedule.goal",
        nargs="?",
        help="a schedule in the GOAL format, text or LogGOPSim's binary one",
    )
    simulated_machine.add(parser)
    parser.add_argument(
        "--stride",
        metavar="SIZE",
        type=quantity(units.size),
        help="bytes from one element of a message to the next; with --profile",
    )
    parser.add_argument(
        "--collective", metavar="NAME", help="generate this instead, e.g. bcast or alltoall"
    )
    parser.add_argument(
        "--algorithm", metavar="NAME", help="algorithm of the collective (default: the plainest)"
    )
    parser.add_argument(
        "--ranks", metavar="N", type=quantity(units.ranks), help="number of ranks of the collective"
    )
    parser.add_argument(
        "--size",
        metavar="SIZE",
        type=_size,
        help="bytes: the whole message of a bcast, reduce or allreduce, from each rank to each of "
        "an alltoall, a message of a barrier, the block of a rank of others (default: 1)",
    )
    parser.add_argument(
        "--segment",
        metavar="SIZE",
        type=quantity(units.size),
        help="bytes of a segment, for algorithms with segments (default: 8KB)",
    )
    parser.add_argument(
        "--window",
        metavar="N",
        type=quantity(units.ranks),
        help="messages in flight each way, for the staggered alltoall (default: 32)",
    )
    parser.add_argument(
        "--group",
        metavar="N",
        type=quantity(units.ranks),
        help="ranks of a group, for the grouped bcast (default: 8)",
    )
    parser.add_argument(
        "--radix",
        metavar="N",
        type=quantity(units.ranks),
        help="k of k-nomial trees and of Bruck's algorithm with several ports (k-bruck); number "
        "of chains (default: 4)",
    )
    parser.add_argument(
        "--sizes",
        metavar="SIZE,...",
        type=lambda text: [_size(word) for word in text.split(",")],
        help="gatherv and scatterv: the bytes of each rank",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write the time line to this file, for ui.perfetto.dev",
    )
    parser.add_argument("--write", metavar="FILE", help="write the schedule to this file, as GOAL")
    add_result(parser, "the result")


def execute(arguments: argparse.Namespace) -> int:
    """Read or generate, run_schedule, keep, print."""
    from ...prediction.schedules import goal_of, result_of, run_schedule

    require_result_free(arguments)
    require_free(arguments.trace, arguments.force, "--trace")
    require_free(arguments.write, arguments.force, "--write")
    machine = simulated_machine.read(arguments, "stride")
    with waiting("simulating"), simulated_machine.interruptible():
        schedule = _schedule(arguments)
        goal = goal_of(schedule) if arguments.write is not None else ""
        result = run_schedule(
            schedule,
            **machine,
            stride=arguments.stride,
            trace=arguments.trace is not None,
        )
    if arguments.trace is not None:
        assert result.trace is not None
        write_trace(arguments, result.trace)
    if arguments.write is not None:
        write_whole(arguments.write, goal, arguments.force)
    from ...tables.simulate import simulate_table

    show_result(arguments, result_of(result), lambda: [simulate_table(result, arguments.trace)])
    return 0


_OF_A_COLLECTIVE = ("algorithm", "ranks", "size", "segment", "window", "group", "radix", "sizes")


def _schedule(arguments: argparse.Namespace) -> "Schedule":
    from ...prediction.schedules import generate, read

    said = {name: getattr(arguments, name) for name in _OF_A_COLLECTIVE}
    said = {name: value for name, value in said.items() if value is not None}
    if (arguments.schedule is None) == (arguments.collective is None):
        raise LapwingError(
            "give a schedule.goal or a --collective, one of the two; see lapwing simulate --help"
        )
    if arguments.collective is not None:
        if "ranks" not in said:
            raise LapwingError("missing: --ranks; see lapwing simulate --help")
        return generate(arguments.collective, **said)
    for name in said:
        raise LapwingError(f"--{name}: belongs to --collective; see lapwing simulate --help")
    return read(arguments.schedule)
