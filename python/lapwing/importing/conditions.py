"""What the user says of logs that do not say it themselves."""

from dataclasses import dataclass, field, replace

from .log import Log


@dataclass(frozen=True)
class Conditions:
    """How a log was measured, as far as the user says; None: not said.

    nodes, ranks_per_node: of the job.  algorithm: that the library was made to take.  system, mpi,
    run: names.  value: what the column `value` of a table holds, e.g. "latency:us".  only: rows of
    tables that count, by column.
    """

    nodes: int | None = None
    ranks_per_node: int | None = None
    ranks: int | None = None
    algorithm: str | None = None
    system: str | None = None
    mpi: str | None = None
    run: str | None = None
    value: str | None = None
    only: dict[str, set[str]] = field(default_factory=dict)

    def of_job(self, ranks: int) -> "Conditions":
        """The same for a log that says how many ranks the job had: nodes are alike."""
        if self.nodes is None or self.ranks_per_node is not None or ranks % self.nodes:
            return self
        return replace(self, ranks_per_node=ranks // self.nodes)


@dataclass(frozen=True)
class Place:
    """Where ranks were: on how many nodes, how many on each, and all; None: unknown."""

    nodes: int | None
    ranks_per_node: int | None
    ranks: int | None


def place_in(log: Log, line: int, said: Place, conditions: Conditions) -> Place:
    """Where the ranks of a measurement were: as its log says, else as the user does.

    Ranks fill one node after the other: if a benchmark takes some of the job's ranks only, these
    are on the first nodes. Raises LapwingError with the line if that cannot be.
    """
    try:
        return _place(said, conditions)
    except ValueError as error:
        raise log.refusal(line, str(error)) from None


def _place(said: Place, conditions: Conditions) -> Place:
    nodes = said.nodes or (conditions.nodes if said.ranks is None else None)
    ranks = said.ranks or (conditions.ranks if said.nodes is None else None)
    each = said.ranks_per_node
    if each is None and (said.nodes is None or said.ranks is None):
        each = conditions.ranks_per_node
    if ranks is not None and each is None and nodes is None:
        nodes = conditions.nodes
    if ranks is None:
        return Place(nodes, each, nodes * each if nodes and each else None)
    if nodes is not None and each is None:
        each = _divided(ranks, nodes, f"do not divide among {nodes} nodes")
    elif nodes is None and each is not None:
        each = min(each, ranks)
        nodes = _divided(ranks, each, f"are no whole number of nodes of {each} ranks each")
        most = conditions.nodes if said.ranks_per_node is None else None
        if most is not None and nodes > most:
            raise ValueError(f"{ranks} ranks, {each} a node, are on {nodes} nodes, not on {most}")
    elif nodes is not None and each is not None and nodes * each != ranks:
        raise ValueError(f"{ranks} ranks are not {nodes} nodes of {each} ranks each")
    return Place(nodes, each, ranks)


def _divided(ranks: int, by: int, otherwise: str) -> int:
    if ranks % by:
        raise ValueError(f"{ranks} ranks {otherwise}")
    return ranks // by
