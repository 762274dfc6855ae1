"""Networks to run on without owning them: simulated clusters, and a shaped link on one machine.

This room knows descriptions, platforms and namespaces; it knows nothing of who launches what.
"""

from .cluster import KERNELS, Cluster, Factor, Overhead, load_cluster, shipped_clusters
from .platform import hostfile, platform_xml, smpi_options

__all__ = [
    "KERNELS",
    "Cluster",
    "Factor",
    "Overhead",
    "hostfile",
    "load_cluster",
    "platform_xml",
    "shipped_clusters",
    "smpi_options",
]
