"""Simulated clusters and the TOML files that describe them."""

import hashlib
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

from ..errors import LapwingError, did_you_mean
from ..units.quantity import UNITS_HELP, Kind, quantity

# The compute kernels whose time a program may charge, with the rates of a present-day core, for
# files that name none: bytes of result per second, and floating-point operations for `fft`.
KERNELS: Mapping[str, float] = {"add": 4.0e9, "copy": 5.0e9, "bzip2": 15.0e6, "fft": 2.0e9}

_LARGEST_FILE = 1 << 20  # bytes; a description is a page, so a larger file is the wrong one
_SHIPPED = Path(__file__).parent / "clusters"


@dataclass(frozen=True)
class Overhead:
    """Processor time of one message of S bytes: `base + per_byte * S`.

    base: seconds.  per_byte: seconds per byte.
    """

    base: float
    per_byte: float = 0.0


@dataclass(frozen=True)
class Factor:
    """Factors on the network for messages larger than `size` bytes.

    size: bytes, including the simulator's envelope of 16: 1000 separates 985 bytes from 984.
    bandwidth, latency: factors on those of the cluster.
    """

    size: int
    bandwidth: float
    latency: float


@dataclass(frozen=True)
class Burst:
    """Send overhead while at least `outstanding` earlier operations are on their way."""

    outstanding: int
    overhead: Overhead


@dataclass(frozen=True)
class Routes:
    """Share of the bandwidth that the route of each pair of hosts has, by chance and for ever.

    near, far: slowest and fastest, between hosts of one half of the cluster and across its
        bisection.  seed: another one deals the shares out differently.
    """

    near: tuple[float, float] = (1.0, 1.0)
    far: tuple[float, float] = (1.0, 1.0)
    seed: int = 0


@dataclass(frozen=True)
class Interface:
    """What limits the network interface of a rank, beyond latency, bandwidth and overheads.

    An operation is a message, a put or a get; it is outstanding from its initiation until its data
    has arrived (one-sided: until the initiator knows).

    bursts: the send overhead by the number of operations outstanding, increasing; none, it is
        the same for all.
    queue_depth: operations that may be outstanding; 0, any number.
    full_queue: seconds that an initiation takes longer when the queue is full; None, it waits
        until there is room.
    outstanding_limit: bytes; a transfer that starts while more of them are outstanding, its own
        included, gets only the share `outstanding_bandwidth` of the bandwidth. 0: no limit.
    bus_bandwidth: bytes per second that both directions of an interface have together; 0: each has
        its own.
    registration: seconds for a window, and seconds for each of its pages of 4 KB.
    routes: how unequal the routes are; None, all are alike.
    """

    bursts: tuple[Burst, ...] = ()
    queue_depth: int = 0
    full_queue: float | None = None
    outstanding_limit: int = 0
    outstanding_bandwidth: float = 1.0
    bus_bandwidth: float = 0.0
    registration: tuple[float, float] = (0.0, 0.0)
    routes: Routes | None = None


@dataclass(frozen=True)
class Cluster:
    """A cluster to simulate.

    name, description: for people.
    hosts: number of hosts; one rank runs on each.
    latency: seconds, one way, end to end, without overheads; on a fat tree between the two hosts
        farthest apart (two hosts under one leaf switch have half of it).
    bandwidth: bytes per second of one NIC, each way.
    serialising: True, a NIC sends its messages one after another; False, the messages in flight
        share its bandwidth and finish together.
    send_overhead, receive_overhead: processor time per message, the `o_s` and `o_r` of LogGP.
    eager_limit: bytes; a smaller message starts moving when it is sent, any other when both sides
        have posted it.
    topology: "flat", every pair through one switch without contention, "fat-tree", two levels,
        "torus:5x3", hosts next to each other in each dimension, or "dragonfly:4x5x2", groups,
        switches in each and hosts at each switch.
    taper: fat tree only; 2 means 2:1, half as many links above a leaf switch as hosts below it.
    kernels: rate of each compute kernel of `KERNELS`, units per second.
    factors: by message size, increasing from 0; empty, the network is the same for all sizes.
    interface: its limits; by default it has none.
    """

    name: str
    description: str
    hosts: int
    latency: float
    bandwidth: float
    serialising: bool
    send_overhead: Overhead
    receive_overhead: Overhead
    eager_limit: int
    topology: str
    taper: int
    kernels: Mapping[str, float]
    factors: tuple[Factor, ...] = ()
    interface: Interface = Interface()

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that change with everything but the name and description."""
        said = {**asdict(self), "kernels": sorted(self.kernels.items())}
        del said["name"], said["description"]
        if not said["factors"]:  # profiles measured before factors existed keep their digest
            del said["factors"]
        if self.interface == Interface():  # nor do those from before interfaces had limits
            del said["interface"]
        return hashlib.sha256(repr(sorted(said.items())).encode()).hexdigest()[:16]

    @property
    def links_crossed(self) -> int:
        """Links between the two hosts farthest apart: 2 through a switch, 4 up and down a tree.

        In a torus hosts are linked with each other, half way round in each dimension; in a
        dragonfly there are three links between the switches of two hosts.
        """
        if self.topology.startswith("torus:"):
            return sum(length // 2 for length in self.lengths)
        return {"flat": 2, "fat-tree": 4}.get(self.topology, 5)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The numbers of a torus or a dragonfly, as its topology says them."""
        return _lengths(self.topology.partition(":")[2])

    @property
    def link_latency(self) -> float:
        """Seconds each link adds, so that the pair farthest apart sees `latency`.

        A flat switch is crossed in 2 links, a fat tree in 4 (5 us across makes 1.25 us a link and
        2.5 us within a leaf).
        """
        return self.latency / self.links_crossed

    @property
    def tree(self) -> tuple[int, int, int]:
        """Shape of the fat tree: hosts under a leaf switch, leaf switches, spine switches."""
        shape = _tree(self.hosts, self.taper)
        assert shape is not None, "a cluster is checked when it is read"
        return shape


