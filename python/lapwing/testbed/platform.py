"""A cluster in the terms of SimGrid's SMPI: platform, options, and the hosts of the ranks."""

from xml.etree import ElementTree

from .cluster import Cluster, Factor, Overhead

_HEADER = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'

# Bytes that SMPI adds to every message, even an empty one (measured with SimGrid 3.32).
_ENVELOPE = 16

# A plain LogGP machine: no TCP window, no cost that the cluster's file does not state. Computation
# takes the time that the program charges, however little.
_CLEAN = (
    "smpi/host-speed:1Gf",
    "smpi/simulate-computation:no",
    "smpi/cpu-threshold:0",
    "network/model:SMPI",
    "network/TCP-gamma:0",
    "network/weight-S:0",
    "network/crosstraffic:no",
    # Reading the clock is free; a test is not, or a program that polls would never end.
    "smpi/wtime:0",
    "smpi/test:1e-6",
    "smpi/iprobe:1e-6",
    "smpi/grow-injected-times:no",
    # From this size on SMPI detaches sends and charges no receive overhead: out of reach here.
    "smpi/send-is-detached-thresh:1000000000",
)


# The connection between two ranks of one host.
_LOOPBACK = {"bandwidth": 4e9, "latency": 0.5e-6}  # bytes per second, seconds


