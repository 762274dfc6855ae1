#include "lapwing/plan/iancu2007/planner.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/table.hpp"
#include "support/machine.hpp"

using lapwing::Method;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;
using lapwing::test::Random;

namespace {

constexpr double forbidden = std::numeric_limits<double>::infinity();

/// The equations written out once more, in the paper's own letters; `communication_bound`: those of
/// this case.
double paper_seconds(const Profile& profile, const Workload& workload, double S, double b,
                     bool communication_bound) {
    const auto V = static_cast<double>(workload.volume);
    const double t_V = workload.compute;
    const double o = send_overhead(profile, S, static_cast<int>(b)) + receive_overhead(profile, S);
    const double L = profile.loggp.L;
    const double G_S = gap_per_byte(profile, S);
    const double G_V = gap_per_byte(profile, V);
    const double n_b = V / S / b;
    const double t_S = t_V * S / V;
    if (profile.queue_depth && b >= *profile.queue_depth) return forbidden;
    if (L + G_S * S <= (b - 1) * o) return forbidden;
    if (communication_bound) {
        if (G_V * V > t_V && G_V * V - t_V <= V / S * o) return forbidden;
        return (o + L) * n_b * t_V / (G_V * V) + V / S * G_S * S + t_S;
    }
    if (n_b < 2) return (o + L + G_S * S + b * t_S) * n_b;
    return o + L + G_S * S + b * t_S * n_b + o * b * (n_b - 2);
}

Profile any_profile(Random& random) {
    Profile profile = lapwing::test::any_machine(random);
    auto& bandwidth = profile.bandwidth;
    if (random.chance(0.7)) {
        for (std::uint64_t size = 8; size <= 1 << 23; size *= 16) {
            const auto bytes = static_cast<double>(size);
            const double speed = bytes / (profile.loggp.o_s + profile.loggp.G * bytes);
            bandwidth.sizes.push_back(size);
            bandwidth.unidirectional.push_back(speed);
            bandwidth.bidirectional.push_back(2 * speed);
        }
    }
    return profile;
}

}  // namespace

TEST_CASE("the paper's plan is the least of the paper's equations", "[plan]") {
    Random random(61);
    for (int trial = 0; trial < 1000; ++trial) {
        const Profile profile = any_profile(random);
        Workload workload;
        workload.volume = static_cast<std::uint64_t>(random.log_uniform(8, 1e9));
        workload.grain = random.pick<std::uint64_t>({1, 8, 64});
        workload.compute = profile.loggp.G * static_cast<double>(workload.volume) *
                           random.pick({0.0, 0.25, 0.4, 1.0, 1.6, 3.0});
        const auto method =
            random.pick({Method::paper, Method::paper_communication, Method::paper_computation});
        const double line = gap_per_byte(profile, static_cast<double>(workload.volume));
        const bool communication_bound =
            method == Method::paper ? line * static_cast<double>(workload.volume) > workload.compute
                                    : method == Method::paper_communication;
        const Plan plan = lapwing::plan(profile, workload, method);

        double best = forbidden;
        bool found = false;
        for (int s = 0; s < 53; ++s) {
            const std::uint64_t size = 1ULL << s;
            if (size > workload.volume || size % workload.grain != 0) continue;
            const std::uint64_t count = (workload.volume + size - 1) / size;
            if (count > 8192) continue;
            for (int b = 1; b <= 64; b *= 2) {
                if (static_cast<std::uint64_t>(b) > count) continue;
                const double seconds = paper_seconds(profile, workload, static_cast<double>(size),
                                                     b, communication_bound);
                best = std::min(best, seconds);
                if (seconds < forbidden && std::abs(seconds - plan.predicted) <= 1e-12 * seconds &&
                    plan.messages.runs().front().size == size && plan.burst == b)
                    found = true;
            }
        }
        const double whole = lapwing::model::blocking(
            lapwing::model::stream_costs(profile, static_cast<double>(workload.volume),
                                         workload.compute),
            static_cast<double>(workload.volume));
        INFO(trial << ": volume " << workload.volume << " grain " << workload.grain << " message "
                   << plan.messages.runs().front().size << " burst " << plan.burst);
        CHECK(plan.predicted == Approx(std::min(best, whole)).epsilon(1e-12));
        if (best < whole) CHECK(found);
        if (best > whole) CHECK(plan.messages.count() == 1);
        CHECK(plan.window == 2 * plan.burst);
        CHECK(plan.blocking == whole);
    }
}

TEST_CASE("the paper's plan is uniform messages of the grain", "[plan]") {
    const Plan plan =
        lapwing::plan(lapwing::test::infiniband(),
                      {.volume = 1000000, .compute = 1e-3, .grain = 16}, Method::paper);
    const auto sizes = plan.messages.list();
    REQUIRE(sizes.size() > 1);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        sum += sizes[k];
        if (k + 1 < sizes.size()) CHECK(sizes[k] == sizes[0]);
    }
    CHECK(sizes[0] % 16 == 0);
    CHECK(sum == 1000000);
}

TEST_CASE("the queue depth bounds the paper's burst", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 8 << 20, .compute = 8e-3, .grain = 8};
    for (const int depth : {2, 3, 8, 32}) {
        profile.queue_depth = depth;
        CHECK(lapwing::plan(profile, workload, Method::paper).burst < depth);
    }
}

