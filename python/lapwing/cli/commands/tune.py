"""Choose the algorithms of an MPI's collectives, and write its file of rules.

A rule needs an algorithm that is faster than the MPI's own choice: as predicted, or with
measurements (--measured) beyond the uncertainty. Everywhere else the MPI goes on to choose."""

import argparse
import json
import os
from typing import Any

from ... import load_profile, units
from ...errors import LapwingError, needed
from ...launch.installed_mpi import CALLED
from ...tuning.cases import OWN_CHOICE
from ...tuning.decisions.formats import (
    OPENMPI_FORMATS,
    chosen_format,
    require_here,
    settings,
    write,
)
from ...tuning.decisions.library import Library, parse_library
from .. import options
from ..output import (
    dump,
    print_document,
    print_tables,
    progress,
    require_free,
    waiting,
    write_whole,
)
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing tune machine.json --mpi openmpi -o rules.conf
  lapwing tune machine.json --mpi openmpi-6.0 -o rules.json
  lapwing tune machine.json --mpi openmpi-5.0 --format 2 -o rules.conf
  lapwing tune machine.json --mpi mpich-5.0 -o selection.json
  lapwing tune machine.json --mpi intel-2021 -o adjust.sh
  lapwing tune machine.json --mpi mpich --ranks 2:4096 --op bcast,alltoall -o selection.json
  lapwing tune machine.json --mpi openmpi --ppn 4 --size 8:256KB -o rules.conf
  lapwing tune machine.json --mpi openmpi -o rules.conf --verify --on mpi:8
  lapwing tune fitted.json --measured measured.json --mpi openmpi-5.0 -o rules.conf
  lapwing tune fitted.json --measured measured.json --mpi openmpi-5.0 --suggest 10
  mpirun --mca coll_tuned_use_dynamic_rules 1 \\
         --mca coll_tuned_dynamic_rules_filename $PWD/rules.conf program
  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/selection.json mpiexec program"""

_RANKS = "2:256"
_SIZES = "1:1MB"


def add(parser: Parser) -> None:
    """The options of `tune`."""
    options.add_profile(parser)
    parser.add_argument(
        "--mpi",
        dest="library",
        metavar="LIBRARY",
        type=quantity(parse_library),
        required=True,
        help="the MPI that reads the file: openmpi, mpich or intel, of the installed version, or "
        "e.g. openmpi-5.0, mpich-4.2 or intel-2021",
    )
    parser.add_argument(
        "--format",
        metavar="N",
        type=quantity(units.count),
        choices=OPENMPI_FORMATS,
        help="version of Open MPI's rules: 1, 2 (from 4.1.8 and 5.0.7 on), 3 (JSON, from 6.0 on) "
        "(default: the latest that the library reads)",
    )
    options.add_output(parser, "the rules")
    parser.add_argument(
        "--measured",
        metavar="MEASUREMENTS",
        nargs="+",
        default=[],
        help="documents of `lapwing import` with measured collectives: an algorithm must then "
        "beat the MPI's own choice beyond the uncertainty",
    )
    parser.add_argument(
        "--suggest",
        metavar="N",
        type=quantity(units.count),
        help="list N collectives that are worth measuring next",
    )
    parser.add_argument(
        "--ranks",
        metavar="LIST",
        type=quantity(units.rank_counts),
        default=units.rank_counts(_RANKS),
        help=f"numbers of ranks to choose for, lo:hi doubling or a list (default: {_RANKS}); "
        "a choice holds until the next number, the last one's until twice it",
    )
    parser.add_argument(
        "--size",
        metavar="RANGE",
        type=quantity(units.sizes),
        default=units.sizes(_SIZES),
        help=f"sizes to predict, lo:hi doubling or a list (default: {_SIZES})",
    )
    parser.add_argument(
        "--op",
        metavar="LIST",
        type=lambda text: text.split(","),
        help="collectives to choose for, e.g. bcast,alltoall (default: all with a choice)",
    )
    parser.add_argument(
        "--commutative",
        action="store_true",
        help="all operators of reductions commute; otherwise Open MPI gets only rules that are "
        "right for any operator",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="time the rules on a target (--on), with and without, and drop those that are slower",
    )
    parser.add_argument("--on", metavar="TARGET", help="where to verify: mpi[:N] or net:RATE[:N]")
    parser.add_argument(
        "--ppn",
        metavar="N",
        type=quantity(units.count),
        help="ranks on each node (default: 1; with --verify, the launcher's)",
    )
    options.add_json(parser, "the choices")
    parser.add_argument(
        "--launch",
        nargs=argparse.REMAINDER,
        default=[],
        metavar="...",
        help="pass everything that follows to the launcher",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Predict, choose, verify where asked to, keep, print."""
    from ...tuning.tune import require_tunable, tunable, tune

    library: Library = arguments.library
    output = arguments.output
    if output is None and not arguments.json and arguments.suggest is None:
        raise LapwingError("missing: -o FILE, --suggest N or --json; see lapwing tune --help")
    if arguments.verify != (arguments.on is not None):
        raise LapwingError("--verify and --on TARGET go together; see lapwing tune --help")
    arguments.format = chosen_format(library, arguments.format)
    if arguments.verify:
        require_here(library, arguments.format)
    require_free(output, arguments.force)
    profile = load_profile(arguments.machine)
    operations = arguments.op or tunable(library)
    require_tunable(library, operations)
    measured = _measured(arguments, profile, operations)
    with progress(f"tuning {library}") as tell:
        try:
            choices = tune(
                profile,
                library,
                operations=operations,
                ranks=arguments.ranks,
                sizes=arguments.size,
                ppn=arguments.ppn or 1,
                commutative=arguments.commutative,
                measured=measured if arguments.measured else None,
                on_done=(lambda done, of: tell(done / of, "")) if tell else None,
            )
        except ValueError as error:
            raise LapwingError(f"{arguments.machine}: {error}") from None
    verified = _verify(arguments, choices) if arguments.verify else []
    if verified:
        from ...tuning.verify import without_losers

        choices = without_losers(choices, verified)
    if output is not None:
        write_whole(output, _content(choices, arguments), arguments.force)
    document = _document(choices, verified, arguments)
    if measured is not None:
        document |= _evidence(measured, arguments, operations)
    if arguments.json:
        print_document(dump(document))
    else:
        from ...tables.tune import tune_tables

        print_tables(*tune_tables(document))
    return 0


