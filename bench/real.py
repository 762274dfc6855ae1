#!/usr/bin/env python3
"""How well collectives of real machines are predicted, by Lapwing and by simpler models.

    build/venv/bin/python bench/real.py --data DIR
    build/venv/bin/python bench/real.py --data DIR --only fit baselines --system lumi
    build/venv/bin/python bench/real.py --data DIR --only latency --matching software

DIR holds `collectives.csv`, a table that `lapwing import` reads, and logs of OSU micro-benchmarks.
Nothing is timed here: the same on every machine. Errors are |predicted / measured - 1|; columns
are the median and the 90th percentile.

- fit: measurements on at most `--most-nodes` nodes are fitted, and those on more are predicted;
- baselines: the same by printed formulas, Hockney's model and a regression;
- latency: collectives are predicted from `osu/craype/SYSTEM`, messages between two ranks, alone;
- clouds: the same of the allreduces in `osu/cloud`.
"""

import argparse
import sys
from pathlib import Path

from real import baselines, clouds, fit, latency
from real.extrapolation import Extrapolation, measured_systems

from lapwing import LapwingError

SECTIONS = {
    "fit": "Fitted on few nodes, predicted on more",
    "baselines": "Baselines: the same measurements, the same cells",
    "latency": "From messages between two ranks alone",
    "clouds": "Clouds: from latency and bandwidth alone",
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with collectives.csv")
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), help="these sections")
    parser.add_argument("--most-nodes", type=int, default=8, help="of the fit (default: 8)")
    parser.add_argument("--system", nargs="+", help="only these of collectives.csv")
    parser.add_argument(
        "--matching",
        choices=latency.MATCHING,
        default=latency.MATCHING[0],
        help="how the network matched tags in the OSU logs (default: hybrid)",
    )
    try:
        report(parser.parse_args())
    except LapwingError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return error.exit_status
    return 0


def report(arguments: argparse.Namespace) -> None:
    """Print the sections that were asked for."""
    systems = measured_systems(arguments.data)
    if unknown := set(arguments.system or systems) - systems.keys():
        raise LapwingError(f"no {', '.join(sorted(unknown))} among {', '.join(systems)}")
    systems = {name: systems[name] for name in arguments.system or systems}
    tried = [Extrapolation(*each, arguments.most_nodes) for each in systems.items()]
    for section in arguments.only or SECTIONS:
        print(f"== {SECTIONS[section]}")
        if section == "fit":
            fit.report(tried)
        elif section == "baselines":
            baselines.report(tried)
        elif section == "latency":
            latency.report(arguments.data, systems, arguments.matching)
        else:
            clouds.report(arguments.data, arguments.matching)


if __name__ == "__main__":
    sys.exit(main())
