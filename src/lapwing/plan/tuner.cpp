#include "lapwing/plan/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "lapwing/plan/candidates/neighbours.hpp"
#include "lapwing/profile/wire_scaled.hpp"

namespace lapwing {
namespace {

// Steps of each plan: one of them is hardly disturbed. The first of a program always is.
constexpr std::size_t samples_each = 3;
constexpr int most_trials = 5;
static_assert(Tuner::most_steps == (1 + most_trials) * samples_each);

/// A plan that the models did not propose must be faster by this share: less may be chance.
constexpr double least_gain = 0.02;

/// The profile's wire is right if a step is no further from it than this share: it was measured
/// more carefully.
constexpr double wire_tolerance = 0.01;

/// The wire is at most this many times slower or faster than the profile says.
constexpr double max_wire_scale = 16;

/// Polls during a message's share of the computation, where messages do not advance alone.
constexpr double polls_per_message = 8;

/// No plan of more messages is tried.
constexpr std::uint64_t most_tuned = 65536;

/// Checks in a row that deviate before the tuner learns again: bounds of `drift_drift_patience_`.
constexpr int most_patience = 64;
constexpr int least_patience = 2;

/// The least disturbed of several steps: what disturbs a step makes it longer.
StepTimes fastest(const std::vector<StepTimes>& steps) {
    return *std::min_element(steps.begin(), steps.end(), [](const auto& one, const auto& other) {
        return one.elapsed < other.elapsed;
    });
}

/// Seconds of a step that are not the program's own work.
double exposed(const StepTimes& seen) { return std::max(0.0, seen.elapsed - seen.computation); }
double exposed(const Plan& plan) { return plan.predicted - plan.workload.compute; }

bool is_time(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

void validate(const StepTimes& seen) {
    if (!is_time(seen.elapsed) || !is_time(seen.computation) || !is_time(seen.wait))
        throw std::invalid_argument("times of a step must be finite numbers, 0 or more");
}

void validate(const TunerOptions& options) {
    if (!(options.tolerance > 0) || !std::isfinite(options.tolerance))
        throw std::invalid_argument("tolerance must be a finite number above 0");
    if (!is_time(options.allowance))
        throw std::invalid_argument("allowance must be a finite number of steps, 0 or more");
    if (options.interval < 1) throw std::invalid_argument("interval must be 1 step or more");
}

Plan with_messages(Plan plan, Messages messages) {
    const double tiles =
        static_cast<double>(plan.messages.count()) / static_cast<double>(messages.count());
    plan.messages = std::move(messages);
    plan.tile = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(static_cast<double>(plan.tile) * tiles)));
    return plan;
}

}  // namespace

Tuner::Tuner(Profile profile, const Workload& workload, const TunerOptions& options)
    : profile_(std::move(profile)), workload_(complete(workload)), options_(options) {
    validate(options);
    if (workload_.transport == MessageTransport::any)
        workload_.transport = MessageTransport::two_sided;
    begin_learning();
}

Tuner::Tuner(Profile profile, const TunerState& learnt, const TunerOptions& options)
    : profile_(std::move(profile)),
      workload_(learnt.workload),
      options_(options),
      wire_scale_(learnt.wire),
      phase_(Phase::settled),
      blocking_(learnt.blocking) {
    validate(options);
    validate(learnt.blocking);
    validate(learnt.step);
    if (!(wire_scale_ > 0) || !std::isfinite(wire_scale_))
        throw std::invalid_argument("the wire's factor must be a finite number above 0");
    if (learnt.fingerprint != profile_.fingerprint)
        throw std::invalid_argument("what was learnt was learnt on another machine");
    if (learnt.window < 1) throw std::invalid_argument("window must be 1 message or more");
    if (!is_time(learnt.poll_interval))
        throw std::invalid_argument("poll_interval must be a finite number of seconds, 0 or more");
    Plan plan = planned(wire_scale_);
    if (learnt.messages.volume() != plan.messages.volume() ||
        learnt.messages.grain() != plan.messages.grain())
        throw std::invalid_argument("the messages that were learnt are for another workload");
    plan = with_messages(std::move(plan), learnt.messages);
    plan.window = learnt.window;
    plan.poll_interval = learnt.poll_interval;
    current_ = {std::move(plan), learnt.step};
}

void Tuner::note(const StepTimes& mine) {
    validate(mine);
    steps_.push_back(mine);
}

bool Tuner::due() const {
    return !settled() || steps_.size() >= static_cast<std::size_t>(options_.interval);
}

