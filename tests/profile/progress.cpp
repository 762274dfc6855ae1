#include "lapwing/profile/progress.hpp"

#include <catch2/catch.hpp>
#include <limits>

using lapwing::ExposedTime;
using lapwing::find_exposed_time;
using lapwing::Progress;
using lapwing::Traffic;

namespace {

ExposedTime measured(Traffic traffic, double computation, bool independent = false) {
    return {.traffic = traffic,
            .computation = computation,
            .independent = independent,
            .sizes = {1024},
            .exposed = {1e-6},
            .exposed_polled = {1e-6},
            .window = {2}};
}

}  // namespace

TEST_CASE("an exposed time is found by the nearest ratio of computation", "[profile]") {
    Progress progress;
    progress.exposed_time = {measured(Traffic::both, 1), measured(Traffic::both, 0.5),
                             measured(Traffic::both, 4), measured(Traffic::receive, 1.5)};
    const auto found = [&](double computation) {
        return find_exposed_time(progress, Traffic::both, false, computation)->computation;
    };
    CHECK(found(0) == 0.5);
    CHECK(found(0.7) == 0.5);
    CHECK(found(0.72) == 1);
    CHECK(found(1.9) == 1);
    CHECK(found(2) == 4);  // equally near: the larger
    CHECK(found(100) == 4);
    CHECK(found(std::numeric_limits<double>::infinity()) == 4);
    CHECK(find_exposed_time(progress, Traffic::receive, false, 0.1)->computation == 1.5);
}

TEST_CASE("independent messages have exposed times of their own, if they were measured",
          "[profile]") {
    Progress progress;
    progress.exposed_time = {measured(Traffic::both, 1), measured(Traffic::both, 0.5)};
    const auto* const without = find_exposed_time(progress, Traffic::both, true, 0.1);
    CHECK(without == &progress.exposed_time[1]);
    progress.exposed_time.push_back(measured(Traffic::both, 1, true));
    CHECK(find_exposed_time(progress, Traffic::both, true, 0.1) == &progress.exposed_time[2]);
    CHECK(find_exposed_time(progress, Traffic::both, false, 1) == progress.exposed_time.data());
}

TEST_CASE("where nothing of that traffic was measured no exposed time is found", "[profile]") {
    Progress progress;
    CHECK(find_exposed_time(progress, Traffic::both, true, 1) == nullptr);
    progress.exposed_time = {measured(Traffic::both, 1, true), measured(Traffic::receive, 1.5)};
    CHECK(find_exposed_time(progress, Traffic::both, false, 1) == nullptr);
    progress.exposed_time.back().sizes.clear();
    CHECK(find_exposed_time(progress, Traffic::receive, false, 1) == nullptr);
}
