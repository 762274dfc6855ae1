"""Measurements of a system on few nodes, for fits, and on more nodes, to be predicted."""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lapwing import Cell, LapwingError, Measurements, import_logs, load_profile
from lapwing.fitting.fit import fit
from lapwing.fitting.fitted import Fitted
from lapwing.fitting.model import predicted
from lapwing.fitting.points import Point, on_fewer_nodes, points_of

from .predictions import Vector

# All costs that are tried are replaced by fitted ones.
_BEGIN = "ranger"


@dataclass(frozen=True)
class Extrapolation:
    """A system with its measured collectives. most: nodes of the fit."""

    system: str
    measurements: Measurements
    most: int

    @cached_property
    def left_out(self) -> str | None:
        """Why the system cannot be tried; None if it can."""
        try:
            found = self.fitted
        except (LapwingError, ValueError) as error:
            return str(error)
        return None if found and self.more else f"nothing on more than {self.most} nodes"

    @cached_property
    def fitted(self) -> Fitted:
        """Lapwing's fit to what was measured on few nodes."""
        return fit(load_profile(_BEGIN), on_fewer_nodes(self.measurements, self.most))

    @cached_property
    def few(self) -> list[Point]:
        """What was measured on few nodes."""
        return points_of(on_fewer_nodes(self.measurements, self.most))[0]

    @cached_property
    def more(self) -> list[Point]:
        """What was measured on more nodes."""
        cells = [cell for cell in self.measurements.cells if (cell.nodes or 0) > self.most]
        return points_of(replace(self.measurements, cells=cells))[0]

    @cached_property
    def predicted(self) -> Vector:
        """What the fit predicts of more nodes, seconds."""
        return predicted(self.fitted.profile, self.more)


def measured_systems(data: Path) -> dict[str, Measurements]:
    """The collectives of each system in `collectives.csv`, by its name.

    Those with 8 ranks on each node are another system, "lumi/8". Raises LapwingError if the table
    is missing.
    """
    imported = import_logs([str(data / "collectives.csv")])
    if imported.measurements is None:
        raise LapwingError(f"{data / 'collectives.csv'}: has no collectives")
    systems: dict[str, list[Cell]] = defaultdict(list)
    for cell in imported.measurements.cells:
        several = f"/{cell.ranks_per_node}" if (cell.ranks_per_node or 1) > 1 else ""
        systems[f"{cell.system or '?'}{several}"].append(cell)
    return {system: Measurements(cells) for system, cells in systems.items()}
