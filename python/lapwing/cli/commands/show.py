"""Print a profile: its essentials, one section, or the changes from another profile.

Also prints measured collectives."""

import argparse
import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ... import load_profile, machines, units
from ...errors import LapwingError
from ...results.kind import kind_of
from .. import options
from ..parser import Parser, quantity
from ..results import add_result, require_result_free, show_result

if TYPE_CHECKING:
    from rich.console import RenderableType

# A document, and what makes its tables for people.
Shown = tuple[dict[str, Any], Callable[[], Iterable["RenderableType"]]]

EXAMPLES = """\
  lapwing show machine.json
  lapwing show machine.json --section operations --section log3p
  lapwing show --latency --bandwidth machine.json      what IMB and OSU print
  lapwing show machine.json --diff yesterday.json      what changed
  lapwing show measured.json                           measurements, from `lapwing import`
  lapwing show ranger                                  a published machine
  lapwing show --list                                  which there are
  lapwing show machine.json --json | jq .overhead"""


def add(parser: Parser) -> None:
    """The options of `show`."""
    options.add_profile(parser, required=False)
    parser.add_argument("--list", action="store_true", help="list the published machines")
    parser.add_argument(
        "--section",
        metavar="NAME",
        action="append",
        default=[],
        help="all of one section, e.g. operations; repeatable",
    )
    parser.add_argument(
        "--latency", action="store_true", help="half round trips, as IMB and OSU print them"
    )
    parser.add_argument(
        "--bandwidth", action="store_true", help="bandwidth, as IMB and OSU print it"
    )
    parser.add_argument("--diff", metavar="OTHER", help="print the differences from this profile")
    parser.add_argument(
        "--threshold",
        metavar="X",
        type=quantity(units.ratio),
        help="with --diff: relative change that matters without a known error (default: 0.05)",
    )
    add_result(parser, "what is shown")


def execute(arguments: argparse.Namespace) -> int:
    """Read, check, print."""
    require_result_free(arguments)
    show_result(arguments, *_shown(arguments))
    return 0


def _shown(arguments: argparse.Namespace) -> Shown:
    """What is asked for."""
    if arguments.list:
        return _list()
    if arguments.machine is None:
        raise LapwingError("missing: machine.json; see lapwing show --help")
    if arguments.threshold is not None and arguments.diff is None:
        raise LapwingError("--threshold: belongs to --diff; see lapwing show --help")
    if kind_of(arguments.machine) == "measurements":
        return _measurements(arguments)
    profile: dict[str, Any] = json.loads(load_profile(arguments.machine).to_json())
    if arguments.diff is not None:
        return _diff(arguments, profile)
    if arguments.latency or arguments.bandwidth:
        return _benchmarks(arguments, profile)
    if arguments.section:
        return _sections(arguments, profile)
    from ...tables.profile.sections import profile_tables

    return profile, lambda: profile_tables(profile)


def _measurements(arguments: argparse.Namespace) -> Shown:
    from ...measurements.document import load_measurements, measurements_document
    from ...tables.measurements import measurement_tables

    if arguments.section or arguments.latency or arguments.bandwidth or arguments.diff:
        raise LapwingError(
            f"{arguments.machine}: holds measurements of collectives, and options are for profiles"
        )
    measurements = load_measurements(arguments.machine)
    return measurements_document(measurements), lambda: measurement_tables(measurements)


def _sections(arguments: argparse.Namespace, profile: dict[str, Any]) -> Shown:
    from ...errors import did_you_mean
    from ...tables.profile.sections import SECTIONS, section_tables

    for name in arguments.section:
        if name not in SECTIONS:
            near = did_you_mean(name, list(SECTIONS))
            raise LapwingError(
                f'--section: unknown section "{name}"{near}: it is one of {", ".join(SECTIONS)}'
            )
        if not profile.get(name):
            there = [known for known in SECTIONS if profile.get(known)]
            raise LapwingError(
                f"{arguments.machine}: {name} was not measured; "
                + (f"there are {', '.join(there)}" if there else "calibrate again")
            )
    document = {"lapwing": "sections", **{name: profile[name] for name in arguments.section}}
    return document, lambda: section_tables(profile, arguments.section)


def _benchmarks(arguments: argparse.Namespace, profile: dict[str, Any]) -> Shown:
    from ...profiles.benchmarks import benchmarks
    from ...tables.benchmarks import benchmark_tables

    found = benchmarks(profile)
    document: dict[str, Any] = {
        "lapwing": "benchmarks",
        "measured": found.measured,
        "sizes": found.sizes,
    }
    if arguments.latency:
        document["half_round_trip"] = found.half_round_trip
    if arguments.bandwidth:
        document["bandwidth"] = found.bandwidth
    return document, lambda: benchmark_tables(
        found, latency=arguments.latency, bandwidth=arguments.bandwidth
    )


def _diff(arguments: argparse.Namespace, profile: dict[str, Any]) -> Shown:
    from ...profiles.diff import THRESHOLD, diff
    from ...tables.diff import diff_tables

    other = json.loads(load_profile(arguments.diff).to_json())
    threshold = THRESHOLD if arguments.threshold is None else arguments.threshold
    document = diff(profile, other, threshold)
    return document, lambda: diff_tables(document)


def _list() -> Shown:
    from ...tables.machines import machine_table

    known = {name: json.loads(load_profile(name).to_json()) for name in machines.names()}
    return {"lapwing": "machines", "machines": list(known)}, lambda: [machine_table(known)]