def shipped_clusters() -> list[str]:
    """The names of the clusters that come with Lapwing."""
    return sorted(file.stem for file in _SHIPPED.glob("*.toml"))


def load_cluster(name: str) -> Cluster:
    """The cluster `name`: one that comes with Lapwing, or the path of a TOML file."""
    if name in shipped_clusters():
        return _read(_SHIPPED / f"{name}.toml")
    if name.endswith(".toml") or "/" in name:
        return _read(Path(name))
    known = shipped_clusters()
    raise LapwingError(
        f'unknown cluster "{_short(name)}"{did_you_mean(name, known)}: '
        f"it is one of {', '.join(known)}, or the path of a .toml file"
    )


def _read(path: Path) -> Cluster:
    try:
        if path.exists() and not path.is_file():
            raise LapwingError(f"{path}: not a file; a cluster is a TOML file")
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        raise LapwingError(f"{path}: cannot read the cluster: {reason}") from None
    if len(content) > _LARGEST_FILE:
        raise LapwingError(f"{path}: larger than 1 MB; a cluster is a short TOML file")
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LapwingError(f"{path}: not UTF-8 text at byte {error.start}") from None
    except ValueError as error:  # malformed, or a number with thousands of digits
        raise LapwingError(f"{path}: malformed TOML: {error}") from None
    except RecursionError:
        raise LapwingError(f"{path}: malformed TOML: nested too deeply") from None
    return _cluster(_Table(path, "", document))


def _cluster(top: "_Table") -> Cluster:
    top.only("name", "description", "hosts", "network", "interface", "kernels")
    network = top.table("network")
    network.only(
        "latency",
        "bandwidth",
        "serialising",
        "eager_limit",
        "topology",
        "taper",
        "send_overhead",
        "receive_overhead",
        "factors",
    )
    rates = top.table("kernels", default={})
    rates.only(*KERNELS)
    topology = network.text("topology", default="flat")
    if topology != "fat-tree" and "taper" in network.values:
        network.wrong("taper", 'only a fat tree tapers: add topology = "fat-tree", or drop it')
    hosts = top.integer("hosts", 2, 65_536)
    if topology not in ("flat", "fat-tree"):
        _check_shape(network, topology, hosts)
    taper = network.integer("taper", 1, 64, default=1)
    if topology == "fat-tree" and _tree(hosts, taper) is None:
        top.wrong(
            "hosts",
            f"{hosts} hosts make no two-level fat tree with a {taper}:1 taper: "
            f"the hosts under a leaf switch must divide by {taper}; try {_near(hosts, taper)}",
        )
    bandwidth = network.number("bandwidth", Kind.RATE, 1e3, 1e15)
    return Cluster(
        name=top.text("name"),
        description=top.text("description", default=""),
        hosts=hosts,
        latency=network.number("latency", Kind.TIME, 1e-9, 10.0),
        bandwidth=bandwidth,
        serialising=network.boolean("serialising"),
        send_overhead=_overhead(network.table("send_overhead")),
        receive_overhead=_overhead(network.table("receive_overhead")),
        # SMPI detaches sends of 1e9 bytes and more (see platform.py), so that eager must end below.
        eager_limit=int(network.number("eager_limit", Kind.SIZE, 0, 999_999_999, default=0.0)),
        topology=topology,
        taper=taper,
        kernels={
            kernel: rates.number(kernel, Kind.RATE, 1.0, 1e18, default=rate)
            for kernel, rate in KERNELS.items()
        },
        factors=_factors(network),
        interface=_interface(top.table("interface", default={}), bandwidth),
    )


