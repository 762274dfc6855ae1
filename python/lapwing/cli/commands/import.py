"""Read what other tools measured: measurements of collectives from the logs that people have.

Whichever tool wrote a log is found out: give several, of any kind."""

import argparse

from ... import units
from ...errors import LapwingError
from .. import options
from ..output import dump, print_document, print_tables, require_free, write_whole
from ..parser import Parser, quantity

EXAMPLES = """\
  lapwing import collectives.csv -o measured.json
  lapwing import collectives.csv --only system=lumi -o lumi.json
  lapwing import osu_allreduce.csv --value allreduce --ranks-per-node 8 -o measured.json
  lapwing show measured.json

docs/import.md says what can be read, and what the options mean for each."""


def add(parser: Parser) -> None:
    """The options of `import`."""
    parser.add_argument("logs", metavar="LOG", nargs="+", help="tables with a header row (CSV)")
    parser.add_argument(
        "--nodes", metavar="N", type=quantity(units.ranks), help="nodes, where a log does not say"
    )
    parser.add_argument(
        "--ranks-per-node",
        metavar="N",
        type=quantity(units.ranks),
        help="ranks on each node, where a log does not say",
    )
    parser.add_argument(
        "--algorithm", metavar="NAME", help="that was forced, where a log does not say"
    )
    parser.add_argument("--system", metavar="NAME", help="the machine, where a log does not say")
    parser.add_argument("--mpi", metavar="NAME", help="the MPI, where a log does not say")
    parser.add_argument(
        "--names",
        metavar="PATTERN",
        help="what the names of the logs say: nodes, ranks, ranks_per_node, algorithm, system, "
        "mpi, run or value in braces, e.g. 'osu_*_n{ranks}_*'",
    )
    parser.add_argument(
        "--value",
        metavar="[LOG=]WHAT[:UNIT]",
        action="append",
        default=[],
        help="what the column value of a table holds: latency, bw, bibw, or a collective, as OSU "
        "prints it (us, MB/s)",
    )
    parser.add_argument(
        "--only",
        metavar="COLUMN=VALUE",
        action="append",
        default=[],
        help="rows of tables that count; may be given several times",
    )
    options.add_output(parser, "measurements")
    options.add_json(parser, "the measurements")


def execute(arguments: argparse.Namespace) -> int:
    """Read, write, say what there is."""
    if arguments.output is None and not arguments.json:
        raise LapwingError("missing: -o FILE, or --json; see lapwing import --help")
    require_free(arguments.output, arguments.force)
    from ...importing.import_logs import import_logs
    from ...measurements.document import measurements_document

    imported = import_logs(
        arguments.logs,
        nodes=arguments.nodes,
        ranks_per_node=arguments.ranks_per_node,
        algorithm=arguments.algorithm,
        system=arguments.system,
        mpi=arguments.mpi,
        value=_values(arguments.value),
        only=_only(arguments.only),
        names=arguments.names,
    )
    measurements = imported.measurements
    if measurements is None:
        raise LapwingError(f"{arguments.logs[0]}: holds no collectives")
    document = dump(measurements_document(measurements))
    if arguments.output is not None:
        write_whole(arguments.output, document, arguments.force)
    if arguments.json:
        print_document(document)
    else:
        from ...tables.measurements import summary_tables

        print_tables(
            *summary_tables(measurements), f"\nThe measurements are in {arguments.output}."
        )
    return 0


def _values(given: list[str]) -> str | dict[str, str] | None:
    """What `--value` says of all tables, or of some by their names."""
    plain = [each for each in given if "=" not in each]
    if len(plain) > 1 or (plain and len(given) > 1):
        raise LapwingError(f"--value {plain[-1]}: of which table? Write LOG={plain[-1]}")
    if plain:
        return plain[0]
    return dict(each.rsplit("=", 1) for each in given) or None


def _only(given: list[str]) -> dict[str, set[str]]:
    """The values of each column that count."""
    only: dict[str, set[str]] = {}
    for each in given:
        column, equals, value = each.partition("=")
        if not equals or not column:
            raise LapwingError(f"--only {each}: write COLUMN=VALUE, e.g. system=lumi")
        only.setdefault(column.lower(), set()).add(value)
    return only
