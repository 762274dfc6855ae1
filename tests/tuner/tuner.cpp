#include "lapwing/tuner/tuner.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"
#include "support/machine.hpp"

using lapwing::Messages;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::StepTimes;
using lapwing::Tuner;
using lapwing::TunerOptions;
using lapwing::TunerState;
using lapwing::Workload;
using lapwing::test::Random;

namespace {

/// A loop that receives and consumes a stream, as it really is: played message by message.
struct Loop {
    Profile machine;
    Workload workload;
    bool moves_alone = true;  ///< whether messages advance while nobody polls

    [[nodiscard]] double seconds(const Plan& plan, double compute) const {
        const auto volume = static_cast<double>(workload.volume);
        const auto costs = lapwing::model::stream_costs(machine, volume, compute);
        if (!moves_alone && plan.poll_interval == 0) {
            // Each message takes its whole time when somebody waits for it.
            double sum = compute;
            for (const auto size : plan.messages)
                sum += blocking(lapwing::model::stream_costs(machine, volume, 0),
                                static_cast<double>(size));
            return sum;
        }
        return lapwing::simulate::stream_seconds(costs, plan.messages);
    }
    [[nodiscard]] double seconds(const Plan& plan) const { return seconds(plan, workload.compute); }
    /// A step of it, its computation `factor` times as long as usual.
    [[nodiscard]] StepTimes step(const Plan& plan, double factor = 1) const {
        const double compute = factor * workload.compute;
        const double elapsed = seconds(plan, compute);
        return {.elapsed = elapsed, .computation = compute, .wait = elapsed - compute};
    }
    /// With nothing overlapped.
    [[nodiscard]] double blocking_seconds() const {
        const auto volume = static_cast<double>(workload.volume);
        return blocking(lapwing::model::stream_costs(machine, volume, workload.compute), volume);
    }
};

Loop any_loop(Random& random) {
    Loop loop;
    loop.machine = lapwing::test::any_machine(random);
    loop.machine.nic = lapwing::Nic::serialising;
    auto& workload = loop.workload;
    workload.grain = 8;
    workload.volume = 8 * static_cast<std::uint64_t>(random.log_uniform(1024, 1 << 20));
    workload.compute =
        loop.machine.loggp.G * static_cast<double>(workload.volume) * random.log_uniform(0.25, 3);
    return loop;
}

Loop usual_loop() {
    Loop loop;
    loop.machine = lapwing::test::infiniband();
    loop.workload = {.volume = 1 << 20, .compute = 1.4e-3, .grain = 8};
    return loop;
}

/// Of a computation on a machine that does other things too: a little more each time, and now and
/// then much more.
double disturbance(Random& random) {
    const double usual = -0.01 * std::log(random.uniform(1e-9, 1));
    return 1 + usual + (random.chance(0.05) ? random.uniform(0.05, 0.5) : 0);
}

/// Runs `loop` until the tuner is settled; the steps that took.
int settle(Tuner& tuner, const Loop& loop) {
    int steps = 0;
    for (; !tuner.settled(); ++steps) tuner.step(loop.step(tuner.plan()));
    return steps;
}

}  // namespace

TEST_CASE("a wrong estimate is found out in a bounded number of steps", "[plan][tuner]") {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Loop loop = any_loop(random);
        const Plan known = lapwing::plan(loop.machine, loop.workload);
        Workload guessed = loop.workload;
        guessed.compute *= random.pick({1.0 / 3, 1.0, 3.0});
        Tuner tuner(loop.machine, guessed);
        int steps = 0;
        for (; !tuner.settled() && steps < 100; ++steps)
            tuner.step(loop.step(tuner.plan(), disturbance(random)));
        CAPTURE(i, steps, tuner.plan().messages.count(), known.messages.count());
        CHECK(steps <= Tuner::most_steps);
        CHECK(loop.seconds(tuner.plan()) <= 1.03 * loop.seconds(known));
    }
}

TEST_CASE("a network that is not what the profile says is found out too", "[plan][tuner]") {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const Loop loop = any_loop(random);
        Profile believed = loop.machine;
        const double factor = random.log_uniform(0.25, 4);
        believed.loggp.L *= factor;
        believed.loggp.G *= factor;
        Tuner tuner(believed, loop.workload);
        const int steps = settle(tuner, loop);
        const Plan known = lapwing::plan(loop.machine, loop.workload);
        CAPTURE(i, steps, factor, tuner.plan().messages.count(), known.messages.count());
        CHECK(steps <= Tuner::most_steps);
        CHECK(loop.seconds(tuner.plan()) <= 1.03 * loop.seconds(known));
    }
}

