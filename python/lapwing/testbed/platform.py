"""What SimGrid's SMPI is told about a cluster: a platform, options, and where the ranks sit."""

from xml.etree import ElementTree

from .cluster import Cluster, Factor, Overhead

_HEADER = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'

# Bytes that SMPI sends with every message, an empty one too (measured with SimGrid 3.32).
_ENVELOPE = 16

# A clean LogGP machine: no TCP window, no cost that the cluster's file does not state. Computation
# costs what the program charges, however little.
_CLEAN = (
    "smpi/host-speed:1Gf",
    "smpi/simulate-computation:no",
    "smpi/cpu-threshold:0",
    "network/model:SMPI",
    "network/TCP-gamma:0",
    "network/weight-S:0",
    "network/crosstraffic:no",
    # Reading the clock is free; testing is not, or a program that spins on it would never end.
    "smpi/wtime:0",
    "smpi/test:1e-6",
    "smpi/iprobe:1e-6",
    "smpi/grow-injected-times:no",
    # No send is buffered away: from this size on SMPI would not charge the receive overhead.
    "smpi/send-is-detached-thresh:1000000000",
)


# What two ranks of one host have between them.
_LOOPBACK = {"bandwidth": 4e9, "latency": 0.5e-6}  # bytes per second, seconds


def platform_xml(cluster: Cluster, ppn: int = 1) -> str:
    """The SimGrid platform of `cluster`: hosts `n0` ... behind a switch or a two-level fat tree.

    ppn: ranks that run on each host; more than one only behind a switch, and then each has a
    SimGrid host of its own, `n0-0`, `n0-1` ..., for those share a network interface.
    """
    if ppn > 1:
        return _shared_hosts_xml(cluster, ppn)
    attributes = {
        "id": "cluster",
        "prefix": "n",
        "radical": f"0-{cluster.hosts - 1}",
        "suffix": "",
        "speed": "1Gf",
        "bw": f"{cluster.bandwidth!r}Bps",
        "lat": f"{_link_latency(cluster)!r}s",
        "sharing_policy": "SPLITDUPLEX",
        "loopback_bw": f"{_LOOPBACK['bandwidth']!r}Bps",
        "loopback_lat": f"{_LOOPBACK['latency']!r}s",
    }
    if cluster.topology == "fat-tree":
        below, leaves, spines = cluster.tree
        attributes["topology"] = "FAT_TREE"
        attributes["topo_parameters"] = f"2;{below},{leaves};1,{spines};1,1"
    platform = ElementTree.Element("platform", version="4.1")
    ElementTree.SubElement(platform, "cluster", attributes)
    return _HEADER + ElementTree.tostring(platform, encoding="unicode") + "\n"


def _shared_hosts_xml(cluster: Cluster, ppn: int) -> str:
    """Hosts of `ppn` ranks behind a switch.

    SimGrid's own loopback gives every message all of its bandwidth, and on a host of several ranks
    `maxmin/concurrency-limit` lets one of them compute at a time. So each rank is a host, and what
    lies within a node is a link like any other.
    """
    platform = ElementTree.Element("platform", version="4.1")
    zone = ElementTree.SubElement(platform, "zone", id="cluster", routing="DijkstraCache")
    ranks = [[f"n{node}-{rank}" for rank in range(ppn)] for node in range(cluster.hosts)]
    for name in (name for node in ranks for name in node):
        ElementTree.SubElement(zone, "host", id=name, speed="1Gf")
    ElementTree.SubElement(zone, "router", id="switch")
    inside = max(0.0, _LOOPBACK["latency"] - _ENVELOPE / _LOOPBACK["bandwidth"])
    for node in range(cluster.hosts):
        for name, bandwidth, latency in (
            (f"nic{node}", cluster.bandwidth, _link_latency(cluster)),
            (f"loopback{node}", _LOOPBACK["bandwidth"], inside),
        ):
            ElementTree.SubElement(
                zone,
                "link",
                id=name,
                bandwidth=f"{bandwidth!r}Bps",
                latency=f"{latency!r}s",
                sharing_policy="SPLITDUPLEX",
            )

    def route(source: str, target: str, link: str, direction: str) -> None:
        made = ElementTree.SubElement(zone, "route", src=source, dst=target, symmetrical="NO")
        ElementTree.SubElement(made, "link_ctn", id=link, direction=direction)

    for node, names in enumerate(ranks):
        for rank, name in enumerate(names):
            route(name, "switch", f"nic{node}", "UP")
            route("switch", name, f"nic{node}", "DOWN")
            for other in names[:rank]:
                route(name, other, f"loopback{node}", "UP")
                route(other, name, f"loopback{node}", "DOWN")
    return _HEADER + ElementTree.tostring(platform, encoding="unicode") + "\n"


def smpi_options(cluster: Cluster) -> list[str]:
    """Options of `smpirun` that make it simulate `cluster`, and keep quiet unless it fails."""
    settings = [
        *_CLEAN,
        f"smpi/os:{_charged(cluster.send_overhead)}",
        f"smpi/ois:{_charged(cluster.send_overhead)}",
        f"smpi/or:{_charged(cluster.receive_overhead)}",
        # Below this size a transfer starts when it is sent; from it on, when both have posted.
        f"smpi/async-small-thresh:{cluster.eager_limit}",
        f"smpi/bw-factor:{_factors(cluster, 'bandwidth')}",
        f"smpi/lat-factor:{_factors(cluster, 'latency')}",
    ]
    if cluster.serialising:
        # One message at a time on each link: the queue of a NIC.
        settings.append("maxmin/concurrency-limit:1")
    return [f"--cfg={setting}" for setting in settings] + ["--log=root.thres:critical"]


def hostfile(cluster: Cluster, ranks: int, ppn: int = 1) -> str:
    """One host a line, for `ranks` ranks, `ppn` to a host, the hosts spread evenly.

    Spread, so that two ranks on a fat tree sit under different leaf switches and see the latency
    the cluster states; on a flat switch every place is alike.
    """
    hosts = -(-ranks // ppn)
    lines = []
    for rank in range(ranks):
        host = f"n{rank // ppn * cluster.hosts // hosts}"
        lines.append(host if ppn == 1 else f"{host}-{rank % ppn}")
    return "".join(f"{line}\n" for line in lines)


def _link_latency(cluster: Cluster) -> float:
    """Seconds a link adds, less what the envelope takes: a message then needs what is stated."""
    envelope = _ENVELOPE / cluster.bandwidth
    return max(0.0, cluster.link_latency - envelope / cluster.links_crossed)


def _factors(cluster: Cluster, what: str) -> str:
    """What SMPI multiplies the bandwidth or the latency of a message with, beyond each size."""
    factors = cluster.factors or (Factor(size=0, bandwidth=1, latency=1),)
    return ";".join(f"{factor.size}:{getattr(factor, what)!r}" for factor in factors)


def _charged(overhead: Overhead) -> str:
    """An overhead as SMPI writes it: from 0 bytes on, base and per byte, in seconds."""
    return f"0:{overhead.base!r}:{overhead.per_byte!r}"
