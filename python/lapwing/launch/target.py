"""Targets, where programs run: `mpi[:N]`, `sim:CLUSTER[:N]` or `net:RATE[:N]`."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import LapwingError, did_you_mean

# Testbeds are imported only if the target is one, so that real runs start sooner.
if TYPE_CHECKING:
    from ..testbed.cluster import Cluster

_USAGE = "mpi[:N], sim:CLUSTER[:N] or net:RATE[:N]"
_MOST_RANKS = 1_000_000


@dataclass(frozen=True)
class Target:
    """A place to run.

    text: as on the command line.  kind: "mpi", "sim" or "net".  ranks: number of processes.
    cluster: the simulated cluster (sim only).  rate: bits per second of each link (net only).
    ppn: ranks on each node; None, as many as the launcher likes, but one in simulation.
    """

    text: str
    kind: str
    ranks: int
    cluster: "Cluster | None" = None
    rate: int | None = None
    ppn: int | None = None

    @property
    def cluster_digest(self) -> str | None:
        """The digest of the simulated cluster's description; None for a real network."""
        return None if self.cluster is None else self.cluster.digest


def parse(text: str, ppn: int | None = None) -> Target:
    """The target that `text` names, with two ranks unless it says how many.

    ppn: ranks on each node, all nodes filled; None, as the launcher likes. Raises LapwingError.
    """
    target = _parse(text, ppn or 1)
    if ppn is None:
        return target
    if target.ranks % ppn != 0:
        raise LapwingError(
            f'target "{text}" with --ppn {ppn}: {target.ranks} ranks do not fill nodes of {ppn}; '
            f"give a multiple of {ppn}"
        )
    if target.kind == "net":
        raise LapwingError(
            f'target "{text}" with --ppn {ppn}: net: has one rank to a node, for MPI would join '
            "ranks that share this machine's memory past the link; use sim:CLUSTER or mpi"
        )
    if target.cluster is not None and target.cluster.topology != "flat" and ppn > 1:
        shape = target.cluster.topology.partition(":")[0].replace("-", " ")
        raise LapwingError(
            f'target "{text}" with --ppn {ppn}: on a simulated {shape} one rank runs on each '
            "host; use a cluster behind one switch"
        )
    return replace(target, ppn=ppn)


def resized(target: Target, ranks: int) -> Target:
    """The same target with another number of ranks."""
    name = target.text
    if name.rpartition(":")[2] == str(target.ranks) and ":" in name:
        name = name.rpartition(":")[0]
    return parse(f"{name}:{ranks}", target.ppn)


def _parse(text: str, ppn: int) -> Target:
    kind, colon, rest = text.partition(":")
    if kind == "mpi":
        return Target(text, kind, _ranks(text, rest, _MOST_RANKS) if colon else 2)
    if kind == "sim":
        name, ranks = _split(text, rest)
        if not name:
            raise LapwingError(f'target "{text}": name a cluster: sim:CLUSTER[:N]')
        from ..testbed.cluster import load_cluster

        cluster = load_cluster(name)
        if ranks > cluster.hosts * ppn:
            each = "one rank runs on each" if ppn == 1 else f"{ppn} ranks run on each"
            raise LapwingError(
                f'target "{text}": {ranks} ranks, but cluster {cluster.name} '
                f"has {cluster.hosts} hosts: {each}"
            )
        return Target(text, kind, ranks, cluster=cluster)
    if kind == "net":
        from ..testbed.namespace import MOST_RANKS, parse_rate

        name, ranks = _split(text, rest)
        rate = parse_rate(name)
        if ranks > MOST_RANKS:
            raise LapwingError(
                f'target "{text}": {ranks} ranks, but net: has room for {MOST_RANKS} on one machine'
            )
        return Target(text, kind, ranks, rate=rate)
    raise LapwingError(
        f'unknown target "{text}"{did_you_mean(kind, ["mpi", "sim", "net"])}: it is {_USAGE}'
    )


def _split(text: str, rest: str) -> tuple[str, int]:
    """The two parts of `NAME[:N]`; a name with a colon in it must end in .toml."""
    name, colon, count = rest.rpartition(":")
    if not colon or rest.endswith(".toml"):
        return rest, 2
    return name, _ranks(text, count, _MOST_RANKS)


def _ranks(text: str, count: str, most: int) -> int:
    # At most ten digits, because Python refuses to convert thousands of them.
    if not (count.isascii() and count.isdigit() and int(count[:10]) > 0):
        raise LapwingError(f'target "{text}": the number of ranks must be a whole number from 1')
    if len(count) > 10 or int(count) > most:
        raise LapwingError(f'target "{text}": {count[:20]} ranks is absurd; at most {most}')
    return int(count)
