#include "lapwing/model/collectives/recursive_multiplying.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace sums = lapwing::model::recursive_multiplying;
using sums::Costs;
using sums::Groups;

TEST_CASE("cores are more than half of the ranks, whatever the groups", "[model]") {
    for (int ranks = 1; ranks <= 70; ++ranks) {
        const auto check = [&](const Groups& groups) {
            CHECK(sums::cores(groups) <= ranks);
            CHECK(2 * sums::cores(groups) > ranks);
            CHECK(sums::possible(groups, ranks));
            CHECK(std::is_sorted(groups.begin(), groups.end()));
        };
        check(sums::doubling(ranks));
        Groups none;
        int all = 0;
        sums::each_groups(ranks, 8, none, [&](const Groups& groups) {
            check(groups);
            ++all;
        });
        CHECK(all > 0);
    }
    CHECK_FALSE(sums::possible({2, 4}, 7));
    CHECK_FALSE(sums::possible({2, 4}, 16));
    CHECK_FALSE(sums::possible({1, 4}, 4));
    CHECK_FALSE(sums::possible({0}, 4));
    CHECK(sums::doubling(64) == Groups{2, 2, 2, 2, 2, 2});
}

TEST_CASE("a sum takes as long as its rounds, or as the processor is at work", "[model]") {
    const Costs costs{.round = 8, .message = 3};
    CHECK(sums::total({2, 2, 2}, 8, costs, {}) == Approx(24));
    CHECK(sums::total({2, 2, 2}, 8, costs, {.seconds = 30}) == Approx(39));
    CHECK(sums::total({2, 2, 2}, 8, costs, {.seconds = 30, .messages = 2}) == Approx(45));
    CHECK(sums::total({2, 4}, 8, costs, {}) == Approx(8 + 2 * 1.5 + 8));
    CHECK(sums::total({2, 4}, 8, costs, {.seconds = 30}) == Approx(42));
    CHECK(sums::total({2, 2}, 5, costs, {}) == Approx(32));  // there and back for the fifth
    CHECK(sums::total({2, 2}, 5, costs, {.seconds = 30}) == Approx(39));
    CHECK(sums::total({}, 1, costs, {.seconds = 30}) == Approx(30));
}

TEST_CASE("groups are of two behind a long computation, larger where all wait", "[model]") {
    // L 5 us, o 1.5 us.
    const Costs slow{.round = 8e-6, .message = 3e-6};
    CHECK(sums::quickest(64, slow, {.seconds = 100e-6}) == sums::doubling(64));
    CHECK(sums::quickest(16, slow, {.seconds = 100e-6}) == sums::doubling(16));
    CHECK(sums::quickest(64, slow, {.seconds = 8e-6}) == Groups{4, 4, 4});
    CHECK(sums::quickest(64, slow, {.seconds = 8e-6, .messages = 2}) == Groups{2, 2, 4, 4});
    // Messages that cost the processor nothing all go at once.
    CHECK(sums::quickest(64, {.round = 8e-6, .message = 0}, {}) == Groups{64});
    // All of it is overhead: of equals those with the fewest messages.
    CHECK(sums::quickest(64, {.round = 3e-6, .message = 3e-6}, {}) == sums::doubling(64));
    CHECK(sums::quickest(1, slow, {.seconds = 1}).empty());
    CHECK(sums::quickest(2, slow, {.seconds = 1}) == Groups{2});
    // Three at once, rather than two and one that is told.
    CHECK(sums::quickest(3, slow, {}) == Groups{3});
    // However many ranks, at once.
    CHECK(sums::cores(sums::quickest(100'000, slow, {.seconds = 8e-6})) <= 100'000);
}
