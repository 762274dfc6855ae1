"""Make a profile from the logs of other tools, and a document of measured collectives.

Lapwing recognises the tool of each log: OSU, IMB, Netgauge's loggp, or a table. It needs no
network."""

import argparse
import json
from typing import TYPE_CHECKING

from ... import units
from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, require_free, write_whole
from ..parser import Parser, quantity

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...importing.import_logs import Imported

EXAMPLES = """\
  lapwing import osu_latency.txt osu_bw.txt osu_bibw.txt -o machine.json
  lapwing import latency-*.txt --within-node shm-latency-*.txt --nodes 2 -o machine.json
  lapwing import collectives.csv --only system=lumi -o measured.json
  lapwing import osu_*.txt --names 'osu_*_n{ranks}_*' --ranks-per-node 8 -o measured.json
  lapwing import IMB-MPI1.txt --nodes 4 -o machine.json --measurements measured.json
  lapwing import osu_bw.csv osu_latency.csv --value osu_bw.csv=bw --value latency -o machine.json

docs/import-reference.md lists the logs, and the formulas of the parameters."""


def add(parser: Parser) -> None:
    """The options of `import`."""
    parser.intermixed = True
    parser.add_argument(
        "logs",
        metavar="LOG",
        nargs="*",
        help="output of OSU, IMB or Netgauge, or a table with a header row (CSV)",
    )
    parser.add_argument(
        "--within-node",
        metavar="LOG",
        nargs="+",
        action="extend",
        default=[],
        help="logs of ranks on one node",
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=quantity(units.ranks),
        help="number of nodes, for logs that do not say it",
    )
    parser.add_argument(
        "--ranks-per-node",
        metavar="N",
        type=quantity(units.ranks),
        help="ranks on each node, for logs that do not say it",
    )
    parser.add_argument(
        "--ranks",
        metavar="N",
        type=quantity(units.ranks),
        help="number of ranks, for logs that do not say it",
    )
    parser.add_argument(
        "--algorithm", metavar="NAME", help="forced algorithm, for logs that do not say it"
    )
    parser.add_argument("--system", metavar="NAME", help="the machine, for logs that do not say it")
    parser.add_argument("--mpi", metavar="NAME", help="the MPI, for logs that do not say it")
    parser.add_argument(
        "--memory-bandwidth",
        metavar="RATE",
        type=quantity(units.rate),
        help="memory bandwidth of a node, as STREAM prints it, e.g. 350GB/s; its ranks share it",
    )
    parser.add_argument(
        "--names",
        metavar="PATTERN",
        help="meaning of the logs' names: nodes, ranks, ranks_per_node, algorithm, system, mpi, "
        "run or value in braces, e.g. 'osu_*_n{ranks}_*'",
    )
    parser.add_argument(
        "--value",
        metavar="[LOG=]WHAT[:UNIT]",
        action="append",
        default=[],
        help="meaning of the column value of a table: latency, bw, bibw, or a collective, as OSU "
        "prints it (us, MB/s)",
    )
    parser.add_argument(
        "--only",
        metavar="COLUMN=VALUE",
        action="append",
        default=[],
        help="rows of tables to use; repeatable",
    )
    options.add_output(parser, "the profile; if the logs hold none, for the measurements")
    parser.add_argument(
        "--measurements",
        metavar="FILE",
        help="file for the measurements of collectives, in addition to a profile",
    )
    options.add_json(parser, "what -o is for")


def execute(arguments: argparse.Namespace) -> int:
    """Read, write, say what there is."""
    if not arguments.logs and not arguments.within_node:
        raise LapwingError("missing: LOG; see lapwing import --help")
    if arguments.output is None and not arguments.json:
        raise LapwingError("missing: -o FILE, or --json; see lapwing import --help")
    require_free(arguments.output, arguments.force)
    require_free(arguments.measurements, arguments.force, "--measurements")
    if arguments.output is not None and arguments.output == arguments.measurements:
        raise LapwingError(f"--measurements {arguments.output}: is the file of -o; name another")
    from ...importing.import_logs import import_logs
    from ...tables.measurements import notes, summary_tables

    imported = import_logs(
        arguments.logs,
        within_node=arguments.within_node,
        nodes=arguments.nodes,
        ranks_per_node=arguments.ranks_per_node,
        ranks=arguments.ranks,
        algorithm=arguments.algorithm,
        system=arguments.system,
        mpi=arguments.mpi,
        value=_values(arguments.value),
        only=_only(arguments.only),
        names=arguments.names,
        memory_bandwidth=arguments.memory_bandwidth,
    )
    files = _files(arguments, imported)
    for path, _, content in files:
        if path is not None:
            write_whole(path, content, arguments.force)
    if arguments.json:
        print_document(files[0][2])
        return 0
    tables: list[RenderableType] = []
    if imported.profile is not None:
        from ...tables.profile.sections import profile_tables

        tables += [*profile_tables(json.loads(imported.profile.to_json())), ""]
    if imported.measurements is not None:
        tables += [*summary_tables(imported.measurements), ""]
    else:
        tables += notes(imported.notes)
    print_tables(*tables)
    for path, what, _ in files:
        print_tables(f"The {what} {'is' if what == 'profile' else 'are'} in {path}.")
    return 0


def _files(
    arguments: argparse.Namespace, imported: "Imported"
) -> list[tuple[str | None, str, str]]:
    """The files to write: their paths, what is in them, and their content. First that of -o."""
    from ...measurements.document import measurements_document

    files = []
    other: str | None = arguments.measurements
    if imported.profile is not None:
        files.append((arguments.output, "profile", imported.profile.to_json()))
    if imported.measurements is not None:
        path = other or (arguments.output if imported.profile is None else None)
        if path is None and imported.profile is not None:
            raise LapwingError(
                f"{_first_file(imported)}: holds collectives and messages between two ranks; "
                "give --measurements FILE for them"
            )
        files.append((path, "measurements", dump(measurements_document(imported.measurements))))
    elif other is not None:
        raise LapwingError(f"--measurements {other}: the logs hold no collectives")
    return files


def _first_file(imported: "Imported") -> str:
    assert imported.measurements is not None
    return imported.measurements.sources[0].file


def _values(given: list[str]) -> dict[str, str]:
    """What `--value` says of tables by their names, and of all others: "*"."""
    values: dict[str, str] = {}
    for each in given:
        log, _, what = each.rpartition("=")
        if (log or "*") in values:
            raise LapwingError(f"--value {each}: of which table? Write LOG={what}")
        values[log or "*"] = what
    return values


def _only(given: list[str]) -> dict[str, set[str]]:
    """The values of each column that count."""
    only: dict[str, set[str]] = {}
    for each in given:
        column, equals, value = each.partition("=")
        if not equals or not column:
            raise LapwingError(f"--only {each}: write COLUMN=VALUE, e.g. system=lumi")
        only.setdefault(column.lower(), set()).add(value)
    return only
