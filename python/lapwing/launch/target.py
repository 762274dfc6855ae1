"""Where a program runs: `mpi[:N]`, `sim:CLUSTER[:N]` or `net:RATE[:N]`."""

from dataclasses import dataclass

from ..errors import LapwingError, did_you_mean
from ..testbed.cluster import Cluster, load_cluster
from ..testbed.namespace import MOST_RANKS, parse_rate

_USAGE = "mpi[:N], sim:CLUSTER[:N] or net:RATE[:N]"
_MOST_RANKS = 1_000_000


@dataclass(frozen=True)
class Target:
    """A place to run.

    text: as it was written.  kind: "mpi", "sim" or "net".  ranks: number of processes.
    cluster: what is simulated (sim only).  rate: bits per second of each link (net only).
    """

    text: str
    kind: str
    ranks: int
    cluster: Cluster | None = None
    rate: int | None = None


def parse(text: str) -> Target:
    """The target `text` names; two ranks where it does not say."""
    kind, colon, rest = text.partition(":")
    if kind == "mpi":
        return Target(text, kind, _ranks(text, rest, _MOST_RANKS) if colon else 2)
    if kind == "sim":
        name, ranks = _split(text, rest)
        if not name:
            raise LapwingError(f'target "{text}": name a cluster: sim:CLUSTER[:N]')
        cluster = load_cluster(name)
        if ranks > cluster.hosts:
            raise LapwingError(
                f'target "{text}": {ranks} ranks, but cluster {cluster.name} '
                f"has {cluster.hosts} hosts: one rank runs on each"
            )
        return Target(text, kind, ranks, cluster=cluster)
    if kind == "net":
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
    """`NAME[:N]`; the name may be a path with a colon in it, as long as it ends in .toml."""
    name, colon, count = rest.rpartition(":")
    if not colon or rest.endswith(".toml"):
        return rest, 2
    return name, _ranks(text, count, _MOST_RANKS)


def _ranks(text: str, count: str, most: int) -> int:
    # Ten digits at most: Python refuses to convert thousands of them.
    if not (count.isascii() and count.isdigit() and int(count[:10]) > 0):
        raise LapwingError(f'target "{text}": the number of ranks must be a whole number from 1')
    if len(count) > 10 or int(count) > most:
        raise LapwingError(f'target "{text}": {count[:20]} ranks is absurd; at most {most}')
    return int(count)
