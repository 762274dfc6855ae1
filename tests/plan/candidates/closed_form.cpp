#include "lapwing/plan/candidates/shortlist.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/engine.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Messages;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;
using lapwing::model::Stream;
using lapwing::test::Random;
using List = std::vector<std::uint64_t>;

namespace {

struct Case {
    Profile profile;
    Workload workload;
};

/// Any machine, any stream. `most` bytes at most.
Case any_case(Random& random, double most) {
    Case all;
    all.profile = lapwing::test::any_machine(random);
    auto& workload = all.workload;
    workload.volume = static_cast<std::uint64_t>(random.log_uniform(8, most));
    workload.grain = random.pick<std::uint64_t>({1, 8, 8, 24, 4096, 100000});
    if (random.chance(0.7) && workload.volume > workload.grain)
        workload.volume -= workload.volume % workload.grain;
    workload.compute = all.profile.loggp.G * static_cast<double>(workload.volume) *
                       random.pick({0.0, 0.25, 1.0, 1.6, 10.0, random.uniform(0, 10)});
    if (random.chance(0.5)) workload.direction = Direction::produce;
    return all;
}

Stream costs_of(const Case& all) {
    return lapwing::model::stream_costs(all.profile, static_cast<double>(all.workload.volume),
                                        all.workload.compute);
}

/// Seconds a producer needs: it computes a message, then sends it; the receiver only takes it up.
/// Written without the planner's trick of turning time round.
double produce(const Stream& x, const List& sizes) {
    double sender = 0;
    double wire = 0;
    double receiver = 0;
    for (const auto bytes : sizes) {
        const auto size = static_cast<double>(bytes);
        sender += x.t * size + x.o_s(size);
        wire = std::max(wire, sender + x.L) + x.h + x.G * size;
        receiver = std::max(receiver, wire) + x.o_r(size);
    }
    return receiver;
}

/// The stream of a receiver; its sender paces messages that share the wire.
lapwing::simulate::StreamRecurrence fetched(const Case& all) {
    const Stream costs = costs_of(all);
    lapwing::simulate::StreamRecurrence stream(costs);
    if (all.profile.nic == lapwing::Nic::sharing) stream.set_pace(costs.G);
    return stream;
}

double play(const Case& all, const List& sizes) {
    if (all.workload.direction == Direction::produce) return produce(costs_of(all), sizes);
    auto stream = fetched(all);
    for (const auto size : sizes) stream.message(static_cast<double>(size));
    return stream.consumed();
}

/// The fastest of all uniform decompositions, with any number of messages in flight.
double best_uniform(const Case& all) {
    const Stream costs = costs_of(all);
    const auto volume = all.workload.volume;
    const auto grain = all.workload.grain;
    double best = lapwing::model::blocking(costs, static_cast<double>(volume));
    const auto most = (volume + grain - 1) / grain;
    for (std::uint64_t n = 2; n <= most && n < 1000000; n += 1 + n / 64) {
        const std::uint64_t size = ((volume + n - 1) / n + grain - 1) / grain * grain;
        const std::uint64_t count = (volume + size - 1) / size;
        auto play = fetched(all);
        play.messages(static_cast<double>(size), static_cast<double>(count - 1));
        play.message(static_cast<double>(volume - (count - 1) * size));
        best = std::min(best, play.consumed());
    }
    return best;
}

/// The fastest of all ways to cut `units` grains into at most `most` messages.
struct Exhaustive {
    const Case& all;
    std::size_t most;
    List sizes{};
    double best = 1e300;

