#include "lapwing/profile/environment.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "support/machine.hpp"

namespace {

using lapwing::best_of;
using lapwing::comparable;
using lapwing::distance;
using lapwing::Environment;
using lapwing::worst_of;

/// Indicators that are 0 are not there.
Environment environment(double cache_line, double core_throughput, double syscall) {
    Environment result;
    for (const auto& each :
         lapwing::test::environment(cache_line, core_throughput, syscall).indicators)
        if (each.value > 0) result.indicators.push_back(each);
    return result;
}

double value(const Environment& environment, const char* name) {
    const auto* const found = environment.find(name);
    return found != nullptr ? found->value : 0;
}
double cache_line(const Environment& here) { return value(here, "cache_line_seconds"); }
double core_throughput(const Environment& here) { return value(here, "core_throughput_seconds"); }
double syscall(const Environment& here) { return value(here, "syscall_seconds"); }

const Environment good = environment(25e-9, 4e-6, 9e-6);

/// Whether an environment is as good as another, or better.
bool reaches(const Environment& here, const Environment& best) {
    return comparable(here, best_of(here, best));
}

TEST_CASE("an environment is as good as another where it is not much worse", "[profile]") {
    CHECK(reaches(environment(34e-9, 4.5e-6, 10e-6), good));
    CHECK(reaches(environment(20e-9, 3e-6, 8e-6), good));
    CHECK_FALSE(reaches(environment(36e-9, 4e-6, 9e-6), good));
    CHECK_FALSE(reaches(environment(25e-9, 4.7e-6, 9e-6), good));
    CHECK_FALSE(reaches(environment(25e-9, 4e-6, 11e-6), good));
    CHECK(reaches({}, {}));  // of simulated time
}

TEST_CASE("how far an environment is from another is how far the worst indicator is", "[profile]") {
    CHECK(distance(environment(35e-9, 4e-6, 9e-6), good) == Approx(1));
    CHECK(distance(environment(35e-9, 9.2e-6, 9e-6), good) == Approx(2));
    CHECK(distance({}, good) == 0);
}

TEST_CASE("environments are comparable where neither is much better or worse", "[profile]") {
    CHECK(comparable(environment(34e-9, 4.5e-6, 10e-6), good));
    CHECK(comparable(environment(18e-9, 3.5e-6, 8.1e-6), good));
    CHECK_FALSE(comparable(environment(17e-9, 4e-6, 9e-6), good));
    CHECK_FALSE(comparable(environment(25e-9, 3.4e-6, 9e-6), good));
    CHECK_FALSE(comparable(environment(25e-9, 4.7e-6, 9e-6), good));
    CHECK_FALSE(comparable(environment(25e-9, 4e-6, 7e-6), good));
    // By the indicators that both have.
    CHECK(comparable(environment(25e-9, 9e-6, 7e-6), environment(25e-9, 0, 0)));
    CHECK(comparable(environment(120e-9, 4e-6, 7e-6), environment(0, 4e-6, 0)));
}

TEST_CASE("the best and the worst of two environments", "[profile]") {
    const Environment other = environment(20e-9, 8e-6, 9e-6);
    CHECK(cache_line(best_of(good, other)) == cache_line(other));
    CHECK(core_throughput(best_of(good, other)) == core_throughput(good));
    CHECK(cache_line(worst_of(good, other)) == cache_line(good));
    CHECK(core_throughput(worst_of(good, other)) == core_throughput(other));
    // What only one of them has.
    CHECK(syscall(best_of(environment(25e-9, 0, 0), good)) == syscall(good));
    CHECK(syscall(worst_of(good, environment(25e-9, 0, 0))) == syscall(good));
}

TEST_CASE("environments count that are near the best, and some in any case", "[profile]") {
    const std::vector<Environment> all{
        environment(120e-9, 4e-6, 9e-6), environment(25e-9, 4e-6, 9e-6),
        environment(27e-9, 4e-6, 9e-6), environment(60e-9, 4e-6, 9e-6)};
    CHECK(lapwing::near_best(all, 1) == std::vector<bool>{false, true, true, false});
    CHECK(lapwing::near_best(all, 3) == std::vector<bool>{false, true, true, true});
    CHECK(lapwing::near_best(all, 5) == std::vector<bool>{true, true, true, true});
    // The best of each indicator never came together.
    const std::vector<Environment> apart{environment(25e-9, 8e-6, 9e-6),
                                         environment(50e-9, 4e-6, 9e-6)};
    CHECK(lapwing::near_best(apart, 1) == std::vector<bool>{false, true});
    CHECK(lapwing::near_best({}, 0).empty());
}

TEST_CASE("of several environments a share has as much of each indicator, or better", "[profile]") {
    const std::vector<Environment> all{environment(5, 10, 0), environment(1, 40, 0),
                                       environment(2, 30, 0), environment(4, 20, 0),
                                       environment(3, 50, 0)};
    const Environment three_quarters = lapwing::quantile(all, 0.75);
    CHECK(cache_line(three_quarters) == 4);
    CHECK(core_throughput(three_quarters) == 40);
    CHECK(syscall(three_quarters) == 0);
    CHECK(cache_line(lapwing::quantile(all, 0.5)) == 3);
    CHECK(three_quarters.known());
    CHECK_FALSE(lapwing::quantile({}, 0.75).known());
}

}  // namespace