def platform_xml(cluster: Cluster, ppn: int = 1) -> str:
    """The SimGrid platform of `cluster`: hosts `n0` ... connected as its topology says.

    ppn: ranks on each host. More than one is possible only behind a switch; each rank then has a
    SimGrid host of its own, `n0-0`, `n0-1` ..., and these share a network interface.
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
    if cluster.interface.bus_bandwidth:
        attributes["limiter_link"] = f"{cluster.interface.bus_bandwidth!r}Bps"
    if cluster.topology == "fat-tree":
        below, leaves, spines = cluster.tree
        attributes["topology"] = "FAT_TREE"
        attributes["topo_parameters"] = f"2;{below},{leaves};1,{spines};1,1"
    elif cluster.topology.startswith("torus:"):
        attributes["topology"] = "TORUS"
        attributes["topo_parameters"] = ",".join(map(str, cluster.lengths))
    elif cluster.topology.startswith("dragonfly:"):
        groups, switches, hosts = cluster.lengths
        attributes["topology"] = "DRAGONFLY"
        # Groups and links between two; chassis of one; switches of a chassis; hosts of a switch.
        attributes["topo_parameters"] = f"{groups},1;1,1;{switches},1;{hosts}"
    platform = ElementTree.Element("platform", version="4.1")
    _add_properties(ElementTree.SubElement(platform, "cluster", attributes), cluster)
    return _HEADER + ElementTree.tostring(platform, encoding="unicode") + "\n"


def _shared_hosts_xml(cluster: Cluster, ppn: int) -> str:
    """Hosts of `ppn` ranks behind a switch.

    SimGrid's own loopback gives every message its full bandwidth, and `maxmin/concurrency-limit`
    lets only one rank of a host compute at a time. So each rank is a SimGrid host, and the
    connection within a node is a link like any other.
    """
    platform = ElementTree.Element("platform", version="4.1")
    zone = ElementTree.SubElement(platform, "zone", id="cluster", routing="DijkstraCache")
    ranks = [[f"n{node}-{rank}" for rank in range(ppn)] for node in range(cluster.hosts)]
    for name in (name for node in ranks for name in node):
        _add_properties(ElementTree.SubElement(zone, "host", id=name, speed="1Gf"), cluster)
    ElementTree.SubElement(zone, "router", id="switch")
    bus = cluster.interface.bus_bandwidth
    inside = max(0.0, _LOOPBACK["latency"] - _ENVELOPE / _LOOPBACK["bandwidth"])
    for node in range(cluster.hosts):
        links = [
            (f"nic{node}", cluster.bandwidth, _link_latency(cluster), "SPLITDUPLEX"),
            (f"loopback{node}", _LOOPBACK["bandwidth"], inside, "SPLITDUPLEX"),
        ]
        if bus:
            links.append((f"bus{node}", bus, 0, "SHARED"))
        for name, bandwidth, latency, policy in links:
            ElementTree.SubElement(
                zone,
                "link",
                id=name,
                bandwidth=f"{bandwidth!r}Bps",
                latency=f"{latency!r}s",
                sharing_policy=policy,
            )

    def route(source: str, target: str, link: str, direction: str) -> None:
        made = ElementTree.SubElement(zone, "route", src=source, dst=target, symmetrical="NO")
        if bus and link.startswith("nic"):
            ElementTree.SubElement(made, "link_ctn", id=f"bus{link.removeprefix('nic')}")
        ElementTree.SubElement(made, "link_ctn", id=link, direction=direction)

    for node, names in enumerate(ranks):
        for rank, name in enumerate(names):
            route(name, "switch", f"nic{node}", "UP")
            route("switch", name, f"nic{node}", "DOWN")
            for other in names[:rank]:
                route(name, other, f"loopback{node}", "UP")
                route(other, name, f"loopback{node}", "DOWN")
    return _HEADER + ElementTree.tostring(platform, encoding="unicode") + "\n"


def _properties(cluster: Cluster) -> dict[str, str]:
    """What the library `lapwing-interfaces` reads of a host; see tools/lapwing-interfaces."""
    interface = cluster.interface
    said = {
        "bandwidth_factors": _factors(cluster, "bandwidth"),
        "latency_factors": _factors(cluster, "latency"),
    }
    if interface.bursts:
        # A step holds above its number.
        said["burst"] = ";".join(
            f"{burst.outstanding - 0.5!r}:{burst.overhead.base!r}:{burst.overhead.per_byte!r}"
            for burst in interface.bursts
        )
    if interface.queue_depth:
        said["queue_depth"] = str(interface.queue_depth)
    if interface.full_queue is not None:
        said["full_queue"] = repr(interface.full_queue)
    if interface.outstanding_limit:
        said["outstanding_limit"] = str(interface.outstanding_limit)
        said["outstanding_share"] = repr(interface.outstanding_bandwidth)
    base, per_page = interface.registration
    if base or per_page:
        said["registration_base"], said["registration_per_page"] = repr(base), repr(per_page)
    if interface.routes is not None:
        said["route_seed"] = str(interface.routes.seed)
        for name, (slowest, fastest) in (
            ("near_routes", interface.routes.near),
            ("far_routes", interface.routes.far),
        ):
            said[name] = f"{slowest!r}:{fastest!r}"
    return said


def _add_properties(element: ElementTree.Element, cluster: Cluster) -> None:
    for name, value in _properties(cluster).items():
        ElementTree.SubElement(element, "prop", id=name, value=value)


def smpi_options(cluster: Cluster, *, interfaces: bool = True) -> list[str]:
    """Options of `smpirun` that make it simulate `cluster`, silently unless it fails.

    interfaces: whether the program is linked with the library `lapwing-interfaces`, which reads the
        factors and the limits of interfaces from the platform; any other program knows only the
        factors.
    """
    settings = [
        *_CLEAN,
        f"smpi/os:{_charged(cluster.send_overhead)}",
        f"smpi/ois:{_charged(cluster.send_overhead)}",
        f"smpi/or:{_charged(cluster.receive_overhead)}",
        # A smaller message starts when it is sent, any other when both sides have posted it.
        f"smpi/async-small-thresh:{cluster.eager_limit}",
    ]
    if not interfaces:
        settings.append(f"smpi/bw-factor:{_factors(cluster, 'bandwidth')}")
        settings.append(f"smpi/lat-factor:{_factors(cluster, 'latency')}")
    if cluster.serialising:
        # A link carries one message at a time, as the queue of a NIC does.
        settings.append("maxmin/concurrency-limit:1")
    return [f"--cfg={setting}" for setting in settings] + ["--log=root.thres:critical"]


def hostfile(cluster: Cluster, ranks: int, ppn: int = 1) -> str:
    """The hosts of `ranks` ranks, one a line, `ppn` ranks to a host, spread evenly.

    They are spread, so that two ranks on a fat tree are under different leaf switches and see the
    stated latency. Behind one switch all hosts are equivalent.
    """
    hosts = -(-ranks // ppn)
    lines = []
    for rank in range(ranks):
        host = f"n{rank // ppn * cluster.hosts // hosts}"
        lines.append(host if ppn == 1 else f"{host}-{rank % ppn}")
    return "".join(f"{line}\n" for line in lines)


def _link_latency(cluster: Cluster) -> float:
    """Seconds of a link, without those of the envelope: messages then take the stated time."""
    envelope = _ENVELOPE / cluster.bandwidth
    return max(0.0, cluster.link_latency - envelope / cluster.links_crossed)


def _factors(cluster: Cluster, what: str) -> str:
    """SMPI's factors on the bandwidth or the latency of messages larger than each size."""
    factors = cluster.factors or (Factor(size=0, bandwidth=1, latency=1),)
    return ";".join(f"{factor.size}:{getattr(factor, what)!r}" for factor in factors)


def _charged(overhead: Overhead) -> str:
    """An overhead in SMPI's notation: from 0 bytes on, base and per byte, in seconds."""
    return f"0:{overhead.base!r}:{overhead.per_byte!r}"
