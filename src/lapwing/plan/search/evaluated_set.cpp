#include "lapwing/plan/search/evaluated_set.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace lapwing {

EvaluatedSet::EvaluatedSet(const Engine& engine, const CandidateLimits& limits,
                           const ReducedWorkload& reduced, double budget)
    : engine_(engine), limits_(limits), reduced_(reduced), budget_(budget), left_(budget) {
    if (limits_.peers > 1) limits_.peers = std::min(limits_.peers, reduced_.workload.peers);
}

bool EvaluatedSet::evaluate(const Candidate& wanted, double budget_share) {
    Candidate candidate = clamped(wanted, limits_);
    const auto& messages = candidate.messages;
    const auto too_large = [&](const MessageRun& run) { return run.size > limits_.largest; };
    if ((messages.count() > 1 && std::ranges::any_of(messages.runs(), too_large)) ||
        std::ranges::find(all_, candidate, &Evaluated::candidate) != all_.end())
        return false;
    const Candidate reduced = reduced_.candidate(candidate);
    const double estimated = engine_.cost(reduced_.workload, reduced);
    const double most = std::min(left_, budget_share * budget_);
    if (cost_ratio() * estimated > most) return false;
    const EngineResult result = engine_.run(reduced_.workload, reduced, most);
    // Single messages come and go together, and cost more than others: they show nothing of those.
    if (messages.count() > 1) {
        estimated_ += estimated;
        cost_ += result.cost;
    }
    left_ -= result.cost;
    const Evaluated& evaluated =
        all_.emplace_back(Evaluated{std::move(candidate), reduced_.time_scale * result.seconds});
    // The first are those that the recurrences thought best.
    return best_.take_if_faster(evaluated, search_options.least_gain);
}

double EvaluatedSet::seconds_of(const Candidate& candidate) const {
    const auto found = std::ranges::find(all_, candidate, &Evaluated::candidate);
    return found != all_.end() ? found->seconds : std::numeric_limits<double>::infinity();
}

std::vector<Candidate> EvaluatedSet::fastest(std::size_t most) const {
    std::vector<Evaluated> sorted = all_;
    std::ranges::stable_sort(sorted, {}, &Evaluated::seconds);
    sorted.resize(std::min(sorted.size(), most));
    std::vector<Candidate> candidates(sorted.size());
    std::ranges::transform(sorted, candidates.begin(), &Evaluated::candidate);
    return candidates;
}

}  // namespace lapwing