    double search(std::uint64_t units) {
        cut(units);
        return best;
    }
    void cut(std::uint64_t units) {
        if (units == 0) {
            best = std::min(best, play(all, sizes));
            return;
        }
        if (sizes.size() == most) return;
        const bool last = sizes.size() + 1 == most;
        for (std::uint64_t size = last ? units : 1; size <= units; ++size) {
            sizes.push_back(size * all.workload.grain);
            cut(units - size);
            sizes.pop_back();
        }
    }
};

std::string describe(const Case& all) {
    const Stream x = costs_of(all);
    return "L " + Catch::Detail::stringify(x.L) + " o_s " + Catch::Detail::stringify(x.o_s.base) +
           " + " + Catch::Detail::stringify(x.o_s.per_byte) + " o_r " +
           Catch::Detail::stringify(x.o_r.base) + " + " + Catch::Detail::stringify(x.o_r.per_byte) +
           " G " + Catch::Detail::stringify(x.G) + " t " + Catch::Detail::stringify(x.t) +
           " volume " + std::to_string(all.workload.volume) + " grain " +
           std::to_string(all.workload.grain) +
           (all.workload.direction == Direction::produce ? " produce" : " fetch");
}

/// What is wrong with a plan's messages and window, in a word; empty where nothing is.
std::string fault(const Case& all, const Plan& plan) {
    const auto& workload = all.workload;
    const auto& messages = plan.messages;
    if (messages.volume() != workload.volume || messages.grain() != workload.grain)
        return "workload";
    if (messages.count() < 1) return "count";
    const List sizes = messages.list();
    if (sizes.size() != messages.count()) return "length";
    if (*std::min_element(sizes.begin(), sizes.end()) == 0) return "empty message";
    if (std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) != workload.volume)
        return "sum";
    for (std::size_t k = 0; k + 1 < sizes.size(); ++k)
        if (sizes[k] % workload.grain != 0) return "grain";
    if (plan.window < 1 || static_cast<std::uint64_t>(plan.window) > messages.count())
        return "window";
    if (const auto depth = all.profile.queue_depth; depth && *depth > 1 && plan.window >= *depth)
        return "window and queue depth";
    return "";
}

/// Over many random machines: how many do not hold, and the worst of them.
struct Offenders {
    int count = 0;
    double worst = 0;
    std::string which;

    /// `excess` above 0 offends.
    void add(double excess, const Case& all) {
        if (!(excess > 0)) return;
        ++count;
        if (excess <= worst) return;
        worst = excess;
        which = describe(all);
    }
    [[nodiscard]] std::string report() const {
        return std::to_string(count) + " offend, worst by " + std::to_string(worst) + ": " + which;
    }
};

bool closed_form(const Profile& profile, const Workload& workload) {
    const auto costs =
        workload_costs(profile, complete(workload), lapwing::MessageTransport::two_sided);
    return lapwing::Evaluator(costs.computing, 1e4).stream() != nullptr;
}

}  // namespace

TEST_CASE("any plan is valid, and no slower than not splitting", "[plan]") {
    Random random(41);
    int wrong = 0;
    std::string first;
    for (int trial = 0; trial < 5000; ++trial) {
        const Case all = any_case(random, 1e9);
        const Plan plan = lapwing::plan(all.profile, all.workload);
        const std::string found = fault(all, plan);
        if (!found.empty() && wrong++ == 0) first = found + ": " + describe(all);
        if (plan.predicted > plan.blocking && wrong++ == 0) first = "slow: " + describe(all);
    }
    INFO(first);
    CHECK(wrong == 0);
}

TEST_CASE("no prediction is below the limit", "[plan]") {
    Random random(42);
    Offenders offenders;
    for (int trial = 0; trial < 5000; ++trial) {
        const Case all = any_case(random, 1e9);
        const Plan plan = lapwing::plan(all.profile, all.workload);
        offenders.add(1 - 1e-9 - plan.predicted / plan.limit, all);
    }
    INFO(offenders.report());
    CHECK(offenders.count == 0);
}

TEST_CASE("the prediction is what playing the actual sizes takes", "[plan]") {
    const auto direction = GENERATE(Direction::fetch, Direction::produce);
    Random random(43);
    Offenders offenders;
    for (int trial = 0; trial < 3000; ++trial) {
        Case all = any_case(random, 1e9);
        all.workload.direction = direction;
        const Plan plan = lapwing::plan(all.profile, all.workload);
        const double actual = play(all, plan.messages.list());
        offenders.add(std::abs(actual / plan.predicted - 1) - 0.005, all);
    }
    INFO(offenders.report());
    CHECK(offenders.count == 0);
}

TEST_CASE("no uniform messages are more than half a per cent faster", "[plan]") {
    Random random(44);
    Offenders offenders;
    for (int trial = 0; trial < 1500; ++trial) {
        Case all = any_case(random, 1e9);
        all.workload.direction = Direction::fetch;
        const Plan plan = lapwing::plan(all.profile, all.workload);
        offenders.add(plan.predicted / best_uniform(all) - 1.005, all);
    }
    INFO(offenders.report());
    CHECK(offenders.count == 0);
}

