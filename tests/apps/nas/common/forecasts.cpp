// The plan of a NAS benchmark gives up candidates, but none that may be the fastest.
#include "../../../../apps/nas/common/forecasts.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "../../../../apps/nas/is/benchmark.hpp"
#include "../verify_ways.hpp"
#include "lapwing/io/profile_json.hpp"

using namespace lapwing;
using namespace lapwing::nas;
using B = lapwing::nas::is::Benchmark;

namespace {

constexpr ForecastRanks eight{.ranks = 8};
constexpr std::array costs{0.6e-9, 1.3e-9, 0.6e-9, 0.2e-9, 0.3e-9};

/// Every candidate, simulated to its end.
std::vector<Forecast> all_forecasts(const Profile& machine, const B::Problem& problem) {
    std::vector<Forecast> all;
    for (const Options& options : B::candidates(problem, eight.ranks))
        all.push_back(forecast_of<B>(machine, eight, problem,
                                     completed<B>(options, problem, eight.ranks), costs));
    return all;
}

void test_promising(const Profile& machine, const B::Problem& problem) {
    const auto all = all_forecasts(machine, problem);
    const auto found = forecasts<B>(machine, eight, problem, costs);
    CHECK(found.size() < all.size());
    for (const Forecast& each : all) {
        double fastest = std::numeric_limits<double>::infinity();
        for (const Forecast& other : all)
            if (other.options.schedule == each.options.schedule)
                fastest = std::min(fastest, other.seconds);
        CHECK(found.front().seconds <= each.seconds);
        CHECK(each.seconds > promising * fastest ||
              std::any_of(found.begin(), found.end(), [&](const Forecast& other) {
                  return other.options == each.options && other.seconds == each.seconds;
              }));
    }
}

}  // namespace

int main(int argc, char** argv) {
    return test::mpi_main(argc, argv,
                          [&] { test_promising(load_profile(argv[1]), B::problem("S")); });
}