def _interface(table: "_Table", bandwidth: float) -> Interface:
    """bandwidth: of one direction, which both together have at least."""
    table.only(
        "bursts",
        "queue_depth",
        "full_queue",
        "outstanding_limit",
        "outstanding_bandwidth",
        "bus_bandwidth",
        "registration",
        "routes",
    )
    for key, needed in (
        ("full_queue", "queue_depth"),
        ("outstanding_bandwidth", "outstanding_limit"),
        ("outstanding_limit", "outstanding_bandwidth"),
    ):
        if key in table.values and needed not in table.values:
            table.wrong(key, f"means nothing without {needed}")
    full_queue = None
    if "full_queue" in table.values:
        full_queue = table.number("full_queue", Kind.TIME, 0.0, 1.0)
    bus = 0.0
    if "bus_bandwidth" in table.values:
        bus = table.number("bus_bandwidth", Kind.RATE, 1e3, 1e15)
        if bus < bandwidth:
            table.wrong("bus_bandwidth", "less than the bandwidth of one direction")
    registration = table.table("registration", default={})
    registration.only("base", "per_page")
    queue_depth = limit = 0
    if "queue_depth" in table.values:
        queue_depth = table.integer("queue_depth", 1, 1_000_000)
    if "outstanding_limit" in table.values:
        limit = int(table.number("outstanding_limit", Kind.SIZE, 1, 1e15))
    return Interface(
        bursts=_bursts(table),
        queue_depth=queue_depth,
        full_queue=full_queue,
        outstanding_limit=limit,
        outstanding_bandwidth=table.share("outstanding_bandwidth", default=1.0),
        bus_bandwidth=bus,
        registration=(
            registration.number("base", Kind.TIME, 0.0, 1.0, default=0.0),
            registration.number("per_page", Kind.TIME, 0.0, 1.0, default=0.0),
        ),
        routes=_routes(table.table("routes")) if "routes" in table.values else None,
    )


def _bursts(interface: "_Table") -> tuple[Burst, ...]:
    bursts: list[Burst] = []
    for table in interface.tables("bursts"):
        table.only("outstanding", "base", "per_byte")
        outstanding = table.integer("outstanding", 1, 1_000_000)
        if bursts and outstanding <= bursts[-1].outstanding:
            table.wrong(
                "outstanding",
                f"{outstanding} is not above the one before it, {bursts[-1].outstanding}",
            )
        bursts.append(
            Burst(
                outstanding,
                Overhead(
                    base=table.number("base", Kind.TIME, 0.0, 1.0),
                    per_byte=table.number("per_byte", Kind.TIME, 0.0, 1e-3, default=0.0),
                ),
            )
        )
    return tuple(bursts)


def _routes(table: "_Table") -> Routes:
    table.only("near", "far", "seed")
    return Routes(
        near=table.range("near"),
        far=table.range("far"),
        seed=table.integer("seed", 0, 1 << 30, default=0),
    )


def _factors(network: "_Table") -> tuple[Factor, ...]:
    factors: list[Factor] = []
    for table in network.tables("factors"):
        table.only("size", "bandwidth", "latency")
        size = int(table.number("size", Kind.SIZE, 0, 1e12))
        if factors and size <= factors[-1].size:
            table.wrong("size", f"{size} is not above the one before it, {factors[-1].size}")
        if not factors and size != 0:
            table.wrong("size", f"the first is 0, not {size}")
        factors.append(
            Factor(
                size=size,
                bandwidth=table.factor("bandwidth"),
                latency=table.factor("latency"),
            )
        )
    return tuple(factors)


def _overhead(table: "_Table") -> Overhead:
    table.only("base", "per_byte")
    return Overhead(
        base=table.number("base", Kind.TIME, 0.0, 1.0),
        per_byte=table.number("per_byte", Kind.TIME, 0.0, 1e-3, default=0.0),
    )


def _lengths(text: str) -> tuple[int, ...]:
    """The numbers of "4x4x4"; none if it is something else."""
    words = text.split("x")
    if not all(word.isascii() and word.isdecimal() and len(word) <= 5 for word in words):
        return ()
    return tuple(int(word) for word in words)


def _check_shape(network: "_Table", topology: str, hosts: int) -> None:
    """Complain about a topology that is neither a torus nor a dragonfly of so many hosts."""
    kind, _, numbers = topology.partition(":")
    lengths = _lengths(numbers)
    dimensions = {"torus": range(1, 9), "dragonfly": (3,)}.get(kind, ())
    if len(lengths) not in dimensions or 0 in lengths:
        network.wrong(
            "topology",
            f'{_shown(topology)} is none of "flat", "fat-tree", "torus:5x3" or '
            '"dragonfly:GROUPSxSWITCHESxHOSTS"',
        )
    if math.prod(lengths) != hosts:
        network.wrong("topology", f"{_shown(topology)} has {math.prod(lengths)} hosts, not {hosts}")
    if kind == "dragonfly" and lengths[0] > lengths[1]:
        network.wrong(
            "topology",
            f"{_shown(topology)}: each switch leads to one other group, so a group needs at least "
            f"{lengths[0]} switches",
        )


