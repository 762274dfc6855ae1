#include "lapwing/tuner/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lapwing/plan/candidates/neighbours.hpp"
#include "lapwing/profile/wire_scaled.hpp"

namespace lapwing {
namespace {

// Steps of each plan: one of them is hardly disturbed. The first of a program always is.
constexpr int samples_each = 3;
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
// Checks in a row that deviate before the tuner learns again: bounds of `drift_patience_`.
constexpr int most_patience = 64;
constexpr int least_patience = 2;

/// Seconds of a step that are not the program's own work.
double exposed(const StepTimes& seen) { return std::max(0.0, seen.elapsed - seen.computation); }
double exposed(const Plan& plan) { return plan.predicted - plan.workload.compute; }

bool is_time(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

void require(bool condition, const char* otherwise) {
    if (!condition) throw std::invalid_argument(otherwise);
}

void validate(const StepTimes& seen) {
    require(is_time(seen.elapsed) && is_time(seen.computation) && is_time(seen.wait),
            "times of a step must be finite numbers, 0 or more");
}

void validate(const TunerOptions& options) {
    require(options.tolerance > 0 && std::isfinite(options.tolerance),
            "tolerance must be a finite number above 0");
    require(is_time(options.allowance), "allowance must be a finite number of steps, 0 or more");
    require(options.interval >= 1, "interval must be 1 step or more");
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
    : profile_(std::move(profile)),
      workload_(over_one_transport(complete(workload))),
      options_(options) {
    validate(options);
    begin_learning();
}

Tuner::Tuner(Profile profile, const TunerState& learnt, const TunerOptions& options)
    : profile_(std::move(profile)),
      workload_(learnt.workload),
      options_(options),
      wire_scale_(learnt.wire),
      stage_(Stage::settled),
      blocking_(learnt.blocking) {
    validate(options);
    validate(learnt.blocking);
    validate(learnt.step);
    require(wire_scale_ > 0 && std::isfinite(wire_scale_),
            "the wire's factor must be a finite number above 0");
    require(learnt.fingerprint == profile_.fingerprint,
            "what was learnt was learnt on another machine");
    require(learnt.window >= 1, "window must be 1 message or more");
    require(is_time(learnt.poll_interval),
            "poll_interval must be a finite number of seconds, 0 or more");
    Plan plan = planned(wire_scale_);
    require(learnt.messages.volume() == plan.messages.volume() &&
                learnt.messages.grain() == plan.messages.grain(),
            "the messages that were learnt are for another workload");
    plan = with_messages(std::move(plan), learnt.messages);
    plan.window = learnt.window;
    plan.poll_interval = learnt.poll_interval;
    current_ = {std::move(plan), {learnt.step}};
}

std::optional<StepTimes> Tuner::note(const StepTimes& mine) {
    validate(mine);
    noted_.add(mine);
    if (settled() && noted_.count < options_.interval) return std::nullopt;
    return std::exchange(noted_, {}).times;
}

void Tuner::decide(const StepTimes& seen) {
    validate(seen);
    if (settled()) return check_drift(seen);
    current_.seen.add(seen);
    if (stage_ != Stage::blocking) {
        // A blocking step would have had the same computation, disturbed or not.
        const double loss = std::max(0.0, exposed(seen) - exposed(blocking_));
        lost_ += loss;
        worst_ = std::max(worst_, loss);
        // The worst step of all may have been chance.
        if (lost_ - worst_ > options_.allowance * blocking_.elapsed) return settle();
    }
    least_computation_ = std::min(least_computation_, seen.computation);
    if (current_.seen.count < samples_each) return;
    stage_ == Stage::blocking ? end_blocking() : end_trial();
}

void Tuner::begin_learning() {
    before_ = current_.plan.messages;
    stage_ = Stage::blocking;
    current_ = {blocking_plan(), {}};
}

void Tuner::end_blocking() {
    blocking_ = current_.seen.times;
    least_computation_ = blocking_.computation;
    workload_.compute = blocking_.computation;
    wire_scale_ = 1;
    other_wire_scale_ = 1;
    delay_ = 0;
    const auto predicted = [&](double wire) { return planned(wire).blocking - workload_.compute; };
    const double once = predicted(1);
    const double apart = exposed(blocking_) - once;
    if (std::abs(apart) > wire_tolerance * blocking_.elapsed) {
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
    begin_trials();
}

void Tuner::begin_trials() {
    stage_ = Stage::planned;
    best_.reset();
    trials_ = 0;
    lost_ = 0;
    worst_ = 0;
    Plan plan = planned(wire_scale_);
    if (plan.messages.count() == 1 && other_wire_scale_ != wire_scale_) {
        best_ = {std::move(plan), {blocking_}};  // it has been run
        stage_ = Stage::other_wire;
        plan = planned(other_wire_scale_);
    }
    planned_count_ = plan.messages.count();
    try_or_settle(planned_count_ > 1 ? std::optional(std::move(plan)) : std::nullopt);
}

void Tuner::try_or_settle(std::optional<Plan> next) {
    if (!next) return settle();
    ++trials_;
    current_ = {std::move(*next), {}};
}

void Tuner::end_trial() {
    // What the models propose need not be faster by more than chance.
    const double margin = stage_ <= Stage::other_work ? 0 : least_gain;
    const bool improved =
        !best_ || cost(current_.seen.times) < (1 - margin) * cost(best_->seen.times);
    if (improved) {
        best_ = current_;
        if (margin == 0) planned_count_ = current_.plan.messages.count();
        if (stage_ == Stage::other_wire) {
            wire_scale_ = other_wire_scale_;
            delay_ = 0;
        }
    }
    try_or_settle(trials_ < most_trials ? proposal(improved) : std::nullopt);
}

std::optional<Plan> Tuner::proposal(bool improved) {
    const auto& [best, fastest] = *best_;
    const StepTimes& seen = fastest.times;
    const std::uint64_t count = best.messages.count();
    if (stage_ == Stage::planned && other_wire_scale_ != wire_scale_) {
        stage_ = Stage::other_wire;
        if (Plan plan = planned(other_wire_scale_); plan.messages != best.messages) return plan;
    }
    if (stage_ < Stage::other_work && least_computation_ < (1 - least_gain) * workload_.compute) {
        stage_ = Stage::other_work;
        expect_computation(least_computation_);  // the first steps were all disturbed
        if (Plan plan = planned(wire_scale_); plan.messages != best.messages) return plan;
    }
    if (stage_ <= Stage::other_work) {
        const double expected = exposed(best);
        if (exposed(seen) - (expected + delay_) <= options_.tolerance * seen.elapsed)
            return std::nullopt;
        stage_ = Stage::polling;
        // More than half of what should have been hidden was not, and most of that was waiting.
        const double unhidden = exposed(seen) - expected;
        if (!(best.poll_interval > 0) && unhidden > (exposed(blocking_) - expected) / 2 &&
            seen.wait > unhidden / 2) {
            Plan plan = best;
            plan.poll_interval =
                workload_.compute / (polls_per_message * static_cast<double>(count));
            plan.poll_reason = "messages did not seem to move while nobody called";
            return plan;
        }
    }
    if (stage_ == Stage::polling) {
        stage_ = Stage::coarser;
        improved = true;
    }
    if (stage_ == Stage::coarser) {
        if (improved && count > 2) return with_messages(best, merged_pairs(best.messages));
        if (count < planned_count_) return std::nullopt;  // fewer were faster: more are not
        stage_ = Stage::finer;
        improved = true;
    }
    if (!improved || count > most_tuned / 2) return std::nullopt;
    Messages more = halved(best.messages);
    if (more.count() <= count) return std::nullopt;
    return with_messages(best, std::move(more));
}

void Tuner::settle() {
    const bool gains = best_ && cost(best_->seen.times) <= cost(blocking_);
    current_ = gains ? *best_ : Trial{blocking_plan(), {blocking_}};
    stage_ = Stage::settled;
    other_wire_scale_ = wire_scale_;
    deviations_ = 0;
    drift_patience_ = current_.plan.messages == before_
                          ? std::min(2 * drift_patience_, most_patience)
                          : least_patience;
}

void Tuner::check_drift(const StepTimes& seen) {
    const StepTimes& expected = current_.seen.times;
    const double noise = options_.tolerance * expected.elapsed;
    const bool other_computation = std::abs(seen.computation - expected.computation) > 2 * noise;
    const bool other_rest = std::abs(exposed(seen) - exposed(expected)) > noise;
    deviations_ = other_computation || other_rest ? deviations_ + 1 : 0;
    if (deviations_ < drift_patience_) return;
    if (!other_computation) return begin_learning();
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
    plan = with_messages(plan, Messages::uniform(volume, volume, plan.messages.grain()));
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

double Tuner::cost(const StepTimes& seen) const { return exposed(seen) + least_computation_; }

TunerState Tuner::learnt() const {
    if (!settled()) throw std::logic_error("a tuner that is still learning has nothing to tell");
    return {.workload = workload_,
            .fingerprint = profile_.fingerprint,
            .wire = wire_scale_,
            .blocking = blocking_,
            .step = current_.seen.times,
            .messages = current_.plan.messages,
            .window = current_.plan.window,
            .poll_interval = current_.plan.poll_interval};
}

}  // namespace lapwing
