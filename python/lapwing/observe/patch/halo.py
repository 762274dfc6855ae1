"""The skeleton of an exchange with neighbours: `lapwing::Halo`."""

from .site import Side, Site
from .text import NOTHING, PIECE, ROUND, Head, Places, comment

# A program of more ranks is told of a part.
_MOST_SIDES = 512


def halo(site: Site, places: Places, head: Head) -> str:
    """The sides of every rank, and a function that exchanges them round after round."""
    number, plan = site.number, site.plan
    assert plan is not None
    pack = places.open(
        16,
        "pack",
        PIECE,
        "write what sides[i].peer needs to out[i].",
        "sides[i].peer, place(i), std::ssize(out[i]), out[i].data()",
    )
    inside = places.open(
        16, "interior", NOTHING, f"what needs nothing of `in`, such as the interior.{_poll(plan)}"
    )
    interior = "[&] { interior(); }" if site.fortran else f"[&] {{\n{inside}\n            }}"
    border = places.open(
        16,
        "border",
        PIECE,
        "take what came from sides[i].peer out of in[i].",
        "sides[i].peer, place(i), std::ssize(in[i]), in[i].data()",
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
    lapwing::TwoSided transport(communicator);
    std::vector<Side> sides;
    for (const Side& side : sides_{number})
        if (side.rank == transport.rank()) sides.push_back(side);
    std::vector<std::vector<Element>> out;
    std::vector<std::vector<Element>> in;
    for (const Side& side : sides) {{
        out.emplace_back(side.send);
        in.emplace_back(side.receive);
    }}
    std::vector<lapwing::Edge<Element>> edges;
    for (std::size_t i = 0; i < sides.size(); ++i)
        edges.push_back({{sides[i].peer, out[i], in[i], sides[i].send_tag, sides[i].receive_tag}});

    constexpr double poll_interval = {plan["poll_interval"]["seconds"]!r};  // seconds
    lapwing::Halo halo(transport, edges, poll_interval);
    for (int time = 0; time < times; ++time) {{
        halo.exchange(
            [&]({unused}std::size_t i) {{
{pack}
            }},
            {interior},
            [&]({unused}std::size_t i) {{
{border}
            }});
{rest}
    }}
}}
"""


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
        "received, and how many elements that are."
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
    return f"    {{{side.rank}, {side.peer}, {tags}, {side.send // size}, {side.receive // size}}},"
