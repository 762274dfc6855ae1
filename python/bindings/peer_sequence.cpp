#include "peer_sequence.hpp"

#include <nanobind/stl/vector.h>

#include "lapwing/pipeline/peer_sequence.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {

void bind_peer_sequence(nb::module_& module) {
    nb::class_<PeerSequence>(
        module, "PeerSequence",
        "The peers of one rank in a two-way exchange, in the order in which it takes them.")
        .def(
            "__init__",
            [](PeerSequence* made, std::vector<int> receive_from,
               std::vector<std::vector<int>> send_to) {
                new (made) PeerSequence{std::move(receive_from), std::move(send_to)};
            },
            "receive_from"_a, "send_to"_a,
            "receive_from: ranks, one after another.  send_to[k]: the ranks whose k-th sender this "
            "rank is.")
        .def_ro("receive_from", &PeerSequence::from,
                "Ranks that it receives from, one after another.")
        .def_ro("send_to", &PeerSequence::to,
                "For each place k, the ranks whose k-th sender this rank is.");
    module.def("alltoall_sequence", &alltoall_sequence, "rank"_a, "ranks"_a, "staggered"_a = true,
               "The all-to-all of `ranks` ranks, seen from `rank` (Iancu and Strohmaier 2007, "
               "section 3.4).\n\nstaggered: it receives from rank + 1 first, then from rank + 2, "
               "and no two ranks receive from the same one at once. Otherwise all receive from "
               "rank 0 first, then from rank 1, and so on.");
    module.def("ring_sequence", &ring_sequence, "rank"_a, "ranks"_a,
               "A ring: every rank exchanges with the next one and the previous one.");
    module.def("torus_sequence", &torus_sequence, "rank"_a, "rows"_a, "columns"_a,
               "A torus of at least 3 x 3 ranks, numbered row by row: every rank exchanges with "
               "its neighbours right and left, below and above.");
}

}  // namespace lapwing::python
