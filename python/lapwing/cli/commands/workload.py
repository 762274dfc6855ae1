"""Time a workload blocking and as planned. Print how much the plan hides.

Exit status 1: the plan was slower than blocking."""

import argparse
from typing import TYPE_CHECKING, Any

from ... import load_profile, units
from ...launch import parse
from ...planning.transports import TRANSPORTS
from .. import options
from ..output import progress, require_free
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result, write_trace

if TYPE_CHECKING:
    from rich.console import RenderableType

EXAMPLES = """\
  lapwing run stream --on sim:ib4x machine.json --volume 1MB --ratio 1
  lapwing run alltoall --on sim:ib4x:16 machine.json --volume 1MB --ratio 1 --plan plan.json
  lapwing run halo --on mpi:4 machine.json --volume 1MB --compute 4ms --json"""


def add(parser: Parser) -> None:
    """The options of `run stream`, `run multi` and so on."""
    options.add_profile(parser)
    options.add_volume(parser)
    add_common(parser)


def add_common(parser: Parser) -> None:
    """Add the options of `run` and `sweep` except the pattern and the volume."""
    options.add_sides(parser)
    parser.add_argument(
        "--unbalanced",
        action="store_true",
        help="no barrier between runs, so that ranks may drift apart",
    )
    parser.add_argument(
        "--transport",
        choices=TRANSPORTS,
        default="any",
        help="transport of all messages (default: any; the plan then chooses its own, all other "
        "runs are two-sided)",
    )
    options.add_computation(parser)
    options.add_layout(parser)
    parser.add_argument(
        "--plan", metavar="FILE", help="run this plan of lapwing plan --json instead of a new one"
    )
    options.add_repeat(parser)
    options.add_trace(parser)
    add_result(parser, "the result")
    options.add_target(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Run, keep, print; 1 where the plan did not pay."""
    from ...results.sentences import pays

    pattern = arguments.program.rpartition(" ")[2]
    title = f"{pattern} on {arguments.on}"
    (result,) = run_workloads(arguments, title, pattern, [arguments.volume], plan_only=True)
    return 0 if pays(result) else 1


def run_workloads(
    arguments: argparse.Namespace,
    title: str,
    pattern: Any,
    volumes: list[int],
    *,
    smallest: int | None = None,
    schedules: str | None = None,
    plan_only: bool,
) -> list[dict[str, Any]]:
    """Run what the options of `sweep` or `run` ask for, keep and print the results, return them.

    title: of the progress bar.  smallest: bytes of the smallest of equal messages.  schedules: of
    these.  plan_only: only the blocking run and the plans.
    """
    from ...launch import Launch
    from ...measure.sweep import sweep
    from ...observing.traced import recorded

    require_result_free(arguments)
    require_free(arguments.trace, arguments.force, "--trace")
    target = parse(arguments.on, arguments.ppn)
    profile = load_profile(arguments.machine)
    given = options.read_text(arguments.plan) if arguments.plan is not None else None
    with (
        progress(title) as on_progress,
        recorded(
            Launch(target, arguments.mpi, arguments.launch, on_progress),
            arguments.trace is not None,
        ) as (launch, traced),
    ):
        found = sweep(
            profile,
            on=launch,
            volume=volumes[0] if len(volumes) == 1 else volumes,
            ratio=arguments.ratio,
            compute=arguments.compute,
            pattern=pattern,
            direction=arguments.direction,
            dependence=arguments.dependence,
            peers=arguments.peers,
            balanced=not arguments.unbalanced,
            **options.layout(arguments),
            transport=arguments.transport,
            smallest=smallest,
            schedules=schedules,
            repeat=arguments.repeat,
            given=given,
            plan_only=plan_only,
        )
        if traced is not None:
            write_trace(arguments, traced.text())
    results: list[dict[str, Any]] = found["sweeps"] if len(volumes) > 1 else [found]
    show_result(arguments, found, lambda: _tables(results, profile, target.text))
    return results


def _tables(results: list[dict[str, Any]], profile: Any, target: str) -> list["RenderableType"]:
    import json

    from ...tables.sweep import mismatch, sweep_tables, volumes_table

    machine = json.loads(profile.to_json())
    shown = sweep_tables(results[0]) if len(results) == 1 else [volumes_table(results)]
    return [*shown, *mismatch(machine, results[0], target)]


def add_volumes(parser: Parser) -> None:
    """Add the option of one or several volumes."""
    parser.add_argument(
        "--volume",
        metavar="SIZE|RANGE",
        type=quantity(units.sizes),
        required=True,
        help="bytes that each computing rank receives or sends: 1MB, or 2KB:8MB, which doubles",
    )
