"""The measurements and facts that the rules judge by."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .row import JUDGED_FROM, Row


@dataclass(frozen=True)
class Case:
    """The measurements and facts that the rules judge by.

    rows: measurements of overlap.  both_ways: measurements of messages both ways at once.  places:
    hosts and processors of the ranks, empty in simulation.  environment: settings of the MPI.
    mpi: "openmpi", "mpich" or "".  version: of the MPI, as "5.0.11", or "".  rate: of the link,
    bits per second; None if unknown.  dropped: share of the samples that were dropped.  realtime:
    whether ranks run at real-time priority.
    """

    rows: list[Row]
    both_ways: list[Row] = field(default_factory=list)
    places: list[dict[str, Any]] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    mpi: str = ""
    version: str = ""
    rate: float | None = None
    dropped: float = 0.0
    realtime: bool = False

    @staticmethod
    def of(measured: dict[str, Any], rate: float | None = None) -> "Case":
        """The case of a document of `measure_overlap`. rate: of the link, if the target says so."""
        machine = measured["machine"]
        library = machine.get("mpi", "")
        number = re.search(r"[0-9]+(\.[0-9]+)+", library)
        families = [("Open MPI", "openmpi"), ("MPICH", "mpich")]
        settings = (entry.partition("=") for entry in machine.get("environment", "").split())
        return Case(
            rows=measured["measurements"],
            both_ways=measured.get("both_ways", []),
            places=measured["places"],
            environment={name: value for name, _, value in settings},
            mpi=next((family for word, family in families if library.startswith(word)), ""),
            version=number[0] if number else "",
            rate=rate,
            dropped=measured["dropped"] / max(1, measured["samples"]),
            realtime=rate is not None,
        )

    @property
    def judged(self) -> list[Row]:
        """The measurements that the verdict is about."""
        return [
            row
            for row in self.rows
            if row["transport"] == "two-sided" and row["size"] >= JUDGED_FROM
        ]

    @property
    def one_host(self) -> bool:
        """Whether the two ranks share a host and its network, so that bytes need no wire."""
        if len(self.places) < 2:
            return False
        first, second = self.places[:2]
        return all(first[name] == second[name] for name in ("host", "network"))

    @property
    def spare_processors(self) -> bool:
        """Whether there is a free processor for a second thread of each rank."""
        return bool(self.places) and all(
            len(used) >= 2 * ranks for ranks, used in hosts(self.places).values()
        )


def hosts(places: Iterable[dict[str, Any]]) -> dict[str, tuple[int, set[int]]]:
    """For each host: its number of ranks, and the processors that they may use together."""
    listed = list(places)
    ranks = Counter(place["host"] for place in listed)
    return {
        host: (
            count,
            {number for place in listed if place["host"] == host for number in place["processors"]},
        )
        for host, count in ranks.items()
    }


def same_machine(case: Case) -> bool:
    """Whether the two ranks share a host, whatever its network."""
    return len(case.places) >= 2 and case.places[0]["host"] == case.places[1]["host"]


def known_speeds(case: Case) -> dict[str, float]:
    """The speeds of rank 0's interfaces, bits per second, as far as they are known."""
    interfaces = case.places[0]["interfaces"] if case.places else []
    return {i["name"]: i["bits_per_second"] for i in interfaces if i["bits_per_second"]}
