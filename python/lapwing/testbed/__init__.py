"""Networks for everybody: simulated clusters, and a real link of limited rate on one machine.

This package describes networks and builds them; `launch` runs programs on them.
"""

from .cluster import (
    KERNELS,
    Burst,
    Cluster,
    Factor,
    Interface,
    Overhead,
    Routes,
    load_cluster,
    shipped_clusters,
)
from .platform import hostfile, platform_xml, smpi_options

__all__ = [
    "KERNELS",
    "Burst",
    "Cluster",
    "Factor",
    "Interface",
    "Overhead",
    "Routes",
    "hostfile",
    "load_cluster",
    "platform_xml",
    "shipped_clusters",
    "smpi_options",
]
