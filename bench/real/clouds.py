"""The allreduce of Open MPI in a cloud, predicted from latency and bandwidth alone.

The tables of the study (converged-computing/performance-study) have a row for each size, cloud,
environment and number of nodes. They say neither how many ranks a node had nor which library it
was: its job scripts do. No table has messages within a node: logs of another machine stand in,
those of `osu/craype/lumi`, whose processors (AMD Zen 3) are of the same kind.
"""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lapwing import LapwingError, Profile, import_logs
from lapwing.fitting.model import predicted
from lapwing.fitting.points import Point

from .latency import MEMORY_BANDWIDTH
from .predictions import chosen_by, factors, measured

RANKS_PER_NODE = {"google": 56, "aws": 96, "azure": 96}
# Bytes a second of a node, which has two processors of the kind of which LUMI's has one.
_MEMORY_BANDWIDTH = 2 * MEMORY_BANDWIDTH["lumi"]
_LIBRARY = "openmpi"
_TABLES = {"osu_latency.csv": "latency", "osu_bw.csv": "bw"}
_COLLECTIVES = "osu_allreduce.csv"
_WITHIN = Path("osu", "craype", "lumi")
_ENDLESS = 1 << 62
# Bytes from and to. On so many ranks Open MPI changes its algorithm about there.
_SIZES = {
    "all": (0, _ENDLESS),
    "below 2 KB": (0, 2048),
    "to 16 KB": (2048, 16384),
    "longer": (16384, _ENDLESS),
}


class Job(NamedTuple):
    """Where collectives were measured: the columns of a table, as they stand there."""

    cloud: str
    environment: str
    nodes: str

    @property
    def ranks(self) -> int:
        """Ranks on all nodes."""
        return int(self.nodes) * RANKS_PER_NODE[self.cloud]


def report(data: Path, matching: str) -> None:
    """Print by which factor predictions are off, for each job and some sizes.

    matching: of tags, in the logs within a node.
    """
    folder = data / "osu" / "cloud"
    missing = [name for name in (*_TABLES, _COLLECTIVES) if not (folder / name).is_file()]
    if missing:
        print(f"left out: no {missing[0]} in {folder}")
        return
    print("ratio: predicted / measured; factor: that or its inverse, the greater; medians")
    print(
        f"{'cloud':24}{'nodes':>6}{'ranks':>7}  {'bytes':12}{'cells':>5}{'factor':>8}{'ratio':>8}"
    )
    for job in jobs(folder / _COLLECTIVES):
        if job.cloud not in RANKS_PER_NODE:
            print(f"{job.cloud} {job.environment}: left out, its ranks on a node are unknown")
            continue
        points = allreduces(folder / _COLLECTIVES, job)
        seconds = predicted(imported_profile(data, job, matching), points, model="auto")
        head = f"{f'{job.cloud} {job.environment}':24}{job.nodes:>6}{job.ranks:7}"
        for words, (low, high) in _SIZES.items():
            places = [i for i, point in enumerate(points) if low <= point.size < high]
            if places:
                some = [points[place] for place in places]
                factor = np.median(factors(seconds[places], some))
                ratio = np.median(seconds[places] / measured(some))
                print(f"{head}  {words:12}{len(some):5}{factor:8.2f}{ratio:8.2f}")
                head = " " * len(head)


def jobs(table: Path) -> list[Job]:
    """The jobs of a table, each once. Raises LapwingError if it lacks a column."""
    return list(dict.fromkeys(_rows(table)))


def _rows(table: Path) -> Iterator[Job]:
    with table.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if any(not row.get(column) for column in Job._fields):
                raise LapwingError(f"{table}: needs the columns {', '.join(Job._fields)}")
            yield Job(*(row[column] for column in Job._fields))


def allreduces(table: Path, job: Job) -> Sequence[Point]:
    """The measured allreduces of a job."""
    cells = import_logs(
        [table], value="allreduce", only=_of(job), ranks_per_node=RANKS_PER_NODE[job.cloud]
    ).measurements
    assert cells is not None
    return chosen_by(_LIBRARY, cells)


def imported_profile(data: Path, job: Job, matching: str) -> Profile:
    """What `lapwing import` makes of the latency and bandwidth between the job's nodes."""
    within = sorted((data / _WITHIN).glob(f"osu_*singlenode*{matching}*.txt"))
    if not within:
        raise LapwingError(f"{data / _WITHIN}: no osu_*singlenode*{matching}*.txt")
    tables = [data / "osu" / "cloud" / name for name in _TABLES]
    profile = import_logs(
        tables,
        within_node=within,
        value=_TABLES,
        only=_of(job),
        memory_bandwidth=_MEMORY_BANDWIDTH,
    ).profile
    assert profile is not None
    return profile


def _of(job: Job) -> dict[str, list[str]]:
    return {column: [value] for column, value in job._asdict().items()}
