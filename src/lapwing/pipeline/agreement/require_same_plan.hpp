#pragma once

#include <mpi.h>

#include <string>
#include <utility>

#include "lapwing/pipeline/agreement/check_agreement.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

namespace agreement {

/// What all ranks' plans must have in common: messages and window. Pace, polling and predictions
/// are a rank's own.
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

}  // namespace agreement

/// Returns `plan` if all ranks have plans of the same messages and window. Call it before the first
/// message. Otherwise every rank throws the same `std::invalid_argument`: it names the difference
/// and two ranks. Collective over `ranks`.
[[nodiscard]] inline Plan require_same_plan(Plan plan, const Communicator& ranks) {
    agreement::check_agreement("plans", agreement::terms(plan), ranks);
    return plan;
}

/// The same for the ranks of an MPI communicator.
[[nodiscard]] inline Plan require_same_plan(Plan plan, MPI_Comm ranks = MPI_COMM_WORLD) {
    return require_same_plan(std::move(plan), Communicator(ranks));
}

}  // namespace lapwing