TEST_CASE("few coarse messages against all ways to cut", "[plan]") {
    Random random(45);
    Offenders offenders;
    for (int trial = 0; trial < 400; ++trial) {
        Case all = any_case(random, 1e6);
        const auto units = random.integer(2, 24);
        all.workload.grain = all.workload.volume / units + 1;
        all.workload.volume = all.workload.grain * units;
        all.workload.compute = costs_of(all).G * static_cast<double>(all.workload.volume) *
                               random.pick({0.0, 0.25, 1.0, 1.6, 10.0});
        const Plan plan = lapwing::plan(all.profile, all.workload);
        Exhaustive exhaustive{all, units <= 13 ? 13U : 4U};
        const double best = exhaustive.search(units);
        offenders.add(play(all, plan.messages.list()) / best - 1.12, all);
    }
    INFO(offenders.report());
    CHECK(offenders.count == 0);
}

TEST_CASE("with a fine grain the plan reaches the limit where the sender keeps up", "[plan]") {
    Random random(46);
    for (int trial = 0; trial < 500; ++trial) {
        Case all;
        auto& p = all.profile.loggp;
        p.L = random.log_uniform(0.1e-6, 100e-6);
        p.o_r = random.log_uniform(0.1e-6, 10e-6);
        p.o_s = random.uniform(0.1, 1) * p.o_r;
        p.G = random.log_uniform(0.05e-9, 10e-9);
        // At least a hundred grains in the wire time of an overhead, so that rounding is small.
        all.workload.grain = 1;
        all.workload.volume =
            static_cast<std::uint64_t>(p.o_r / p.G * random.log_uniform(100, 10000)) + 1;
        all.workload.compute = p.G * static_cast<double>(all.workload.volume) *
                               random.pick({0.25, 0.4, 1.0, 1.6, 3.0});
        INFO(trial << ": " << describe(all));
        const Plan plan = lapwing::plan(all.profile, all.workload);
        CHECK(plan.predicted <= 1.01 * plan.limit);
    }
}

TEST_CASE("producing is fetching backwards", "[plan]") {
    Random random(47);
    Offenders offenders;
    for (int trial = 0; trial < 1000; ++trial) {
        Case all = any_case(random, 1e8);
        // Rounding to the grain is not the same from the other end: it must not matter.
        all.workload.grain = 1;
        all.workload.volume += 4096;
        // The same costs, sender and receiver exchanged.
        // Who paces messages knows when to send them, not when they will be wanted.
        all.profile.nic = lapwing::Nic::serialising;
        Case mirror = all;
        all.workload.direction = Direction::fetch;
        mirror.workload.direction = Direction::produce;
        auto& q = mirror.profile;
        std::swap(q.loggp.o_s, q.loggp.o_r);
        for (std::size_t i = 0; i < q.overhead.sizes.size(); ++i)
            std::swap(q.overhead.send[i].back(), q.overhead.receive[i]);
        const Plan fetch = lapwing::plan(all.profile, all.workload);
        const Plan produce = lapwing::plan(mirror.profile, mirror.workload);
        REQUIRE(produce.predicted == Approx(fetch.predicted).epsilon(1e-9));
        REQUIRE(produce.limit == Approx(fetch.limit).epsilon(1e-9));
        REQUIRE(produce.blocking == Approx(fetch.blocking).epsilon(1e-9));
        REQUIRE(produce.window == fetch.window);
        REQUIRE(produce.messages.count() == fetch.messages.count());
        const double forwards = play(all, fetch.messages.list());
        const double backwards = play(mirror, produce.messages.list());
        offenders.add(std::abs(backwards / forwards - 1) - 0.005, all);
    }
    INFO(offenders.report());
    CHECK(offenders.count == 0);
}

