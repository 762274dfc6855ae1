"""The skeleton of an exchange with neighbours: `lapwing::Halo`."""

from .site import Side, Site
from .text import PHASE, ROUND, SIDE, Head, Places, comment

# A program of more ranks is told of a part.
_MOST_SIDES = 512


def halo(site: Site, places: Places, head: Head) -> str:
    """The sides of every rank, and a function that exchanges them round after round."""
    number, plan = site.number, site.plan
    assert plan is not None
    pack = places.open(
        20,
        "pack",
        SIDE,
        "write what sides[i].peer needs to out[i].",
        "sides[i].peer, sides[i].send_tag, std::ssize(out[i]), out[i].data()",
    )
    inside = places.open(
        20,
        "interior",
        PHASE,
        f"what needs nothing of `in`, such as the interior.{_of_phases(site)}{_poll(plan)}",
        "static_cast<int>(phase)",
    )
    border = places.open(
        20,
        "border",
        SIDE,
        "take what came from sides[i].peer out of in[i].",
        "sides[i].peer, sides[i].receive_tag, std::ssize(in[i]), in[i].data()",
        reads=True,
    )
    rest = places.open(
        8,
        "rest",
        ROUND,
        "what needs all of `in`, such as the border; the end of the round.",
        "time",
    )
    unused = "" if site.fortran else "[[maybe_unused]] "
    return f"""{_sides(site)}
{head(", int times")}
    constexpr double poll_interval = {plan["poll_interval"]["seconds"]!r};  // seconds
    static std::map<MPI_Comm, Neighbours<Element>*> made;  // at the first call, as long as MPI
    Neighbours<Element>*& kept = made[communicator];
    if (!kept) kept = new Neighbours<Element>(communicator, sides_{number}, poll_interval);
    Neighbours<Element>& neighbours = *kept;
    {unused}auto& sides = neighbours.sides;
    {unused}auto& out = neighbours.out;
    {unused}auto& in = neighbours.in;
    auto& halos = neighbours.halos;
    for (int time = 0; time < times; ++time) {{
        for (std::size_t phase = 0; phase < halos.size(); ++phase) {{
            halos[phase].exchange(
                [&](std::size_t edge) {{
                    {unused}const std::size_t i = neighbours.first[phase] + edge;
{pack}
                }},
                [&] {{
{inside}
                }},
                [&](std::size_t edge) {{
                    {unused}const std::size_t i = neighbours.first[phase] + edge;
{border}
                }});
        }}
{rest}
    }}
}}
"""


def _of_phases(site: Site) -> str:
    phases = 1 + max((side.phase for side in site.sides()), default=0)
    if phases == 1:
        return ""
    return f" There are {phases} phases, for a part of it each."


def _poll(plan: dict[str, object]) -> str:
    interval = plan["poll_interval"]
    assert isinstance(interval, dict)
    return " It calls lapwing::poll() in its loops." if interval["seconds"] else ""


def _sides(site: Site) -> str:
    """What each rank exchanges, as a table."""
    size, sides = site.element.size, site.sides()
    told = sides[:_MOST_SIDES]
    said = [
        "What each rank exchanges with each neighbour: rank, peer, the tags of what is sent and "
        "received, and how many elements that are"
        + (", and the phase, if it is not the first." if _of_phases(site) else ".")
    ]
    if not site.peers_are_ranks():
        said.append(
            "TODO(peers): these peers are ranks of another communicator than MPI_COMM_WORLD, or "
            "call elsewhere, too: put in those of the communicator that is given."
        )
    if site.ranks > 64 or len(told) < len(sides):
        said.append("TODO(peers): these are the first ranks' alone.")
    rows = "\n".join(_row(side, size) for side in told)
    return f"""{comment(" ".join(said))}
const std::vector<Side> sides_{site.number} = {{
{rows}
}};
"""


def _row(side: Side, size: int) -> str:
    tags = f"{side.send_tag}, {side.receive_tag}"
    sizes = f"{side.send // size}, {side.receive // size}"
    phase = f", {side.phase}" if side.phase else ""
    return f"    {{{side.rank}, {side.peer}, {tags}, {sizes}{phase}}},"