def _measured(arguments: argparse.Namespace, profile: Any, operations: list[str]) -> Any:
    """What is known by measurements; None if nobody asks for that."""
    if not arguments.measured and arguments.suggest is None:
        return None
    needed("scipy", "--measured" if arguments.measured else "--suggest", "fit")
    from ...measurements.document import load_measurements
    from ...measurements.together import together
    from ...tuning.measured import Measured

    measurements = together([load_measurements(path) for path in arguments.measured])
    with waiting(f"learning from {len(measurements.cells)} times"):
        try:
            return Measured(profile, arguments.library, measurements, operations)
        except ValueError as error:
            raise LapwingError(f"{arguments.machine}: {error}") from None


def _evidence(
    measured: Any, arguments: argparse.Namespace, operations: list[str]
) -> dict[str, Any]:
    """What was measured, and what should be."""
    from ...tuning.tune import candidates

    names = {
        name: candidates(arguments.library, name, arguments.commutative) for name in operations
    }
    ppn = arguments.ppn or 1
    suggested = measured.suggested(
        names, arguments.ranks, arguments.size, ppn, arguments.suggest or 0
    )
    return {
        "measured": {"times": measured.count, "notes": measured.notes}
        if arguments.measured
        else None,
        "suggested": [
            {
                "operation": case.place.operation,
                "algorithm": None if case.label == OWN_CHOICE else case.label,
                "ranks": case.place.ranks,
                "ppn": case.place.ranks_per_node,
                "size": case.place.size,
            }
            for case in suggested
        ],
    }


def _content(choices: list[Any], arguments: argparse.Namespace) -> str:
    from ...tuning.choices import decisions

    table = decisions(choices, arguments.ppn)
    return write(table, arguments.library, _header(arguments), arguments.format)


def _header(arguments: argparse.Namespace) -> str:
    machine = json.loads(load_profile(arguments.machine).to_json())["machine"]
    said = machine.get("name") or machine.get("hosts") or arguments.machine
    printable = "".join(c if c.isprintable() else "?" for c in said)
    return f"Collectives of {arguments.library}, by lapwing tune, for {printable}"


def _verify(arguments: argparse.Namespace, choices: list[Any]) -> list[Any]:
    """Time the choices on the target, with a file of their own."""
    from ...launch import Launch, parse
    from ...launch.scratch import scratch
    from ...tuning.verify import verify

    family = arguments.library.family
    launch = Launch(parse(arguments.on, arguments.ppn), family, arguments.launch)
    with scratch() as folder, progress(f"verifying on {arguments.on}") as tell:
        path = os.path.join(folder, "rules")
        write_whole(path, _content(choices, arguments), force=True)
        return verify(
            launch,
            family,
            choices,
            lambda ranks: settings(arguments.library, path, ranks),
            on_done=(lambda done, of: tell(done / of, "")) if tell else None,
        )


def _document(
    choices: list[Any], verified: list[Any], arguments: argparse.Namespace
) -> dict[str, Any]:
    def seconds(times: tuple[float, ...] | None) -> list[dict[str, float]] | None:
        return None if times is None else [{"seconds": time} for time in times]

    return {
        "lapwing": "tune",
        "for": arguments.library.family,
        "library": {
            "name": CALLED[arguments.library.family],
            "version": ".".join(str(number) for number in arguments.library.version),
        },
        "format": arguments.format,
        "file": arguments.output,
        "ppn": arguments.ppn or 1,
        "measured": None,
        "suggested": [],
        "rules": [
            {
                "operation": choice.operation,
                "ranks": choice.ranks,
                "from": rule.size,
                "algorithm": rule.algorithm,
                "sizes": list(rule.sizes),
                "predicted": seconds(rule.seconds),
                "default": seconds(rule.default),
                "default_algorithms": list(rule.default_algorithms),
                "gain": rule.gain,
            }
            for choice in choices
            for rule in choice.rules
        ],
        "verified": [
            {
                "operation": entry.choice.operation,
                "ranks": entry.choice.ranks,
                "size": entry.size,
                "algorithm": entry.rule.algorithm,
                "tuned": {"seconds": entry.tuned},
                "default": {"seconds": entry.default},
                "error": entry.error,
            }
            for entry in verified
        ],
    }
