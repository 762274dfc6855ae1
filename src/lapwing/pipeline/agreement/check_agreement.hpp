#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/profile/stable_hash.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing::agreement {

/// What all ranks must have in common, as text: what each is called, and its value.
using Terms = std::vector<std::pair<std::string, std::string>>;

/// Ranks as people write them: "rank 3", "ranks 0 and 2", "ranks 0, 1, 2 and 61 more".
inline std::string names(const std::vector<int>& ranks) {
    constexpr std::size_t most = 3;
    std::string all = ranks.size() == 1 ? "rank " : "ranks ";
    const std::size_t named = ranks.size() > most + 1 ? most : ranks.size();
    for (std::size_t i = 0; i < named; ++i) {
        if (i > 0) all += i + 1 == ranks.size() ? " and " : ", ";
        all += std::to_string(ranks[i]);
    }
    return named < ranks.size() ? all + " and " + std::to_string(ranks.size() - named) + " more"
                                : all;
}

/// Every rank's `value`, by rank. Collective over `ranks`.
inline std::vector<std::uint64_t> values_of_all_ranks(std::uint64_t value,
                                                      const Communicator& ranks) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.size()));
    check_mpi(MPI_Allgather(&value, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, ranks.get()),
              "MPI_Allgather");
    return all;
}

/// The `text` of rank `root`, on all ranks; cut where it is too long for a line. Collective over
/// `ranks`.
inline std::string broadcast_text(const std::string& text, int root, const Communicator& ranks) {
    constexpr std::size_t most = 60;
    std::string line = text.size() > most ? text.substr(0, most - 3) + "..." : text;
    line.resize(most, ' ');
    check_mpi(MPI_Bcast(line.data(), most, MPI_CHAR, root, ranks.get()), "MPI_Bcast", root);
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Returns if all ranks have the same `terms`. Otherwise every rank throws the same
/// `std::invalid_argument`: "WHOSE disagree: volume is 8 bytes on rank 0 but 16 bytes on rank 1".
/// Collective over `ranks`.
inline void check_agreement(const std::string& whose, const Terms& terms,
                            const Communicator& ranks) {
    for (const auto& [what, value] : terms) {
        const auto all = values_of_all_ranks(stable_hash(value), ranks);
        std::vector<int> as_first;
        std::vector<int> others;
        for (std::size_t rank = 0; rank < all.size(); ++rank)
            (all[rank] == all.front() ? as_first : others).push_back(static_cast<int>(rank));
        if (others.empty()) continue;
        const std::string first = broadcast_text(value, 0, ranks);
        const std::string other = broadcast_text(value, others.front(), ranks);
        std::string words = whose;
        words += " disagree: " + what;
        words += " is " + first + " on " + names(as_first);
        words += " but " + other + " on " + names({others.front()});
        if (others.size() > 1) words += " (differing: " + names(others) + ")";
        throw std::invalid_argument(words);
    }
}

}  // namespace lapwing::agreement