TEST_CASE("messages are no larger than what advances best", "[plan]") {
    Random random(48);
    Offenders offenders;
    for (int trial = 0; trial < 300; ++trial) {
        Case all = any_case(random, 1e8);
        all.workload.grain = 8;
        auto& progress = all.profile.progress;
        progress =
            lapwing::test::advancing({.sizes = {8, 1024, 8192, 65536, 1048576},
                                      .without_polling = {1, 1, random.uniform(0, 1), 0.1, 0},
                                      .with_polling = {0, 0, 0, 0, 0},
                                      .window = {1, 2, 4, 8, 16}},
                                     1e-5);
        const Plan plan = lapwing::plan(all.profile, all.workload);
        REQUIRE(plan.poll_interval == 0);  // polling was seen to help nothing
        if (plan.messages.count() == 1) continue;
        REQUIRE(plan.poll_reason == "it would hide little more");
        // Overhead of a byte and what stays unhidden of it, least.
        Stream x = costs_of(all);
        if (all.workload.direction == Direction::produce) std::swap(x.o_s, x.o_r);
        double least = 1e300;
        double largest = 0;
        for (std::size_t i = 0; i < progress.sizes.size(); ++i) {
            const auto size = static_cast<double>(progress.sizes[i]);
            const double hidden = progress.without_polling[i];
            const double cost = x.o_r(size) / size + (hidden < 0.98 ? (1 - hidden) * x.G : 0);
            if (cost < least) {
                least = cost;
                largest = size;
            }
        }
        const List sizes = plan.messages.list();
        const auto most = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
        offenders.add(most / (largest + 8) - 1, all);
    }
    INFO(offenders.report());
    CHECK(offenders.count == 0);
}

TEST_CASE("polling is planned where it helps, and only there", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 8 << 20, .compute = 11e-3, .grain = 8};
    profile.progress = lapwing::test::advancing({.sizes = {8, 65536},
                                                 .without_polling = {0.2, 0.1},
                                                 .with_polling = {1, 1},
                                                 .window = {4, 16}},
                                                3e-5);
    const Plan polled = lapwing::plan(profile, workload);
    CHECK(polled.poll_interval == 3e-5);
    CHECK(polled.poll_reason == "messages stall while nobody calls");
    CHECK(polled.window >= 16);
    profile.progress.without_polling = {1, 1};
    CHECK(lapwing::plan(profile, workload).poll_interval == 0);
    CHECK(lapwing::plan(profile, {.volume = 8}).poll_interval == 0);
}

TEST_CASE("what splitting does not hide counts against it", "[plan]") {
    // Nothing advances: all that splitting brings is the overhead of many messages.
    Profile profile = lapwing::test::infiniband();
    profile.progress = lapwing::test::advancing(
        {.sizes = {8, 65536}, .without_polling = {0, 0}, .with_polling = {0, 0}, .window = {1, 1}},
        1e-5);
    const Plan plan = lapwing::plan(profile, {.volume = 1 << 20, .compute = 1e-3, .grain = 8});
    CHECK(plan.messages.count() == 1);
    CHECK(plan.predicted == Approx(plan.blocking));
}

TEST_CASE("a short stream stays whole, a long one is cut finely", "[plan]") {
    const Profile profile = lapwing::test::infiniband();
    const Plan whole = lapwing::plan(profile, {.volume = 64, .compute = 1e-6, .grain = 8});
    CHECK(whole.messages.list() == List{64});
    CHECK(whole.bound == lapwing::Bound::latency);
    CHECK(whole.predicted == Approx(whole.blocking));
    CHECK(whole.window == 1);

    const double wire = (8 << 20) / 750e6;
    const Plan balanced = lapwing::plan(profile, {.volume = 8 << 20, .compute = wire, .grain = 8});
    CHECK(balanced.messages.count() > 50);
    CHECK(balanced.predicted < 0.55 * balanced.blocking);
    // Messages grow by what the wire carries in an overhead: 1.5 us x 750 MB/s = 1125 bytes.
    const List sizes = balanced.messages.list();
    CHECK(static_cast<double>(sizes[30]) - static_cast<double>(sizes[29]) ==
          Approx(1125).margin(17));

    CHECK(lapwing::plan(profile, {.volume = 8 << 20, .compute = wire / 4, .grain = 8}).bound ==
          lapwing::Bound::bandwidth);
    CHECK(lapwing::plan(profile, {.volume = 8 << 20, .compute = 3 * wire, .grain = 8}).bound ==
          lapwing::Bound::computation);
}

TEST_CASE("only an interface that shares its bandwidth is paced", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    CHECK(lapwing::plan(profile, workload).pace == 0);
    profile.nic = lapwing::Nic::sharing;
    CHECK(lapwing::plan(profile, workload).pace == profile.loggp.G);
    CHECK(lapwing::plan(profile, {.volume = 8, .compute = 0}).pace == 0);
}

