"""The skeletons of collectives: sums by `lapwing::Allreduce`, others by MPI's own calls."""

from .site import Site
from .text import NOTHING, VALUES, Head, Places

# Of each operation: elements of `in` and `out` in multiples of `count`, and MPI's call.
_ROOT = "root, communicator, &request"
_CALLS = {
    "bcast": ("1", "0", f"MPI_Ibcast(in.data(), count, type, {_ROOT})"),
    "reduce": ("1", "1", f"MPI_Ireduce(in.data(), out.data(), count, type, MPI_SUM, {_ROOT})"),
    "gather": (
        "1",
        "ranks",
        f"MPI_Igather(in.data(), count, type, out.data(), count, type, {_ROOT})",
    ),
    "scatter": (
        "ranks",
        "1",
        f"MPI_Iscatter(in.data(), count, type, out.data(), count, type, {_ROOT})",
    ),
    "allgather": (
        "1",
        "ranks",
        "MPI_Iallgather(in.data(), count, type, out.data(), count, type, communicator, &request)",
    ),
    "reduce_scatter": (
        "ranks",
        "1",
        "MPI_Ireduce_scatter_block(in.data(), out.data(), count, type, MPI_SUM, communicator, "
        "&request)",
    ),
    "scan": (
        "1",
        "1",
        "MPI_Iscan(in.data(), out.data(), count, type, MPI_SUM, communicator, &request)",
    ),
    "allreduce": (
        "1",
        "1",
        "MPI_Iallreduce(in.data(), out.data(), count, type, MPI_SUM, communicator, &request)",
    ),
    "alltoall": (
        "ranks",
        "ranks",
        "MPI_Ialltoall(in.data(), count, type, out.data(), count, type, communicator, &request)",
    ),
}
_SUMS = "MPI_SUM"


def summed(site: Site, places: Places, head: Head) -> str:
    """A function that sums numbers of all ranks while something else is computed."""
    fill, work, use = _places(places, "values", "sums")
    behind = site.first[site.first["hidden_behind"] or "after"]["seconds"]
    count = max(1, round(site.first["size"]) // places.element.size)
    return f"""{head(", int times")}
    lapwing::TwoSided transport(communicator);
    constexpr std::size_t count = {count};
    std::vector<Element> values(count);
    std::vector<Element> sums(count);
    const lapwing::Behind behind{{.seconds = {behind!r}, .messages = 0}};
    lapwing::Allreduce sum(transport, count, 0, behind);
    for (int time = 0; time < times; ++time) {{
{fill}
        auto request = sum.allreduce(values, sums.data());
{work}
        request.wait();
{use}
    }}
}}
"""


def non_blocking(site: Site, places: Places, head: Head) -> str:
    """A function that has a collective under way while something else is computed."""
    first, element = site.first, places.element
    into, out_of, call = _CALLS[first["operation"]]
    fill, work, use = _places(places, "in", "in" if first["operation"] == "bcast" else "out")
    count = max(1, round(first["size"]) // element.size)
    said = ["// TODO(operator): the program's own instead of MPI_SUM."] if _SUMS in call else []
    lines = [
        f"constexpr int count = {count};",
        f"const MPI_Datatype type = {element.mpi};",
        *([f"constexpr int root = {first['root'] or 0};"] if "root" in call else []),
        *(
            ["int ranks = 0;", "MPI_Comm_size(communicator, &ranks);"]
            if "ranks" in into + out_of
            else []
        ),
        f"std::vector<Element> in({_size(into)});",
        *([f"std::vector<Element> out({_size(out_of)});"] if out_of != "0" else []),
    ]
    body = "\n".join(f"    {line}" for line in [*lines, *said])
    return f"""{head(", int times")}
{body}
    for (int time = 0; time < times; ++time) {{
{fill}
        MPI_Request request = MPI_REQUEST_NULL;
        {call};
{work}
        MPI_Wait(&request, MPI_STATUS_IGNORE);
{use}
    }}
}}
"""


def _size(factor: str) -> str:
    return "count" if factor == "1" else f"static_cast<std::size_t>({factor}) * count"


def _places(places: Places, given: str, got: str) -> tuple[str, str, str]:
    fill = places.open(
        8, "produce", VALUES, f"write `{given}`.", f"std::ssize({given}), {given}.data()"
    )
    work = places.open(
        8, "work", NOTHING, f"what needs nothing of `{got}`; it calls MPI now and then."
    )
    use = places.open(
        8, "consume", VALUES, f"use `{got}`.", f"std::ssize({got}), {got}.data()", reads=True
    )
    return fill, work, use