TEST_CASE("a step that begins late is no slower wire", "[plan][tuner]") {
    Random random(6);
    for (int i = 0; i < 200; ++i) {
        const Loop loop = any_loop(random);
        const Plan known = lapwing::plan(loop.machine, loop.workload);
        // As where ranks leave a barrier one after another.
        const double late = random.uniform(0, 0.5) * (known.blocking - loop.workload.compute);
        Tuner tuner(loop.machine, loop.workload);
        int steps = 0;
        for (; !tuner.settled() && steps < 100; ++steps) {
            StepTimes seen = loop.step(tuner.plan());
            seen.elapsed += late;
            seen.wait += late;
            tuner.step(seen);
        }
        CAPTURE(i, steps, late);
        CHECK(steps <= Tuner::most_steps);
        CHECK(loop.seconds(tuner.plan()) + late <= 1.03 * (loop.seconds(known) + late));
    }
}

TEST_CASE("one step that was disturbed ends no trial", "[plan][tuner]") {
    const Loop loop = usual_loop();
    Tuner tuner(loop.machine, loop.workload);
    int steps = 0;
    for (; !tuner.settled(); ++steps) {
        StepTimes seen = loop.step(tuner.plan());
        if (steps == 0 || steps == 4) seen.elapsed += 100 * seen.elapsed;
        tuner.step(seen);
    }
    CHECK(steps <= Tuner::most_steps);
    CHECK(tuner.plan().messages == lapwing::plan(loop.machine, loop.workload).messages);
}

TEST_CASE("trials cost no more than what is allowed", "[plan][tuner]") {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const Loop believed = any_loop(random);
        // What it costs to have messages was measured wrong, far beyond reason.
        Loop loop = believed;
        const double factor = random.log_uniform(1, 1000);
        loop.machine.loggp.o_s *= factor;
        loop.machine.loggp.o_r *= factor;
        for (auto& row : loop.machine.overhead.send)
            for (double& value : row) value *= factor;
        for (double& value : loop.machine.overhead.receive) value *= factor;
        TunerOptions options;
        options.allowance = random.pick({0.0, 0.5, 1.0, 3.0});
        Tuner tuner(believed.machine, loop.workload, options);
        const double blocking = loop.blocking_seconds();
        double lost = 0;
        double last = 0;
        double worst = 0;
        int steps = 0;
        for (; !tuner.settled(); ++steps) {
            const StepTimes seen = loop.step(tuner.plan());
            last = std::max(0.0, seen.elapsed - blocking);
            worst = std::max(worst, last);
            lost += last;
            tuner.step(seen);
        }
        CAPTURE(i, steps, factor, lost / blocking, last / blocking);
        CHECK(steps <= Tuner::most_steps);
        CHECK(lost <= options.allowance * blocking + worst + last + 1e-12);
        CHECK(loop.seconds(tuner.plan()) <= blocking * (1 + 1e-9));
    }
}

TEST_CASE("where overheads are larger than believed there are fewer messages", "[plan][tuner]") {
    Loop loop = usual_loop();
    const Profile believed = loop.machine;
    loop.machine.loggp.o_r *= 8;
    loop.machine.loggp.o_s *= 8;
    Tuner tuner(believed, loop.workload);
    settle(tuner, loop);
    const Plan trusting = lapwing::plan(believed, loop.workload);
    const Plan known = lapwing::plan(loop.machine, loop.workload);
    CHECK(tuner.plan().messages.count() < trusting.messages.count());
    CHECK(loop.seconds(tuner.plan()) < loop.seconds(trusting));
    CHECK(loop.seconds(tuner.plan()) < 1.05 * loop.seconds(known));
    CHECK(tuner.plan().messages.volume() == loop.workload.volume);
}

TEST_CASE("messages that only move when polled are polled", "[plan][tuner]") {
    Loop loop = usual_loop();
    loop.moves_alone = false;
    Tuner tuner(loop.machine, loop.workload);
    CHECK(settle(tuner, loop) <= Tuner::most_steps);
    CHECK(tuner.plan().poll_interval > 0);
    CHECK(loop.seconds(tuner.plan()) <=
          1.03 * loop.seconds(lapwing::plan(loop.machine, loop.workload)) + 2e-6);
}

TEST_CASE("what is not worth cutting is left whole", "[plan][tuner]") {
    Loop loop = usual_loop();
    loop.workload.volume = 8;
    loop.workload.compute = 1e-9;
    Tuner tuner(loop.machine, loop.workload);
    settle(tuner, loop);
    CHECK(tuner.plan().messages.count() == 1);
}

TEST_CASE("a settled tuner follows the computation", "[plan][tuner]") {
    Loop loop = usual_loop();
    Tuner tuner(loop.machine, loop.workload);
    settle(tuner, loop);
    for (const double factor : {5.0, 0.1, 3.0}) {
        loop.workload.compute *= factor;
        for (int step = 0; step < 3 * TunerOptions{}.interval + Tuner::most_steps; ++step)
            tuner.step(loop.step(tuner.plan()));
        CAPTURE(factor);
        CHECK(tuner.settled());
        const Plan known = lapwing::plan(loop.machine, loop.workload);
        CHECK(loop.seconds(tuner.plan()) <= 1.01 * loop.seconds(known));
    }
}

