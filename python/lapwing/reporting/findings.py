"""Findings in sentences: what results show, and what to do about it."""

from collections.abc import Callable
from dataclasses import replace

from ..results.documents import Result, naming_files
from . import machine_findings as machines
from . import program_findings as programs
from . import workload_findings as workloads
from .finding import Document, Finding


def findings(results: list[Result]) -> list[Finding]:
    """All findings, the most telling first: what to do, then what was measured.

    Raises LapwingError with the file whose content is incomplete.
    """
    made = [replace(finding, subject="comparison") for finding in workloads.compared(results)]
    for kind, say in _TOGETHER.items():
        of_kind = [result for result in results if result.kind == kind]
        if of_kind:
            with naming_files(*of_kind):
                made += [replace(finding, subject=kind) for finding in say(of_kind)]
    return made


def _each(say: Callable[[Document, str], list[Finding]]) -> Callable[[list[Result]], list[Finding]]:
    return lambda results: [
        finding for result in results for finding in say(result.document, result.label)
    ]


# In this order: what is to be done first, then the measurements behind it.
_TOGETHER: dict[str, Callable[[list[Result]], list[Finding]]] = {
    "sweep": workloads.sweeps,
    "doctor": _each(machines.doctor),
    "observe": _each(programs.observed),
    "compress-sweep": _each(programs.compression),
    "ft": programs.transforms,
    "fft": _each(programs.timed_transforms),
    "plan": _each(workloads.plan),
    "sensitivity": _each(workloads.sensitivity),
    "validate": _each(machines.validate),
    "predict": _each(machines.predict),
    "tune": _each(machines.tune),
    "measurements": _each(machines.measured),
    "profile": machines.profiles,
    "compress": _each(programs.compressed),
    "triangulation": _each(programs.triangulated),
    "simulate": _each(programs.simulated),
}
