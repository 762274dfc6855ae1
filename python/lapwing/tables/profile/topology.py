"""The topology: how nodes are connected."""

from typing import Any

from rich.console import RenderableType

from ...units import show_seconds
from ..layout import facts


def topology_facts(topology: dict[str, Any]) -> list[RenderableType]:
    """The table of the section `topology`."""
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