def _tree(hosts: int, taper: int) -> tuple[int, int, int] | None:
    """The squarest two-level tree: 64 is 8 leaves of 8, 128 is 8 of 16, 512 is 16 of 32."""
    for below in range(2, hosts // 2 + 1):
        if below * below >= hosts and hosts % below == 0 and below % taper == 0:
            return below, hosts // below, below // taper
    return None


def _near(hosts: int, taper: int) -> int:
    """The number of hosts nearest to `hosts` that makes a tree."""
    distance = 1
    while True:
        for candidate in (hosts - distance, hosts + distance):
            if candidate >= 4 and _tree(candidate, taper) is not None:
                return candidate
        distance += 1


@dataclass(frozen=True)
class _Table:
    """A TOML table that knows its place, so that every error names file and key."""

    path: Path
    prefix: str
    values: dict[str, Any]

    def wrong(self, key: str, complaint: str) -> NoReturn:
        raise LapwingError(f"{self.path}: {self.prefix}{key}: {complaint}")

    def only(self, *known: str) -> None:
        for key in self.values:
            if key not in known:
                self.wrong(
                    _short(key),
                    f"unknown key{did_you_mean(key, list(known))}; known are {', '.join(known)}",
                )

    def value(self, key: str, default: Any) -> Any:
        if key in self.values:
            return self.values[key]
        if default is None:
            self.wrong(key, "missing")
        return default

    def table(self, key: str, default: dict[str, Any] | None = None) -> "_Table":
        value = self.value(key, default)
        if not isinstance(value, dict):
            self.wrong(key, f"{_shown(value)} is not a table")
        return _Table(self.path, f"{self.prefix}{key}.", value)

    def tables(self, key: str) -> "list[_Table]":
        values = self.value(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            self.wrong(key, f"not tables; write [[{self.prefix}{key}]] above each")
        return [
            _Table(self.path, f"{self.prefix}{key}[{place}].", value)
            for place, value in enumerate(values)
        ]

    def factor(self, key: str) -> float:
        return self._plain(key, self.value(key, None), 1e3)

    def share(self, key: str, default: float | None = None) -> float:
        return self._plain(key, self.value(key, default), 1)

    def range(self, key: str) -> tuple[float, float]:
        """The slowest and the fastest of some shares: [0.5, 1]; where it is not said, all are 1."""
        pair = self.value(key, [1, 1])
        if not isinstance(pair, list) or len(pair) != 2:
            self.wrong(key, f"{_shown(pair)} is not [slowest, fastest]")
        slowest, fastest = (self._plain(key, share, 1) for share in pair)
        if slowest > fastest:
            self.wrong(key, f"{_shown(pair)}: the slowest comes first")
        return slowest, fastest

    def _plain(self, key: str, value: Any, highest: float) -> float:
        """A number without a unit, from 0.001 up."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, f"{_shown(value)} is not a number")
        if not 1e-3 <= value <= highest:
            self.wrong(key, f"{_shown(value)} is not between 0.001 and {highest:g}")
        return float(value)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.value(key, default)
        if not isinstance(value, str):
            self.wrong(key, f"{_shown(value)} is not text")
        if not value and default is None:
            self.wrong(key, "empty")
        return str(value)

    def boolean(self, key: str) -> bool:
        value = self.value(key, None)
        if not isinstance(value, bool):
            self.wrong(key, f"{_shown(value)} is neither true nor false")
        return bool(value)

    def integer(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        value = self.value(key, default)
        # A TOML boolean is an int in Python, but not meant as a number.
        if not isinstance(value, int) or isinstance(value, bool):
            self.wrong(key, f"{_shown(value)} is not a whole number")
        if not lowest <= value <= highest:
            self.wrong(key, f"{_shown(value)} is not between {lowest} and {highest}")
        return int(value)

    def number(
        self, key: str, kind: Kind, lowest: float, highest: float, default: float | None = None
    ) -> float:
        value = self.value(key, default)
        number = quantity(value, kind)
        if number is None:
            self.wrong(key, f"{_shown(value)} is not a {UNITS_HELP[kind]}")
        if not lowest <= number <= highest:  # also refuses nan
            self.wrong(key, f"{_shown(value)} is not between {lowest:g} and {highest:g}")
        return number


def _shown(value: Any) -> str:
    return _short(f'"{value}"' if isinstance(value, str) else _literal(value))


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _literal(value: Any) -> str:
    try:
        return repr(value).lower() if isinstance(value, bool) else repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, deep nesting
        return f"this {type(value).__name__}"
