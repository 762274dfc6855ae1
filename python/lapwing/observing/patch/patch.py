"""The skeletons of all sites of a record that are worth overlapping, as files."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import alltoall, collective, fortran, halo, one_way
from .site import Site, sites_of
from .support import head, support
from .text import WIDTH, Head, Places, comment

_Skeleton = Callable[[Site, Places, Head], str]

_ALL_CALL = (
    "Every rank of the communicator calls one of the two functions at once, with the ranks that it "
    "sends to, or receives from; one that does neither, without any."
)
# Runs of equal messages that a plan lists one by one.
_MOST_RUNS = 16


@dataclass(frozen=True)
class Patch:
    """cpp: what a C++ compiler takes.  fortran: the module to it, if the program is in Fortran."""

    cpp: str
    fortran: str | None
    sites: list[Site]


def make_patch(document: dict[str, Any], file: str) -> Patch | None:
    """The skeletons of a ranked record that has a machine; None if no exchange is worth it.

    file: the name of the C++ file.
    """
    sites = sites_of(document)
    if not sites:
        return None
    texts: list[str] = []
    procedures: list[fortran.Procedure] = []
    for site in sites:
        texts.append(comment(site.words()) + "\n")
        if site.plan and site.first["pattern"] in ("stream", "multi"):
            texts.append(comment(_ALL_CALL) + "\n")
        if site.plan and site.first["pattern"] != "halo" and not _is_one_sum(site):
            texts.append(_plan(site.number, site.plan, _shares(site)))
        for name, make in _functions(site):
            places = Places(site.fortran, site.element)
            texts.append(make(site, places, _head(name, places)))
            if site.fortran:
                procedures.append(fortran.Procedure(site, name, places.made))
    body = "\n".join(texts)
    in_fortran = bool(procedures)
    parts = [head(document, file, in_fortran, body), *support(in_fortran, body), body]
    module = fortran.module(file, procedures) if in_fortran else None
    return Patch("\n".join(parts) + "\n}  // namespace overlapped\n", module, sites)


def _functions(site: Site) -> list[tuple[str, _Skeleton]]:
    """The names of the functions of a site, and what makes them."""
    name, pattern, side = (
        f"exchange_{site.number}",
        site.first["pattern"],
        site.first["hidden_behind"],
    )
    if site.plan is None or (pattern == "buckets" and not _is_one_sum(site)):
        return [(name, collective.non_blocking)]
    if pattern == "buckets":
        return [(name, collective.summed)]
    if pattern == "halo":
        return [(name, halo.halo)]
    if pattern == "alltoall":
        return [(name, alltoall.tiled)]
    sends = one_way.fed if side == "after" else one_way.produced
    return [(f"{name}_sends", sends), (f"{name}_receives", one_way.received)]


def _is_one_sum(site: Site) -> bool:
    """Whether it is a sum of doubles in one message."""
    plan = site.plan
    return bool(site.first["pattern"] == "buckets" and plan and site.element.cpp == "double")


def _head(name: str, places: Places) -> Head:
    def first_lines(parameters: str) -> str:
        element = f"    using Element = {places.element.cpp};"
        if not places.fortran:
            return f"void {name}(MPI_Comm communicator{parameters}) {{\n{element}"
        before = f'extern "C" void lapwing_{name}('
        given = [f"MPI_Fint handle{parameters}", *places.parameters()]
        from_fortran = "    MPI_Comm communicator = MPI_Comm_f2c(handle);"
        return f"{_filled(before, given)}\n{element}\n{from_fortran}"

    return first_lines


def _filled(before: str, parameters: list[str]) -> str:
    """The first line of a function, broken between parameters where it is too long."""
    lines = [before]
    for place, parameter in enumerate(parameters):
        added = parameter + (") {" if place + 1 == len(parameters) else ",")
        if len(lines[-1]) + 1 + len(added) > WIDTH:
            lines.append(" " * len(before) + added)
        else:
            lines[-1] += added if lines[-1] == before else f" {added}"
    return "\n".join(lines)


def _shares(site: Site) -> int:
    """Ranks that share a message of the plan: of an all-to-all, all others."""
    return int(site.first["communicator"]) - 1 if site.first["pattern"] == "alltoall" else 1


def _plan(number: int, plan: dict[str, Any], shares: int) -> str:
    """A function that returns the plan of a site, of messages to one rank."""
    runs = [[size // shares, count] for size, count in plan["compact"]["runs"]]
    if len(runs) <= _MOST_RUNS:
        messages = [f"plan.messages.append({size}, {count});" for size, count in runs]
    else:
        listed = ", ".join(f"{{{size}, {count}}}" for size, count in runs)
        messages = [
            f"for (const lapwing::MessageRun& run : std::vector<lapwing::MessageRun>{{{listed}}})",
            "    plan.messages.append(run.size, run.count);",
        ]
    lines = [
        "lapwing::Plan plan;",
        f"plan.messages = lapwing::Messages({plan['compact']['grain'] // shares});  // bytes",
        *messages,
        f"plan.window = {plan['window']};",
        f"plan.order = lapwing::PeerOrder::{plan['order']};",
        f"plan.staggered = {'true' if plan['staggered'] else 'false'};",
        f"plan.pace = {plan['pace']!r};",
        f"plan.poll_interval = {plan['poll_interval']['seconds']!r};",
        f"plan.predicted = {plan['predicted']['seconds']!r};",
        "return plan;",
    ]
    body = "\n".join(f"    {line}" for line in lines)
    return f"lapwing::Plan plan_{number}() {{\n{body}\n}}\n"
