"""Lapwing: measure what a network costs, and hide communication behind computation.

machine = lapwing.load_profile("machine.json")
plan = lapwing.plan(machine, volume=8 << 20, compute=12e-3, grain=8)
plan.messages, plan.window, plan.predicted
lapwing.predict(machine, "bcast", ranks=[64, 4096], sizes=[8, 1 << 20])
"""

from typing import TYPE_CHECKING, Any

from ._core import LogGP, Plan, Profile
from .errors import LapwingError, RunFailed
from .planning.plan import plan, sensitivity
from .planning.tuner import Tuner
from .prediction.grid import predict
from .prediction.replays import replay
from .prediction.schedules import Deadlock, simulate
from .profiles.load import load_profile

if TYPE_CHECKING:
    from .importing.import_logs import Imported, import_logs
    from .measurements.cell import Cell, Measurements
    from .measurements.document import load_measurements

# What most programs do not need, and what takes long to load, is loaded when it is asked for.
_LATER = {
    "Cell": "measurements.cell",
    "Imported": "importing.import_logs",
    "Measurements": "measurements.cell",
    "import_logs": "importing.import_logs",
    "load_measurements": "measurements.document",
}

__all__ = [
    "Cell",
    "Deadlock",
    "Imported",
    "LapwingError",
    "LogGP",
    "Measurements",
    "Plan",
    "Profile",
    "RunFailed",
    "Tuner",
    "import_logs",
    "load_measurements",
    "load_profile",
    "plan",
    "predict",
    "replay",
    "sensitivity",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("lapwing")
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LATER[name]}", __name__), name)