TEST_CASE("messages that keep their order on a shared interface are not paced", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    profile.nic = lapwing::Nic::sharing;
    const Workload workload{.volume = 8 << 20, .compute = 20e-3, .grain = 8};
    const auto sizes = lapwing::plan(profile, workload).messages.list();
    const auto largest = *std::max_element(sizes.begin(), sizes.end());
    profile.in_order_up_to = largest - 1;
    CHECK(lapwing::plan(profile, workload).pace > 0);
    profile.in_order_up_to = largest;
    CHECK(lapwing::plan(profile, workload).pace == 0);
    CHECK(lapwing::plan(profile, workload).window < 64);
}

TEST_CASE("no message is planned to be overtaken by the one behind it", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const double wire = 8e6 * profile.loggp.G;
    const Workload workload{.volume = 8000000, .compute = 0.5 * wire, .grain = 8};
    const Plan in_order = lapwing::plan(profile, workload);
    CHECK(in_order.messages.list().front() > 65536);
    profile.protocol.emplace().eager = 65536;
    profile.protocol->eager_overtakes = true;
    const Plan plan = lapwing::plan(profile, workload);
    const List sizes = plan.messages.list();
    for (std::size_t k = 0; k + 1 < sizes.size(); ++k)
        CHECK_FALSE((sizes[k] > 65536 && sizes[k + 1] <= 65536));
    CHECK(plan.predicted < 1.02 * in_order.predicted);
}

TEST_CASE("messages that a flood was seen to be fastest with are planned", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 8 << 20, .compute = 5e-3, .grain = 8};
    const double G = profile.loggp.G;
    // Messages of 4 KB go a fifth faster than lines tell, and no others.
    profile.bandwidth.sizes = {8, 2048, 4096, 8192, 65536, 1048576};
    profile.bandwidth.unidirectional.clear();
    for (const auto size : profile.bandwidth.sizes) {
        const auto bytes = static_cast<double>(size);
        const double told = std::max(profile.loggp.o_s, G * bytes);
        profile.bandwidth.unidirectional.push_back(bytes / told * (size == 4096 ? 1.25 : 1));
    }
    profile.bandwidth.bidirectional = profile.bandwidth.unidirectional;
    const Plan plan = lapwing::plan(profile, workload);
    const auto bytes = static_cast<double>(workload.volume);
    CHECK(plan.messages.runs().front().size == 4096);
    CHECK(plan.predicted == Approx(0.8 * G * bytes).epsilon(0.02));
    CHECK(plan.limit <= plan.predicted);
    CHECK(plan.limit == Approx(plan.predicted).epsilon(0.02));
    // Without, nothing is that fast.
    profile.bandwidth.unidirectional[2] /= 1.25;
    CHECK(lapwing::plan(profile, workload).predicted > 0.99 * G * bytes);
}

TEST_CASE("the largest and the oddest streams", "[plan]") {
    const Profile profile = lapwing::test::infiniband();
    const std::uint64_t volume = GENERATE(1ULL, 2ULL, 7ULL, 1ULL << 40, 1ULL << 53);
    const std::uint64_t grain = GENERATE(1ULL, 8ULL, 1ULL << 30, 1ULL << 60);
    const auto direction = GENERATE(Direction::fetch, Direction::produce);
    const double wire = static_cast<double>(volume) / 750e6;
    const double ratio = GENERATE(0.0, 1.0, 1e6);
    const Plan plan = lapwing::plan(
        profile,
        {.volume = volume, .compute = ratio * wire, .grain = grain, .direction = direction});
    CHECK(plan.messages.count() >= 1);
    CHECK(plan.window >= 1);
    CHECK(plan.predicted <= plan.blocking);
    if (plan.messages.count() > 2000000) return;
    std::uint64_t sum = 0;
    std::uint64_t empty = 0;
    for (const auto size : plan.messages) {
        sum += size;
        if (size == 0) ++empty;
    }
    CHECK(sum == volume);
    CHECK(empty == 0);
}

