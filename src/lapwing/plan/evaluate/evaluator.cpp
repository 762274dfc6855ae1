#include "lapwing/plan/evaluate/evaluator.hpp"

#include <algorithm>

#include "lapwing/plan/evaluate/closed_forms.hpp"
#include "lapwing/profile/linearity.hpp"

namespace lapwing {
namespace {

/// Whether a stream's costs are one latency and one time of the wire a byte, at any size.
bool has_closed_form(const RankCosts& costs) {
    if (costs.workload.pattern != Pattern::stream || costs.two_way || costs.link->one_sided.pulled)
        return false;
    // Measured exposed times hold all that a message costs.
    if (costs.exposed_receive) return true;
    // What longer messages do is nothing to a stream of which none is as long.
    const double most = costs.progress.largest;
    return is_piecewise_linear(*costs.link, most) && latency_is_linear(*costs.link, most);
}

/// Whether some of a stream's messages are eager and others wait for their receive, on an interface
/// where an eager message then goes first. (Senders pace messages that share the wire.)
bool straddles_eager_limit(const RankCosts& costs, const Messages& messages) {
    const LinkCosts& link = *costs.link;
    if (!link.protocol || !link.protocol->eager || link.nic == Nic::sharing ||
        costs.exposed_receive)
        return false;
    const auto [least, most] = std::ranges::minmax(messages.runs(), {}, &MessageRun::size);
    return least.size <= *link.protocol->eager && most.size > *link.protocol->eager;
}

}  // namespace

Evaluator::Evaluator(const RankCosts& costs, double most) : costs_(costs), most_(most) {
    if (is_independent(costs.workload)) return;
    if (has_closed_form(costs))
        stream_.emplace(costs);
    else
        rank_.emplace(costs);
}

const Engine& Evaluator::engine() const {
    if (!engine_) engine_.emplace(*costs_.link, costs_.topology);
    return *engine_;
}

bool Evaluator::needs_engine(const Candidate& candidate) const {
    return !is_independent(costs_.workload) &&
           (!stream_ || straddles_eager_limit(costs_, candidate.messages));
}

bool Evaluator::fits_engine() const {
    constexpr double longest_run = 1e3;  // seconds: its ticks do not hold longer ones
    return blocking_seconds(costs_) < longest_run;
}

double Evaluator::seconds(const Candidate& candidate, bool by_engine) const {
    const double unhidden = overlaps(candidate) ? unhidden_seconds() : 0;
    if (by_engine) return engine().run(costs_.workload, candidate).seconds + unhidden;
    if (is_independent(costs_.workload))
        return independent_seconds(costs_, candidate.messages, unhidden_seconds());
    if (!overlaps(candidate)) return blocking_seconds(costs_);
    if (stream_) return stream_->seconds(candidate.messages) + unhidden;
    return rank_->seconds(candidate.messages, candidate.window) + unhidden;
}

}  // namespace lapwing
