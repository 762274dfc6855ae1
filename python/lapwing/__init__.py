"""Lapwing: measure what a network costs, and hide communication behind computation.

machine = lapwing.load_profile("machine.json")
plan = lapwing.plan(machine, volume=8 << 20, compute=12e-3, grain=8)
plan.messages, plan.window, plan.predicted
lapwing.predict(machine, "bcast", ranks=[64, 4096], sizes=[8, 1 << 20])
"""

from ._core import LogGP, Plan, Profile
from .errors import LapwingError, RunFailed
from .planning.plan import plan, sensitivity
from .planning.tuner import Tuner
from .prediction.grid import predict
from .prediction.schedules import Deadlock, simulate
from .profiles.load import load_profile

__all__ = [
    "Deadlock",
    "LapwingError",
    "LogGP",
    "Plan",
    "Profile",
    "RunFailed",
    "Tuner",
    "load_profile",
    "plan",
    "predict",
    "sensitivity",
    "simulate",
]