StepTimes Tuner::noted() {
    const StepTimes seen = fastest(steps_);
    steps_.clear();
    return seen;
}

void Tuner::decide(const StepTimes& seen) {
    validate(seen);
    if (settled()) {
        check_drift(seen);
        return;
    }
    samples_.push_back(seen);
    if (phase_ == Phase::trial) {
        // A blocking step would have had the same computation, disturbed or not.
        const double loss = std::max(0.0, exposed(seen) - exposed(blocking_));
        lost_ += loss;
        worst_ = std::max(worst_, loss);
        // The worst step of all may have been chance.
        if (lost_ - worst_ > options_.allowance * blocking_.elapsed) {
            settle();
            return;
        }
    }
    least_computation_ = std::min(least_computation_, seen.computation);
    if (samples_.size() < samples_each) return;
    current_.seen = fastest(samples_);
    if (phase_ == Phase::blocking) {
        end_blocking();
    } else {
        end_trial();
    }
}

void Tuner::begin_learning() {
    before_ = current_.plan.messages;
    phase_ = Phase::blocking;
    samples_.clear();
    current_ = {blocking_plan(), {}};
}

void Tuner::end_blocking() {
    blocking_ = current_.seen;
    least_computation_ = blocking_.computation;
    workload_.compute = blocking_.computation;
    attribute_excess(exposed(blocking_));
    begin_trials();
}

void Tuner::expect_computation(double seconds) {
    const double more = seconds - blocking_.computation;
    blocking_.elapsed += more;
    blocking_.computation += more;
    workload_.compute = seconds;
}

void Tuner::begin_trials() {
    phase_ = Phase::trial;
    best_.reset();
    search_ = Search::planned;
    trials_ = 0;
    lost_ = 0;
    worst_ = 0;
    Plan plan = planned(wire_scale_);
    if (plan.messages.count() == 1) {
        // It has been run.
        if (other_wire_scale_ == wire_scale_) {
            settle();
            return;
        }
        best_ = {std::move(plan), blocking_};
        search_ = Search::other_wire;
        plan = planned(other_wire_scale_);
    }
    planned_count_ = plan.messages.count();
    if (planned_count_ > 1) {
        try_next(std::move(plan));
    } else {
        settle();
    }
}

void Tuner::try_next(Plan plan) {
    ++trials_;
    samples_.clear();
    current_ = {std::move(plan), {}};
}

void Tuner::end_trial() {
    // What the models propose need not be faster by more than chance.
    const double margin = search_ <= Search::other_computation ? 0 : least_gain;
    const bool improved = !best_ || cost(current_.seen) < (1 - margin) * cost(best_->seen);
    if (improved) {
        best_ = current_;
        if (margin == 0) planned_count_ = current_.plan.messages.count();
        if (search_ == Search::other_wire) {
            wire_scale_ = other_wire_scale_;
            delay_ = 0;
        }
    }
    if (search_ == Search::planned && other_wire_scale_ != wire_scale_) {
        search_ = Search::other_wire;
        if (Plan other = planned(other_wire_scale_); !(other.messages == best_->plan.messages)) {
            try_next(std::move(other));
            return;
        }
    }
    const bool by_models = search_ <= Search::other_computation;
    if (search_ < Search::other_computation && trials_ < most_trials &&
        least_computation_ < (1 - least_gain) * workload_.compute) {
        search_ = Search::other_computation;
        expect_computation(least_computation_);  // the first steps were all disturbed
        if (Plan plan = planned(wire_scale_); !(plan.messages == best_->plan.messages)) {
            try_next(std::move(plan));
            return;
        }
    }
    if (!(by_models && !deviates(*best_)) && trials_ < most_trials) {
        if (auto next = proposal(improved)) {
            try_next(std::move(*next));
            return;
        }
    }
    settle();
}

std::optional<Plan> Tuner::proposal(bool improved) {
    const Plan& best = best_->plan;
    const std::uint64_t count = best.messages.count();
    switch (search_) {
        case Search::planned:
        case Search::other_wire:
        case Search::other_computation:
            search_ = Search::polling;
            if (lacks_progress(*best_)) return polling(best);
            [[fallthrough]];
        case Search::polling:
            search_ = Search::coarser;
            improved = true;
            [[fallthrough]];
        case Search::coarser:
            if (improved && count > 2) return with_messages(best, merged_pairs(best.messages));
            // Where fewer were faster, more are not.
            if (count < planned_count_) return std::nullopt;
            search_ = Search::finer;
            improved = true;
            [[fallthrough]];
        case Search::finer:
            if (!improved || count > most_tuned / 2) return std::nullopt;
            if (Messages more = halved(best.messages); more.count() > count)
                return with_messages(best, std::move(more));
    }
    return std::nullopt;
}

