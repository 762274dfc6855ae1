"""The topology: how nodes are connected."""

from typing import Any

from rich.console import RenderableType

from ...units import show_seconds
from ..layout import facts


def topology_facts(topology: dict[str, Any]) -> list[RenderableType]:
    """The table of the section `topology`."""
    said = [(name, topology[name]) for name in ("interconnect", "placement") if topology.get(name)]
    if topology.get("interconnect"):
        return [facts("Topology", said)]
    return [*_measured(topology), *([facts("Topology", said)] if said else [])]


def _measured(topology: dict[str, Any]) -> list[RenderableType]:
    if not topology["uplinks"]:
        return [facts("Topology", [("one switch", topology["reason"])])]
    return [
        facts(
            "Topology",
            [
                ("nodes", f"{topology['nodes']}, {topology['below']} under a leaf switch"),
                ("uplinks", f"{topology['uplinks']} from each leaf switch"),
                ("near", f"{show_seconds(topology['near'])} under one leaf switch"),
                ("far", f"{show_seconds(topology['far'])} to another"),
            ],
        )
    ]
