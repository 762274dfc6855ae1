"""The skeletons of an all-to-all: `lapwing::exchange`, or `pipeline` where data is made."""

from .site import Site
from .text import PIECE, Head, Places, produced_part


def consumed(site: Site, places: Places, head: Head) -> str:
    """A function that uses what has arrived while the rest travels."""
    number = site.number
    fill = places.open(
        8,
        "produce",
        PIECE,
        "write `values`, all that rank `peer` gets.",
        "peer, 0, std::ssize(values), values.data()",
    )
    consume = places.open(
        8,
        "consume",
        PIECE,
        "use piece.data, elements from piece.first on of what rank piece.peer sent.",
        "piece.peer, static_cast<std::int64_t>(piece.first), std::ssize(piece.data), "
        "piece.data.data()",
        reads=True,
    )
    unused = "" if site.fortran else "[[maybe_unused]] "
    return f"""{head("")}
    lapwing::TwoSided transport(communicator);
    const lapwing::Plan plan = plan_{number}();
    const auto sequence =
        lapwing::alltoall_sequence(transport.rank(), transport.size(), plan.staggered);
    const std::size_t part = plan.messages.volume() / sizeof(Element);
    std::vector<Element> out(part * sequence.from.size());
    std::vector<Element> in(out.size());
    std::size_t begin = 0;
    for (const auto& ranks : sequence.to) {{
        for ({unused}const int peer : ranks) {{
            {unused}const auto values = std::span(out).subspan(begin, part);
{_indented(fill)}
            begin += part;
        }}
    }}
    const lapwing::Parties parties{{transport, sequence, std::span<const Element>(out),
                                   std::span(in), plan.order}};
    const auto consume_piece = [&]({unused}const lapwing::PeerPiece<Element>& piece) {{
{consume}
    }};
    lapwing::exchange<Element>(parties, plan, consume_piece);
}}
"""


def produced(site: Site, places: Places, head: Head) -> str:
    """A function that makes what is sent piece by piece, and uses what has arrived meanwhile."""
    number = site.number
    produce = produced_part(places)
    consume = places.open(
        12,
        "consume",
        PIECE,
        "use `values`, elements from part.first on of what rank `peer` sent.",
        "peer, first(part), std::ssize(values), values.data()",
        reads=True,
    )
    unused = "" if site.fortran else "[[maybe_unused]] "
    return f"""{head("")}
    lapwing::TwoSided transport(communicator);
    const lapwing::Plan plan = plan_{number}();
    const auto sequence = lapwing::alltoall_sequence(transport.rank(), transport.size(), true);
    const std::size_t each = plan.messages.volume() / sizeof(Element);
    std::vector<Element> out(each * sequence.from.size());
    std::vector<Element> in(out.size());
    const std::vector<Part> parts = parts_of(plan, sequence.from.size(), sizeof(Element));
    if (parts.empty()) return;
    lapwing::PairedSends paired(transport, sequence, std::as_bytes(std::span(out)).data(),
                                plan.messages.volume());
    const auto outgoing = [&](const Part& part) {{
        return std::span(out).subspan(part.place * each + part.first, part.count);
    }};
    const auto incoming = [&](const Part& part) {{
        return std::span(in).subspan(part.place * each + part.first, part.count);
    }};
    lapwing::Plan steps = plan;  // counted in messages
    steps.messages = lapwing::Messages::uniform(parts.size(), 1);
    lapwing::pipeline<Part>(
        steps, parts.size(),
        [&](std::uint64_t step, Part& part) {{
            part = parts[step];
            {unused}const int peer = sequence.to[part.place].front();
            {unused}const auto values = outgoing(part);
{produce}
        }},
        [&](const Part& part) {{
            const auto values = incoming(part);
            return paired.receive(values.data(), values.size_bytes(), sequence.from[part.place],
                                  part.tag);
        }},
        [&](const Part& part) {{
            {unused}const int peer = sequence.from[part.place];
            {unused}const std::span<const Element> values = incoming(part);
{consume}
        }});
    paired.finish();
}}
"""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
