#include "lapwing/plan/search/evaluated_set.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lapwing/plan/search_options.hpp"

namespace lapwing {
EvaluatedSet::EvaluatedSet(const Engine& engine, const CandidateLimits& limits,
                           ReducedWorkload reduced, double budget)
    : engine_(engine),
      limits_(limits),
      reduced_(std::move(reduced)),
      budget_(budget),
      left_(budget) {
    if (limits_.peers > 1) limits_.peers = std::min(limits_.peers, reduced_.workload.peers);
}

bool EvaluatedSet::evaluate(const Candidate& candidate) {
    return evaluate(candidate, search_options.most_of_budget);
}

bool EvaluatedSet::evaluate_if_quick(const Candidate& candidate, double slower) {
    return evaluate(candidate, slower * search_options.quick_share);
}

bool EvaluatedSet::evaluate(const Candidate& wanted, double budget_share) {
    Candidate candidate = clamped(wanted, limits_);
    const auto& messages = candidate.messages;
    const bool too_large = std::any_of(
        messages.runs().begin(), messages.runs().end(),
        [&](const MessageRun& run) { return run.size > limits_.largest && messages.count() > 1; });
    if (too_large || find(candidate) != nullptr) return false;
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
    const double seconds = reduced_.time_scale * result.seconds;
    entries_.push_back({seconds, candidate});
    // The first are those that the recurrences thought best.
    if (seconds >= (1 - search_options.least_gain) * seconds_) return false;
    seconds_ = seconds;
    best_ = std::move(candidate);
    return true;
}

double EvaluatedSet::seconds_of(const Candidate& candidate) const {
    const Entry* const entry = find(candidate);
    return entry != nullptr ? entry->seconds : std::numeric_limits<double>::infinity();
}

std::vector<Candidate> EvaluatedSet::fastest(std::size_t most) const {
    std::vector<const Entry*> sorted;
    sorted.reserve(entries_.size());
    for (const Entry& entry : entries_) sorted.push_back(&entry);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Entry* a, const Entry* b) { return a->seconds < b->seconds; });
    sorted.resize(std::min(sorted.size(), most));
    std::vector<Candidate> candidates;
    candidates.reserve(sorted.size());
    for (const Entry* entry : sorted) candidates.push_back(entry->candidate);
    return candidates;
}

const EvaluatedSet::Entry* EvaluatedSet::find(const Candidate& candidate) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.candidate == candidate;
    });
    return found != entries_.end() ? &*found : nullptr;
}

}  // namespace lapwing