TEST_CASE("a settled tuner follows the network", "[plan][tuner]") {
    Loop loop = usual_loop();
    Tuner tuner(loop.machine, loop.workload);
    settle(tuner, loop);
    for (const double factor : {4.0, 0.25}) {
        loop.machine.loggp.G *= factor;
        loop.machine.loggp.L *= factor;
        for (int step = 0; step < 3 * TunerOptions{}.interval + Tuner::most_steps; ++step)
            tuner.step(loop.step(tuner.plan()));
        CAPTURE(factor);
        CHECK(tuner.settled());
        const Plan known = lapwing::plan(loop.machine, loop.workload);
        CHECK(loop.seconds(tuner.plan()) <= 1.01 * loop.seconds(known));
    }
}

TEST_CASE("a settled tuner is not moved by noise", "[plan][tuner]") {
    Random random(4);
    const Loop loop = usual_loop();
    Tuner tuner(loop.machine, loop.workload);
    settle(tuner, loop);
    const Messages messages = tuner.plan().messages;
    for (int step = 0; step < 4000; ++step) {
        tuner.step(loop.step(tuner.plan(), disturbance(random)));
        REQUIRE(tuner.plan().messages == messages);
    }
}

TEST_CASE("it agrees on every step while it learns, then once an interval", "[plan][tuner]") {
    const Loop loop = usual_loop();
    TunerOptions options;
    options.interval = 5;
    Tuner tuner(loop.machine, loop.workload, options);
    int asked = 0;
    const auto agree = [&](const StepTimes& mine) {
        ++asked;
        return mine;
    };
    int learning = 0;
    for (; !tuner.settled(); ++learning) tuner.step(loop.step(tuner.plan()), agree);
    CHECK(asked == learning);
    for (int step = 0; step < 50; ++step) tuner.step(loop.step(tuner.plan()), agree);
    CHECK(asked == learning + 10);
}

TEST_CASE("tuners that agree have the same plans", "[plan][tuner]") {
    Random random(5);
    const Loop loop = any_loop(random);
    Tuner one(loop.machine, loop.workload);
    Tuner other(loop.machine, loop.workload);
    for (int step = 0; step < 200; ++step) {
        REQUIRE(one.plan().messages == other.plan().messages);
        REQUIRE(one.plan().window == other.plan().window);
        const StepTimes seen = loop.step(one.plan(), disturbance(random));
        // The other one saw nothing, and is told.
        one.step(seen);
        other.step({}, [&](const StepTimes&) { return seen; });
        if (one.settled()) break;
    }
    CHECK(other.settled());
}

TEST_CASE("what one run learnt the next one begins with", "[plan][tuner]") {
    Loop loop = usual_loop();
    Profile believed = loop.machine;
    believed.loggp.G *= 3;
    Tuner first(believed, loop.workload);
    CHECK_THROWS_AS(first.learnt(), std::logic_error);
    settle(first, loop);
    const TunerState learnt = first.learnt();
    const Tuner second(believed, learnt);
    CHECK(second.settled());
    CHECK(second.plan().messages == first.plan().messages);
    CHECK(second.plan().window == first.plan().window);
    CHECK(second.learnt().step == learnt.step);

    const auto refused = [&](auto&& change) {
        TunerState wrong = learnt;
        change(wrong);
        CHECK_THROWS_AS(Tuner(believed, wrong), std::invalid_argument);
    };
    refused([](TunerState& x) { x.fingerprint = "another"; });
    refused([](TunerState& x) { x.workload.volume += 8; });
    refused([](TunerState& x) { x.workload.grain = 16; });
    refused([](TunerState& x) { x.workload.compute = std::nan(""); });
    refused([](TunerState& x) { x.messages = {}; });
    refused([](TunerState& x) { x.wire = 0; });
    refused([](TunerState& x) { x.window = 0; });
    refused([](TunerState& x) { x.poll_interval = -1; });
    refused([](TunerState& x) { x.step.elapsed = -1; });
}

TEST_CASE("what is no time, and what are no options, is refused", "[plan][tuner]") {
    const Loop loop = usual_loop();
    Tuner tuner(loop.machine, loop.workload);
    const double infinity = std::numeric_limits<double>::infinity();
    int asked = 0;
    const auto agree = [&](const StepTimes& mine) {
        ++asked;
        return mine;
    };
    for (const double wrong : {std::nan(""), -1.0, infinity}) {
        CHECK_THROWS_AS(tuner.step({.elapsed = wrong}, agree), std::invalid_argument);
        CHECK_THROWS_AS(tuner.step({.elapsed = 1, .computation = wrong}, agree),
                        std::invalid_argument);
        CHECK_THROWS_AS(tuner.step({.elapsed = 1, .computation = 1, .wait = wrong}, agree),
                        std::invalid_argument);
    }
    CHECK(asked == 0);
    settle(tuner, loop);

    for (const auto& options :
         {TunerOptions{.tolerance = 0}, TunerOptions{.tolerance = std::nan("")},
          TunerOptions{.allowance = -1}, TunerOptions{.interval = 0}})
        CHECK_THROWS_AS(Tuner(loop.machine, loop.workload, options), std::invalid_argument);
    CHECK_THROWS_AS(Tuner(loop.machine, {.volume = 0}), std::invalid_argument);
}
