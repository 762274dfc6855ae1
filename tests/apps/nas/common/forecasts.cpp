#include "common/forecasts.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "common/options.hpp"
#include "is/benchmark.hpp"
#include "lapwing/io/profile_json.hpp"

using namespace lapwing;
using namespace lapwing::nas;

TEST_CASE("NAS: a plan loses no promising candidate by giving up the others") {
    using B = nas::is::Benchmark;
    constexpr int ranks = 8;
    constexpr std::array costs{0.6e-9, 1.3e-9, 0.6e-9, 0.2e-9, 0.3e-9};
    const Profile machine = load_profile(LAPWING_TEST_DATA "/profiles/full.json");
    const auto problem = B::problem("S");

    std::vector<Forecast> all;
    std::array<double, schedules.size()> fastest;
    fastest.fill(std::numeric_limits<double>::infinity());
    for (const Options& options : B::candidates(problem, ranks)) {
        all.push_back(forecast_of<B>(machine, {.ranks = ranks}, problem,
                                     completed<B>(options, problem, ranks), costs));
        double& least = fastest[static_cast<std::size_t>(options.schedule)];
        least = std::min(least, all.back().seconds);
    }
    const auto found = forecasts<B>(machine, {.ranks = ranks}, problem, costs);
    CHECK(found.size() < all.size());
    CHECK(found.front().seconds == *std::min_element(fastest.begin(), fastest.end()));
    for (const Forecast& each : all) {
        if (each.seconds > promising * fastest[static_cast<std::size_t>(each.options.schedule)])
            continue;
        CHECK(std::any_of(found.begin(), found.end(), [&](const Forecast& other) {
            return other.options == each.options && other.seconds == each.seconds;
        }));
    }
}
