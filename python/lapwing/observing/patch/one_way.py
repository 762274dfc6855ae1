"""The skeletons of data that goes one way: `feed` and `stream`, or `pipeline` where it is made.

The transport is made by all ranks together, so each calls one of both functions, those that neither
send nor receive without peers."""

from .site import Site
from .text import PIECE, Head, Places, produced_part

# What is received: of one rank, or of several. `piece` is one more that has arrived.
_STREAM = """    const lapwing::Source source{{transport, peers.front(), std::span(in)}};
    for ({unused}const auto piece : lapwing::stream<Element>(source, plan)) {{
        {unused}const int peer = peers.front();
{consume}
    }}"""
_MULTI = """    const lapwing::Sources sources{{transport, peers, std::span(in), plan.order}};
    for ({unused}const auto& piece : lapwing::multi<Element>(sources, plan)) {{
        {unused}const int peer = piece.peer;
{consume}
    }}"""


def received(site: Site, places: Places, head: Head) -> str:
    """The function of the rank that receives."""
    number = site.number
    consume = places.open(
        8,
        "consume",
        PIECE,
        "use piece.data, elements from piece.first on of what rank `peer` sent.",
        "peer, static_cast<std::int64_t>(piece.first), std::ssize(piece.data), piece.data.data()",
        reads=True,
    )
    several = site.first["pattern"] == "multi" and site.first["hidden_behind"] == "after"
    loop = (_MULTI if several else _STREAM).format(
        consume=consume, unused="" if site.fortran else "[[maybe_unused]] "
    )
    return f"""{head(_PEERS[site.fortran])}
    lapwing::TwoSided transport(communicator);
    const lapwing::Plan plan = plan_{number}();
{_peers(site)}    if (peers.empty()) return;
    const std::size_t each = plan.messages.volume() / sizeof(Element);
    std::vector<Element> in(each * peers.size());
{loop}
}}
"""


def fed(site: Site, places: Places, head: Head) -> str:
    """The function of a rank that sends its data."""
    number = site.number
    fill = places.open(
        4,
        "produce",
        PIECE,
        "write `out`, all that goes to each of `peers`.",
        "peers.front(), 0, std::ssize(out), out.data()",
    )
    return f"""{head(_PEERS[site.fortran])}
    lapwing::TwoSided transport(communicator);
    const lapwing::Plan plan = plan_{number}();
{_peers(site)}    if (peers.empty()) return;
    std::vector<Element> out(plan.messages.volume() / sizeof(Element));
{fill}
    for (const int peer : peers)
        lapwing::feed(transport, peer, std::span<const Element>(out), plan);
}}
"""


def produced(site: Site, places: Places, head: Head) -> str:
    """The function of a rank that sends its results, piece by piece."""
    number = site.number
    produce = produced_part(places)
    unused = "" if site.fortran else "[[maybe_unused]] "
    return f"""{head(_PEERS[site.fortran])}
    lapwing::TwoSided transport(communicator);
    const lapwing::Plan plan = plan_{number}();
{_peers(site)}    if (peers.empty()) return;
    const std::size_t each = plan.messages.volume() / sizeof(Element);
    std::vector<Element> out(each * peers.size());
    const std::vector<Part> parts = parts_of(plan, peers.size(), sizeof(Element));
    if (parts.empty()) return;
    const auto outgoing = [&](const Part& part) {{
        return std::span(out).subspan(part.place * each + part.first, part.count);
    }};
    lapwing::Plan steps = plan;  // counted in messages
    steps.messages = lapwing::Messages::uniform(parts.size(), 1);
    lapwing::pipeline<Part>(
        steps, parts.size(),
        [&](std::uint64_t step, Part& part) {{
            part = parts[step];
            {unused}const int peer = peers[part.place];
            {unused}const auto values = outgoing(part);
{produce}
        }},
        [&](const Part& part) {{
            const auto values = outgoing(part);
            return transport.send(values.data(), values.size_bytes(), peers[part.place], part.tag);
        }});
}}
"""


# Fortran passes how many peers, and an array of them.
_PEERS = {False: ", const std::vector<int>& peers", True: ", int number, const int* first_peer"}


def _peers(site: Site) -> str:
    if not site.fortran:
        return ""
    return "    const std::vector<int> peers(first_peer, first_peer + number);\n"