namespace {

/// Rates by pattern: nearest neighbours at full speed, across the bisection at half or a third.
Profile crowded() {
    Profile profile = lapwing::test::infiniband();
    const double G = profile.loggp.G;
    profile.patterns = {{.pattern = "nearest-neighbour",
                         .processes = {8},
                         .sizes = {65536},
                         .slowest = {{G}},
                         .fastest = {{G}},
                         .fairness = {{1}}},
                        {.pattern = "cross-bisection",
                         .processes = {8},
                         .sizes = {65536},
                         .slowest = {{3 * G}},
                         .fastest = {{2 * G}},
                         .fairness = {{0.9}}}};
    return profile;
}

Workload among(lapwing::Pattern pattern, double ratio) {
    Workload workload{.volume = 7 << 16, .grain = 8};
    workload.compute = ratio * static_cast<double>(workload.volume) / 750e6;
    workload.pattern = pattern;
    workload.ranks = 8;
    return workload;
}

double size_of(const Plan& plan) { return static_cast<double>(plan.messages.runs().front().size); }

}  // namespace

TEST_CASE("the paper's multiple end points are streams one after the other", "[plan]") {
    const auto workload = among(lapwing::Pattern::multi, 0.4);
    const Plan plan = lapwing::plan(crowded(), workload, Method::paper);
    CHECK(plan.order == lapwing::PeerOrder::contiguous);
    Workload one{.volume = 1 << 16, .compute = workload.compute / 7, .grain = 8};
    const Plan stream = lapwing::plan(lapwing::test::infiniband(), one, Method::paper);
    CHECK(size_of(plan) == size_of(stream));
    CHECK(plan.burst == stream.burst);
    CHECK(plan.predicted == Approx(7 * stream.predicted));
}

TEST_CASE("the paper's congestion adds the bursts of all others", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto workload = among(lapwing::Pattern::congested, 0.4);
    const Plan plan = lapwing::plan(profile, workload, Method::paper);
    double best = plan.blocking;
    for (double S = 8; S <= static_cast<double>(workload.volume); S *= 2)
        for (double b = 1; b <= 64; b *= 2) {
            const double N = std::ceil(static_cast<double>(workload.volume) / S);
            if (N > 8192 || b > N) continue;
            best = std::min(best, paper_seconds(profile, workload, S, b, true) + 6 * b * S / 750e6);
        }
    CHECK(plan.predicted == Approx(best));
}

TEST_CASE("the paper's all-to-all has bursts of one", "[plan]") {
    const double ratio = GENERATE(0.4, 1.6);
    auto workload = among(lapwing::Pattern::alltoall, ratio);
    const Plan plan = lapwing::plan(crowded(), workload, Method::paper);
    CHECK(plan.burst == 1);
    // Balanced loads where communication takes longer have another good answer.
    CHECK(plan.runner_up.what.empty() == (ratio > 1));
    workload.balanced = false;
    CHECK(lapwing::plan(crowded(), workload, Method::paper).runner_up.what.empty());
}

TEST_CASE("the equations of the other case plan another all-to-all", "[plan]") {
    for (const double ratio : {0.4, 1.6}) {
        const auto workload = among(lapwing::Pattern::alltoall, ratio);
        const bool communication_bound = ratio < 1;
        const auto right =
            communication_bound ? Method::paper_communication : Method::paper_computation;
        const auto wrong =
            communication_bound ? Method::paper_computation : Method::paper_communication;
        const Plan plan = lapwing::plan(crowded(), workload, Method::paper);
        CHECK(lapwing::plan(crowded(), workload, right) == plan);
        CHECK(lapwing::plan(crowded(), workload, right).predicted == plan.predicted);
        CHECK(lapwing::plan(crowded(), workload, wrong).predicted != plan.predicted);
    }
}

TEST_CASE("over its bursts an all-to-all's equations are at least as small", "[plan]") {
    for (const double ratio : {0.4, 0.9, 1.6}) {
        const auto workload = among(lapwing::Pattern::alltoall, ratio);
        const Plan one = lapwing::plan(crowded(), workload, Method::paper);
        const Plan any = lapwing::plan(crowded(), workload, Method::paper_bursts);
        CHECK(any.method == Method::paper_bursts);
        CHECK(any.predicted <= one.predicted);
        CHECK(any.window == 2 * any.burst);
    }
    // The last term of equation 11 is the same for any burst, and its first falls with the burst.
    const auto workload = among(lapwing::Pattern::alltoall, 0.4);
    CHECK(lapwing::plan(crowded(), workload, Method::paper_bursts).burst > 1);
}

TEST_CASE("the volume outstanding is limited where that was seen", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 8 << 20, .compute = 4e-3, .grain = 8};
    profile.protocol = lapwing::Protocol{};
    profile.protocol->outstanding = 1 << 14;
    const Plan plan = lapwing::plan(profile, workload, Method::paper);
    CHECK(size_of(plan) * plan.burst <= 1 << 14);
    const Plan free = lapwing::plan(lapwing::test::infiniband(), workload, Method::paper);
    CHECK(size_of(free) * free.burst > 1 << 14);
}

TEST_CASE("an overhead of single messages is another estimate", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    profile.overhead = {
        .sizes = {8}, .bursts = {1, 2}, .send = {{4e-6, 1e-6}}, .receive = {1.5e-6}};
    const Workload workload{.volume = 1 << 20, .compute = 0.6e-3, .grain = 8};
    const Plan by_burst = lapwing::plan(profile, workload, Method::paper);
    const Plan by_size = lapwing::plan(profile, workload, Method::paper_size);
    CHECK(by_size.predicted > by_burst.predicted);
}

TEST_CASE("what the paper has no model of is refused", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    CHECK_THROWS_WITH(lapwing::plan(profile, among(lapwing::Pattern::buckets, 1), Method::paper),
                      Catch::Contains("no model of buckets"));
    auto both = among(lapwing::Pattern::alltoall, 1);
    both.direction = lapwing::Direction::both;
    CHECK_THROWS_WITH(lapwing::plan(profile, both, Method::paper), Catch::Contains("both sides"));
}
