"""Measure what a network costs, and hide communication behind computation.

    machine = lapwing.load_profile("machine.json")   # or "ranger"
    plan = lapwing.plan(machine, volume="8MB", compute="12ms", grain=8)

measure   calibrate, fit, import_logs, load_measurements, load_profile
plan      plan, sensitivity, Tuner
predict   predict, simulate, replay
run       sweep, validate, observe
show      report, plot
loops     mpi.stream, feed, multi, exchange, pipeline, Halo

A function does what the command of its name does: help(lapwing.plan).
Fields of a result are attributes, as in plan.predicted; it has to_pandas()
and to_xarray(), and is a table in a notebook. Sizes are bytes or "8MB",
times are seconds or "12ms". What cannot be done raises LapwingError or
ValueError, with one line that says why.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._core import LogGP as LogGP
    from ._core import Plan as Plan
    from ._core import Profile as Profile
    from .errors import LapwingError as LapwingError
    from .errors import RunFailed as RunFailed
    from .figures.plot import Figure as Figure
    from .figures.plot import plot as plot
    from .fitting.fit import fit as fit
    from .importing.import_logs import Imported as Imported
    from .importing.import_logs import import_logs as import_logs
    from .launch import Launch as Launch
    from .measure.calibrate import calibrate as calibrate
    from .measure.sweep import sweep as sweep
    from .measurements.cell import Cell as Cell
    from .measurements.cell import Measurements as Measurements
    from .measurements.document import load_measurements as load_measurements
    from .observing.run import observe as observe
    from .planning.plan import plan as plan
    from .planning.plan import sensitivity as sensitivity
    from .planning.tuner import Tuner as Tuner
    from .prediction.predict import predict as predict
    from .prediction.replays import replay as replay
    from .prediction.schedules import Deadlock as Deadlock
    from .prediction.schedules import simulate as simulate
    from .profiles.load import load_profile as load_profile
    from .reporting.report import Report as Report
    from .reporting.report import report as report
    from .results.labelled import Document as Document
    from .validation.validate import validate as validate

    __version__: str

# Everything is loaded when it is asked for: which module of the package has it.
_WHERE = {
    "Cell": "measurements.cell",
    "Deadlock": "prediction.schedules",
    "Document": "results.labelled",
    "Figure": "figures.plot",
    "Imported": "importing.import_logs",
    "LapwingError": "errors",
    "Launch": "launch",
    "LogGP": "_core",
    "Measurements": "measurements.cell",
    "Plan": "_core",
    "Profile": "_core",
    "Report": "reporting.report",
    "RunFailed": "errors",
    "Tuner": "planning.tuner",
    "calibrate": "measure.calibrate",
    "fit": "fitting.fit",
    "import_logs": "importing.import_logs",
    "load_measurements": "measurements.document",
    "load_profile": "profiles.load",
    "observe": "observing.run",
    "plan": "planning.plan",
    "plot": "figures.plot",
    "predict": "prediction.predict",
    "replay": "prediction.replays",
    "report": "reporting.report",
    "sensitivity": "planning.plan",
    "simulate": "prediction.schedules",
    "sweep": "measure.sweep",
    "validate": "validation.validate",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("lapwing")
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    return found


def __dir__() -> list[str]:
    return [*_WHERE, "__version__"]
