#include "lapwing/profile/surroundings.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace {

using lapwing::Surroundings;

constexpr Surroundings good{25e-9, 4e-6, 9e-6};

TEST_CASE("surroundings are as good as others where neither is much worse", "[profile]") {
    CHECK(Surroundings{34e-9, 4.5e-6, 10e-6}.reach(good));
    CHECK(Surroundings{20e-9, 3e-6, 8e-6}.reach(good));
    CHECK_FALSE(Surroundings{36e-9, 4e-6, 9e-6}.reach(good));
    CHECK_FALSE(Surroundings{25e-9, 4.7e-6, 9e-6}.reach(good));
    CHECK_FALSE(Surroundings{25e-9, 4e-6, 11e-6}.reach(good));
    CHECK(Surroundings{}.reach({}));  // of simulated time
}

TEST_CASE("how far surroundings are behind others is how far the worst of them is", "[profile]") {
    CHECK(Surroundings{35e-9, 4e-6, 9e-6}.behind(good) == Approx(1));
    CHECK(Surroundings{35e-9, 9.2e-6, 9e-6}.behind(good) == Approx(2));
    CHECK(Surroundings{}.behind(good) == 0);
}

TEST_CASE("surroundings are alike where neither is much better or worse", "[profile]") {
    CHECK(Surroundings{34e-9, 4.5e-6, 10e-6}.alike(good));
    CHECK(Surroundings{18e-9, 3.5e-6, 8.1e-6}.alike(good));
    CHECK_FALSE(Surroundings{17e-9, 4e-6, 9e-6}.alike(good));
    CHECK_FALSE(Surroundings{25e-9, 3.4e-6, 9e-6}.alike(good));
    CHECK_FALSE(Surroundings{25e-9, 4.7e-6, 9e-6}.alike(good));
    CHECK_FALSE(Surroundings{25e-9, 4e-6, 7e-6}.alike(good));
    // As far as those say.
    CHECK(Surroundings{25e-9, 9e-6, 7e-6}.alike({25e-9, 0, 0}));
    CHECK(Surroundings{120e-9, 4e-6, 7e-6}.alike({0, 4e-6, 0}));
}

TEST_CASE("the best and the worst of two surroundings", "[profile]") {
    const Surroundings other{20e-9, 8e-6, 9e-6};
    CHECK(good.best(other).core_to_core == other.core_to_core);
    CHECK(good.best(other).core_alone == good.core_alone);
    CHECK(good.worst(other).core_to_core == good.core_to_core);
    CHECK(good.worst(other).core_alone == other.core_alone);
}

TEST_CASE("of several surroundings a share has as much of each, or better", "[profile]") {
    const std::vector<Surroundings> all{{5, 10, 0}, {1, 40, 0}, {2, 30, 0}, {4, 20, 0}, {3, 50, 0}};
    const Surroundings three_quarters = lapwing::quantile(all, 0.75);
    CHECK(three_quarters.core_to_core == 4);
    CHECK(three_quarters.core_alone == 40);
    CHECK(three_quarters.kernel_path == 0);
    CHECK(lapwing::quantile(all, 0.5).core_to_core == 3);
    CHECK(three_quarters.known());
    CHECK_FALSE(lapwing::quantile({}, 0.75).known());
}

}  // namespace
