#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

// Defaults of the choices below.
constexpr std::uint64_t default_segment = 8192;  ///< bytes
constexpr Rank default_window = 32;              ///< messages
constexpr Rank default_group = 8;                ///< ranks
constexpr std::uint32_t default_radix = 4;       ///< Open MPI's

/// What to communicate, with which algorithm.
struct CollectiveChoice {
    std::string operation;  ///< "barrier", "bcast", … : `collective_operations`
    std::string algorithm;  ///< of the operation: `collective_algorithms`
    Rank ranks = 0;
    /// Bytes of a bcast's, reduce's or allreduce's whole message, from each rank to each of an
    /// alltoall, of a barrier's messages (usually 1), of one rank's block otherwise.
    std::uint64_t size = 1;
    std::uint64_t segment = default_segment;  ///< bytes of a segment, where there are segments
    Rank window = default_window;  ///< messages at once each way, of the staggered all-to-all
    Rank group = default_group;    ///< consecutive ranks, of the grouped bcast
    /// k of k-nomial trees and of Bruck's algorithm with several ports, at least 2; how many
    /// chains.
    std::uint32_t radix = default_radix;
    /// Bytes of each rank's block in a gatherv or scatterv; empty: all have `size`.
    std::vector<std::uint64_t> sizes{};
};

/// Makes the chosen algorithm. Throws `std::invalid_argument` with one line: for an unknown name,
/// with the most similar one, for a choice that is 0, or if `sizes` are not as many as `ranks`.
[[nodiscard]] std::unique_ptr<Collective> make_collective(const CollectiveChoice& choice);

[[nodiscard]] std::vector<std::string> collective_operations();
/// Throws as `make_collective` if there is no such operation.
[[nodiscard]] std::vector<std::string> collective_algorithms(std::string_view operation);

}  // namespace lapwing::simulate
