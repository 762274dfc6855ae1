"""What stands before the skeletons: includes, and what several of them use."""

from typing import Any

from ...units import printable
from .text import comment

_SIDE = """\
/// What a rank exchanges with a neighbour: tags, and numbers of elements. A side of a later phase
/// may send what earlier ones brought.
struct Side {
    int rank;
    int peer;
    int send_tag;
    int receive_tag;
    std::size_t send;
    std::size_t receive;
    int phase = 0;
};

/// The exchanges of this rank, in phases: what is sent lies in `out[i]`, what comes in `in[i]`.
template <class Element>
struct Neighbours {
    /// All ranks of the communicator make theirs. interval: seconds between polls.
    Neighbours(MPI_Comm communicator, const std::vector<Side>& all, double interval)
        : transport(communicator) {
        int phases = 0;
        for (const Side& side : all) {
            phases = std::max(phases, side.phase + 1);
            if (side.rank == transport.rank()) sides.push_back(side);
        }
        std::ranges::stable_sort(sides, {}, &Side::phase);
        for (const Side& side : sides) {
            out.emplace_back(side.send);
            in.emplace_back(side.receive);
        }
        std::size_t i = 0;
        for (int phase = 0; phase < phases; ++phase) {
            first.push_back(i);
            std::vector<lapwing::Edge<Element>> edges;
            for (; i < sides.size() && sides[i].phase == phase; ++i)
                edges.push_back(
                    {sides[i].peer, out[i], in[i], sides[i].send_tag, sides[i].receive_tag});
            halos.emplace_back(transport, edges, interval);
        }
    }

    lapwing::TwoSided transport;
    std::vector<Side> sides;
    std::vector<std::vector<Element>> out;
    std::vector<std::vector<Element>> in;
    std::deque<lapwing::Halo<lapwing::TwoSided, Element>> halos;  ///< of each phase
    std::vector<std::size_t> first;                               ///< side of each phase
};
"""

_PART = """\
/// A message: `count` elements from `first` on of what is exchanged with the peer in this place.
struct Part {
    std::size_t place = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    int tag = 0;
    void clear() {}
};

/// The messages of a plan to or from several peers, in its order.
std::vector<Part> parts_of(const lapwing::Plan& plan, std::size_t peers, std::size_t element) {
    std::vector<Part> parts;
    const auto add = [&](std::size_t place, const lapwing::Messages::Iterator& message) {
        const int tag = lapwing::message_tag(message.index());
        parts.push_back({place, message.offset() / element, *message / element, tag});
    };
    const lapwing::Messages& messages = plan.messages;
    if (plan.order == lapwing::PeerOrder::contiguous) {
        for (std::size_t place = 0; place < peers; ++place)
            for (auto message = messages.begin(); message != messages.end(); ++message)
                add(place, message);
    } else {
        for (auto message = messages.begin(); message != messages.end(); ++message)
            for (std::size_t place = 0; place < peers; ++place) add(place, message);
    }
    return parts;
}
"""

_TILE = """\
/// A part of an all-to-all: with every rank `count` elements, from `first` on of what is exchanged
/// with it. Those of rank r are the r-th `count` of `out` and of `in`.
template <class Element>
struct Tile {
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::vector<Element> out;
    std::vector<Element> in;
    void clear() {}
};
"""

# What Fortran's procedures are called with; numbers begin with 0.
_FORTRAN = """\
// The procedures of the Fortran program: on a part of what is exchanged with a peer, on all with
// one side, on a part with every rank, on all values, on nothing, in a phase, and at the end of a
// round.
template <class Values>
using Piece = void(int peer, std::int64_t first, std::int64_t count, Values values);
template <class Values>
using OfSide = void(int peer, int tag, std::int64_t count, Values values);
template <class Values>
using Tiles = void(std::int64_t first, std::int64_t count, int ranks, Values values);
template <class Element>
using Values = void(std::int64_t count, Element values);
using Work = void();
using Phase = void(int phase);
using Round = void(int time);
"""
_POLL = """/// Lets messages progress: for loops of the Fortran program.
extern "C" void lapwing_exchange_poll() { lapwing::poll(); }
"""
_FIRST = """std::int64_t first(const Part& part) { return static_cast<std::int64_t>(part.first); }
"""


def head(document: dict[str, Any], file: str, in_fortran: bool, body: str) -> str:
    """The beginning of the file. body: what follows."""
    ran = printable(" ".join(document["command"]))
    said = (
        f"Skeletons that overlap what `{ran}` communicates, for the machine of "
        f"{document['machine']}; written by `lapwing observe`. Each function stands for the MPI "
        "calls that are named above it. All compile as they are, and exchange zeros: what the "
        "program computes belongs where "
        + ("a procedure of the Fortran module beside is called." if in_fortran else "TODO stands.")
    )
    command = f"mpicxx -std=c++20 $(pkg-config --cflags lapwing) -c {file}"
    headers = ["cstddef", "cstdint", "iterator", "span", "vector"]
    if "Side> sides" in body:
        headers += ["algorithm", "deque", "map"]
    if "std::complex" in body:
        headers.append("complex")
    own = ["lapwing/lapwing.hpp"]
    if "lapwing::Allreduce" in body:
        own.append("lapwing/pipeline/collectives/allreduce.hpp")
    includes = "\n".join(f"#include <{name}>" for name in sorted([*headers, *own]))
    return f"""{comment(said)}
//
//   {command}
#include <mpi.h>

{includes}

namespace overlapped {{
"""


def support(in_fortran: bool, body: str) -> list[str]:
    """The types and functions that the skeletons in `body` use."""
    found = []
    if in_fortran:
        found += [_FORTRAN, _POLL]
    if "Side> sides" in body:
        found.append(_SIDE)
    if "Tile<" in body:
        found.append(_TILE)
    if "parts_of" in body:
        found.append(_PART + (f"\n{_FIRST}" if "first(part)" in body else ""))
    return found