TEST_CASE("one latency may be another's by a constant, not by the size", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    const auto& loggp = profile.loggp;
    const auto measured = [&](double constant, double factor) {
        lapwing::Latency table{.sizes = {8, 4096, 65536}, .half_round_trip = {}, .bandwidth = {}};
        for (const auto size : table.sizes) {
            const auto bytes = static_cast<double>(size);
            table.half_round_trip.push_back(loggp.o_s + loggp.L + factor * loggp.G * bytes +
                                            loggp.o_r + constant);
            table.bandwidth.push_back(bytes / table.half_round_trip.back());
        }
        return table;
    };
    profile.latency = measured(0, 1);
    CHECK(closed_form(profile, workload));
    profile.latency = measured(0.5 * loggp.L, 1);
    CHECK(closed_form(profile, workload));
    profile.latency = measured(0, 1.3);
    CHECK_FALSE(closed_form(profile, workload));
    // What waits for its receive takes longer, and not because of the wire.
    profile.latency = measured(0, 1);
    profile.latency->half_round_trip.back() *= 1.3;
    CHECK_FALSE(closed_form(profile, workload));
    profile.protocol.emplace();
    profile.protocol->eager = 4096;
    profile.protocol->switches = {4096};
    profile.protocol->switch_costs = {0.3 * profile.latency->half_round_trip.back()};
    CHECK(closed_form(profile, workload));
}

TEST_CASE("steps among messages that no stream is cut into say nothing", "[plan]") {
    Profile profile = lapwing::test::infiniband();
    const Workload workload{.volume = 1 << 20, .compute = 1e-3, .grain = 8};
    auto& table = profile.bandwidth;
    table.sizes = {4096, 8192, 16384, 32768, 65536};
    table.unidirectional = {750e6, 750e6, 750e6, 400e6, 750e6};
    table.bidirectional = table.unidirectional;
    CHECK_FALSE(closed_form(profile, workload));
    // Long ones stand still while nobody calls.
    profile.progress = lapwing::test::advancing({.sizes = {8192, 65536},
                                                 .without_polling = {1, 0.1},
                                                 .with_polling = {1, 0.1},
                                                 .window = {2, 2}},
                                                2e-5);
    CHECK(closed_form(profile, workload));
}

TEST_CASE("a multitude of messages has to pay", "[plan]") {
    const Profile profile = lapwing::test::infiniband();
    for (int power = 13; power <= 29; power += 4) {
        const Workload workload{.volume = 1ULL << power, .compute = 1.4e-3, .grain = 8};
        const Plan plan = lapwing::plan(profile, workload);
        // Thousands hide a message's last microsecond no better than a few that shrink.
        CHECK(plan.messages.count() < 1000);
        CHECK(plan.predicted <= 1.001 * plan.limit);
    }
}

TEST_CASE("a stream across the eager limit takes what the engine says, and none is faster",
          "[plan]") {
    Profile profile;
    profile.loggp = {.L = 1.2e-6, .o_s = 0.5e-6, .o_r = 0.5e-6, .g = 0.5e-6, .G = 1 / 6e9};
    auto& protocol = profile.protocol.emplace();
    protocol.switches = {8191};
    protocol.switch_costs = {0.6e-6};
    protocol.eager = 8191;
    const std::uint64_t volume = 204800;
    const double wire = profile.loggp.G * static_cast<double>(volume);
    const double ratio = GENERATE(0.5, 0.55, 0.6);
    const Plan plan =
        lapwing::plan(profile, {.volume = volume, .compute = ratio * wire, .grain = 8});
    const lapwing::Engine engine(profile, profile.topology);
    const auto takes = [&](const Messages& messages, int window) {
        return engine.run(plan.workload, {.messages = messages, .window = window}).seconds;
    };
    const List sizes = plan.messages.list();
    INFO(ratio << ": " << sizes.size() << " messages of " << sizes.front() << " to " << sizes.back()
               << ", window " << plan.window << ", predicted " << plan.predicted);
    CHECK(plan.predicted == Approx(takes(plan.messages, plan.window)).epsilon(1e-6));
    for (int window = 1; window <= 64; ++window)
        CHECK(takes(plan.messages, window) > 0.99 * plan.predicted);
    for (std::uint64_t size = 512; size < 2 * volume; size *= 2) {
        const auto equal = Messages::uniform(volume, std::min(size, volume), 8);
        for (int window = 1; window <= 64; window *= 2)
            CHECK(takes(equal, window) > 0.99 * plan.predicted);
    }
}
