#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/stable_hash.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

namespace agreement {

/// What all ranks must have alike, as text: what it is, and its value.
using Terms = std::vector<std::pair<std::string, std::string>>;

/// Of their plans. The pace and the polling are a rank's own, and so are predictions.
inline Terms terms(const Plan& plan) {
    const Messages& messages = plan.messages;
    std::string sizes;
    for (const auto& [size, count] : messages.runs())
        sizes += (sizes.empty() ? "" : " ") + std::to_string(count) + "x" + std::to_string(size);
    return {{"volume", std::to_string(messages.volume()) + " bytes"},
            {"grain", std::to_string(messages.grain()) + " bytes"},
            {"messages", std::to_string(messages.count())},
            {"sizes", sizes},
            {"window", std::to_string(plan.window)}};
}

/// "rank 3", "ranks 0 and 2", "ranks 0, 1, 2 and 61 more".
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

/// Every rank's `value`, by rank.
inline std::vector<std::uint64_t> values_of_all_ranks(std::uint64_t value,
                                                      const Communicator& ranks) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.size()));
    check_mpi(MPI_Allgather(&value, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, ranks.get()),
              "MPI_Allgather");
    return all;
}

/// `text` of rank `root`, no more of it than fits into a line.
inline std::string broadcast_text(const std::string& text, int root, const Communicator& ranks) {
    constexpr std::size_t most = 60;
    std::string line = text.size() > most ? text.substr(0, most - 3) + "..." : text;
    line.resize(most, ' ');
    check_mpi(MPI_Bcast(line.data(), most, MPI_CHAR, root, ranks.get()), "MPI_Bcast", root);
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Returns if all ranks have the same `terms`. Otherwise every rank gets the same
/// `std::invalid_argument`: that `whose` terms disagree, what differs and between which ranks.
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

}  // namespace agreement

/// Returns `plan` if all ranks have the same messages and window, before the first of them is sent.
/// Otherwise every rank gets the same `std::invalid_argument`, which says what differs and between
/// which ranks. Collective over `ranks`.
[[nodiscard]] inline Plan require_same_plan(Plan plan, const Communicator& ranks) {
    agreement::check_agreement("plans", agreement::terms(plan), ranks);
    return plan;
}

/// The same for the ranks of an MPI communicator.
[[nodiscard]] inline Plan require_same_plan(Plan plan, MPI_Comm ranks = MPI_COMM_WORLD) {
    return require_same_plan(std::move(plan), Communicator(ranks));
}

}  // namespace lapwing
