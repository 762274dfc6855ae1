#include "lapwing/calibrate/sampling/campaign.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/machine.hpp"
#include "support/random.hpp"
#include "support/stub_transport.hpp"

using lapwing::Campaign;
using lapwing::Environment;
using lapwing::EnvironmentMonitor;
using lapwing::NoiseCounts;
using lapwing::SamplingGoal;
using lapwing::Series;
using lapwing::TransportPair;
using lapwing::test::environment;
using lapwing::test::Random;
using lapwing::test::StubTransport;

namespace {

/// What rank 1 says if it does not find rank 0's memory, and cannot read any indicator: 0.
const std::vector<std::byte> nothing(1 << 20);

}  // namespace

TEST_CASE("a series is the median of all samples, and as sure as its visits agree", "[calibrate]") {
    Series series;
    CHECK(series.median() == 0);
    for (const double visit : {1.0, 2.0, 3.0}) {
        for (int i = 0; i < 5; ++i) series.add(visit);
        series.close();
    }
    series.close();  // of a visit without samples nothing is left
    CHECK(series.median() == 2);
    // However many samples a visit has: three visits that differ say little.
    CHECK(series.estimate().error == 0.5);

    Series steady;
    for (int visit = 0; visit < 6; ++visit) {
        for (int i = 0; i < 100; ++i) steady.add(i < 90 ? 4 : 40);
        steady.close();
    }
    CHECK(steady.median() == 4);
    CHECK(steady.estimate().error == 0);
    CHECK(steady.estimate().dropped == 60);
}

TEST_CASE("only visits count in which the environment was as good as ever", "[calibrate]") {
    Series series;
    const auto visit = [&](double sample, double apart, double additions = 4e-6,
                           double messages = 9e-6) {
        for (int i = 0; i < 5; ++i) series.add(sample);
        series.close(environment(apart, additions, messages));
    };
    visit(3, 180e-9);
    visit(3, 170e-9);
    CHECK(series.median() == 3);  // there is nothing better yet
    CHECK(series.estimate().error == 0);
    visit(1, 27e-9);
    CHECK(series.median() == 3);
    CHECK(series.estimate().error == 1);  // one visit is none
    visit(3, 180e-9);
    visit(1, 25e-9);
    visit(1, 30e-9);
    CHECK(series.median() == 1);
    CHECK(series.estimate().error == 0);
    CHECK(series.estimate().samples == 15);
    CHECK(series.lower_quartile() == 1);
    for (int i = 0; i < 9; ++i) visit(2, 25e-9, 7e-6);
    for (int i = 0; i < 9; ++i) visit(2, 25e-9, 4e-6, 11e-6);
    CHECK(series.median() == 1);
    CHECK(series.environment().find("cache_line_seconds")->value == 27e-9);
    CHECK(series.environment().find("core_throughput_seconds")->value == 4e-6);
    CHECK(series.has_comparable(environment(25e-9, 4e-6, 9e-6)));
    CHECK_FALSE(series.has_comparable(environment(10e-9, 4e-6, 9e-6)));
    CHECK_FALSE(series.has_comparable(environment(25e-9, 3e-6, 9e-6)));
}

TEST_CASE("the nearest to the best count where it never came together", "[calibrate]") {
    Series series;
    const auto visit = [&](double sample, const Environment& here) {
        series.add(sample);
        series.close(here);
    };
    visit(7, environment(120e-9, 4e-6, 9e-6));
    visit(4, environment(25e-9, 6e-6, 9e-6));
    visit(6, environment(25e-9, 4e-6, 19e-6));
    visit(3, environment(25e-9, 5e-6, 9e-6));
    visit(5, environment(25e-9, 7e-6, 9e-6));
    CHECK(series.median() == 4);
    CHECK(series.estimate().error == 1);
}

TEST_CASE("what is steady is left soon, what is not when the time is over", "[calibrate]") {
    StubTransport transport({}, nothing);
    TransportPair<StubTransport> pair(transport, true, 1);
    NoiseCounts noise;
    EnvironmentMonitor monitor(pair);
    const double seconds = 20e-3;
    const SamplingGoal goal{.accuracy = 0.02, .budget = seconds, .least = 5};
    std::vector<std::string> told;
    double last = 0;
    Campaign campaign({pair, monitor, noise, goal, [&](double share, const std::string& what) {
                           CHECK(share >= last);
                           CHECK(share <= 1);
                           last = share;
                           told.push_back(what);
                       }});
    Series steady;
    Series wild;
    std::vector<char> order;
    Random random(3);
    campaign.add("steady", {&steady}, [&] {
        order.push_back('s');
        steady.add(random.uniform(0.999, 1.001));
    });
    campaign.add("wild", {&wild}, [&] {
        order.push_back('w');
        wild.add(random.uniform(1, 3));
    });
    campaign.run();
    const auto steady_visits = std::count(order.begin(), order.end(), 's');
    const auto wild_visits = std::count(order.begin(), order.end(), 'w');
    CHECK(steady_visits == goal.least);
    CHECK(wild_visits > 10 * goal.least);
    // In turn, as long as both are wanted.
    CHECK(std::string(order.begin(), order.begin() + 10) == "swswswswsw");
    CHECK(transport.now() >= seconds);
    CHECK(transport.now() < 1.1 * seconds);
    CHECK(told.size() == order.size());
    CHECK(noise.missed == 1);
    CHECK(noise.samples == order.size());
}

TEST_CASE("not even the least is taken where it takes far too long", "[calibrate]") {
    StubTransport transport({}, nothing);
    TransportPair<StubTransport> pair(transport, true, 1);
    NoiseCounts noise;
    EnvironmentMonitor monitor(pair);
    Campaign campaign(
        {pair, monitor, noise, {.accuracy = 0.02, .budget = 1e-3, .least = 1000}, {}});
    Series series;
    int visits = 0;
    campaign.add("slow", {&series}, [&] {
        ++visits;
        series.add(visits);
    });
    campaign.run();
    CHECK(visits >= 1);
    CHECK(visits < 1000);
    CHECK(transport.now() < 3e-3);
}
