"""Random clusters, made from a seed."""

import math
import random

from lapwing.testbed import Cluster, Interface, Overhead


def random_cluster(seed: int) -> Cluster:
    """A plausible cluster that varies everything a file can vary, LogGP over two decades."""
    chance = random.Random(seed)

    def between(low: float, high: float) -> float:
        return math.exp(chance.uniform(math.log(low), math.log(high)))

    bandwidth = between(1e8, 2.5e10)
    tree = chance.random() < 0.4

    def overhead() -> Overhead:
        # Copying is at least twice as fast as the wire, or nothing could overlap.
        per_byte = chance.choice([0.0, chance.uniform(0.02, 0.5) / bandwidth])
        return Overhead(base=between(1e-7, 5e-6), per_byte=per_byte)

    return Cluster(
        name=f"random{seed}",
        description="",
        hosts=64,
        latency=between(5e-7, 5e-5),
        bandwidth=bandwidth,
        serialising=chance.random() < 0.6,
        send_overhead=overhead(),
        receive_overhead=overhead(),
        eager_limit=chance.choice([0, 0, 4096, 65536, 1 << 20]),
        topology="fat-tree" if tree else "flat",
        taper=chance.choice([1, 2, 4]) if tree else 1,
        kernels={},
    )


def as_toml(cluster: Cluster) -> str:
    """The file that describes `cluster`."""
    lines = [
        f'name = "{cluster.name}"',
        f"hosts = {cluster.hosts}",
        "[network]",
        f"latency = {cluster.latency!r}",
        f"bandwidth = {cluster.bandwidth!r}",
        f"serialising = {str(cluster.serialising).lower()}",
        f"eager_limit = {cluster.eager_limit}",
        f'topology = "{cluster.topology}"',
        *([f"taper = {cluster.taper}"] if cluster.topology == "fat-tree" else []),
    ]
    for side in ("send_overhead", "receive_overhead"):
        overhead: Overhead = getattr(cluster, side)
        lines += [f"[network.{side}]", f"base = {overhead.base!r}"]
        lines.append(f"per_byte = {overhead.per_byte!r}")
    return "\n".join([*lines, *_interface(cluster.interface)]) + "\n"


def _interface(interface: Interface) -> list[str]:
    lines = ["[interface]"]
    if interface.queue_depth:
        lines.append(f"queue_depth = {interface.queue_depth}")
    if interface.full_queue is not None:
        lines.append(f"full_queue = {interface.full_queue!r}")
    if interface.outstanding_limit:
        lines.append(f"outstanding_limit = {interface.outstanding_limit}")
        lines.append(f"outstanding_bandwidth = {interface.outstanding_bandwidth!r}")
    if interface.bus_bandwidth:
        lines.append(f"bus_bandwidth = {interface.bus_bandwidth!r}")
    if interface.registration != (0.0, 0.0):
        base, per_page = interface.registration
        lines += ["[interface.registration]", f"base = {base!r}", f"per_page = {per_page!r}"]
    if routes := interface.routes:
        lines += ["[interface.routes]", f"near = {list(routes.near)}"]
        lines += [f"far = {list(routes.far)}", f"seed = {routes.seed}"]
    for burst in interface.bursts:
        lines += ["[[interface.bursts]]", f"outstanding = {burst.outstanding}"]
        lines.append(f"base = {burst.overhead.base!r}")
        lines.append(f"per_byte = {burst.overhead.per_byte!r}")
    return lines
