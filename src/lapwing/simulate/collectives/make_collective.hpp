#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

// What an algorithm goes by unless it is told otherwise.
constexpr std::uint64_t usual_segment = 8192;  ///< bytes
constexpr Rank usual_window = 32;              ///< messages
constexpr Rank usual_group = 8;                ///< ranks

/// What to communicate, with which algorithm.
struct CollectiveChoice {
    std::string operation;  ///< "barrier", "bcast", … : `collective_operations`
    std::string algorithm;  ///< of the operation: `collective_algorithms`
    Rank ranks = 0;
    /// Bytes: of a bcast, reduce or allreduce the whole message; of an alltoall from each rank to
    /// each; of the others the block of one rank; of a barrier a message, usually 1.
    std::uint64_t size = 1;
    std::uint64_t segment = usual_segment;  ///< bytes, of algorithms that send in segments
    Rank window = usual_window;  ///< messages at once each way, of the staggered all-to-all
    Rank group = usual_group;    ///< consecutive ranks, of the grouped bcast
    /// gatherv and scatterv: the bytes of each rank's block; empty: all have `size`.
    std::vector<std::uint64_t> sizes{};
};

/// The algorithm that was chosen. Throws `std::invalid_argument` with one line: an unknown name and
/// the nearest known, no ranks, or another number of sizes than of ranks.
[[nodiscard]] std::unique_ptr<Collective> make_collective(const CollectiveChoice& choice);

[[nodiscard]] std::vector<std::string> collective_operations();
/// Throws as `make_collective` if there is no such operation.
[[nodiscard]] std::vector<std::string> collective_algorithms(std::string_view operation);

}  // namespace lapwing::simulate