void Tuner::settle() {
    if (best_ && cost(best_->seen) <= cost(blocking_)) {
        current_ = *best_;
    } else {
        current_ = {blocking_plan(), blocking_};
    }
    phase_ = Phase::settled;
    other_wire_scale_ = wire_scale_;
    samples_.clear();
    deviations_ = 0;
    drift_patience_ = current_.plan.messages == before_
                          ? std::min(2 * drift_patience_, most_patience)
                          : least_patience;
}

void Tuner::check_drift(const StepTimes& seen) {
    const StepTimes& expected = current_.seen;
    const double noise = options_.tolerance * expected.elapsed;
    const double more_computation = seen.computation - expected.computation;
    const bool other_computation = std::abs(more_computation) > 2 * noise;
    const bool other_rest = std::abs(exposed(seen) - exposed(expected)) > noise;
    deviations_ = other_computation || other_rest ? deviations_ + 1 : 0;
    if (deviations_ < drift_patience_) return;
    if (!other_computation) {
        begin_learning();
        return;
    }
    before_ = current_.plan.messages;
    expect_computation(seen.computation);
    least_computation_ = seen.computation;
    begin_trials();
}

Plan Tuner::planned(double wire) const {
    return lapwing::plan(wire == 1 ? profile_ : with_wire_scaled(profile_, wire), workload_);
}

Plan Tuner::blocking_plan() const {
    Plan plan = planned(wire_scale_);
    const std::uint64_t volume = plan.messages.volume();
    Messages whole = Messages::uniform(volume, volume, plan.messages.grain());
    plan = with_messages(std::move(plan), std::move(whole));
    // Messages of several peers may well overlap each other.
    plan.window = static_cast<int>(
        std::clamp<std::uint64_t>(plan.workload.peers, 1, static_cast<std::uint64_t>(plan.window)));
    plan.burst = 0;
    plan.pace = 0;
    plan.poll_interval = 0;
    plan.poll_reason = "nothing is overlapped";
    plan.predicted = plan.blocking;
    return plan;
}

void Tuner::attribute_excess(double communication) {
    wire_scale_ = 1;
    other_wire_scale_ = 1;
    delay_ = 0;
    const auto predicted = [&](double wire) { return planned(wire).blocking - workload_.compute; };
    const double once = predicted(1);
    const double apart = communication - once;
    if (std::abs(apart) <= wire_tolerance * blocking_.elapsed) return;
    // What the processors have to do stays, so the time is a straight line in the wire's.
    const double each = predicted(2) - once;
    if (each > 0)
        other_wire_scale_ = std::clamp(1 + apart / each, 1 / max_wire_scale, max_wire_scale);
    if (apart > 0) {
        delay_ = apart;
    } else {
        wire_scale_ = other_wire_scale_;  // nothing is late by less than nothing
    }
}

double Tuner::cost(const StepTimes& seen) const { return exposed(seen) + least_computation_; }

bool Tuner::deviates(const Trial& trial) const {
    const double expected = exposed(trial.plan) + delay_;
    return exposed(trial.seen) - expected > options_.tolerance * trial.seen.elapsed;
}

bool Tuner::lacks_progress(const Trial& trial) const {
    if (trial.plan.poll_interval > 0) return false;
    // More than half of what should have been hidden was not, and most of that was spent waiting.
    const double unhidden = exposed(trial.seen) - exposed(trial.plan);
    const double hideable = exposed(blocking_) - exposed(trial.plan);
    return unhidden > hideable / 2 && trial.seen.wait > unhidden / 2;
}

Plan Tuner::polling(Plan plan) const {
    const double messages = polls_per_message * static_cast<double>(plan.messages.count());
    plan.poll_interval = workload_.compute / messages;
    plan.poll_reason = "messages did not seem to move while nobody called";
    return plan;
}

TunerState Tuner::learnt() const {
    if (!settled()) throw std::logic_error("a tuner that is still learning has nothing to tell");
    return {.workload = workload_,
            .fingerprint = profile_.fingerprint,
            .wire = wire_scale_,
            .blocking = blocking_,
            .step = current_.seen,
            .messages = current_.plan.messages,
            .window = current_.plan.window,
            .poll_interval = current_.plan.poll_interval};
}

}  // namespace lapwing
