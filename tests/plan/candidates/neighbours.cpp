#include "lapwing/plan/candidates/neighbours.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "support/random.hpp"

using lapwing::Messages;
using List = std::vector<std::uint64_t>;

TEST_CASE("messages are put together two by two", "[plan]") {
    CHECK(merged_pairs(Messages::of({8, 16, 24, 32, 5}, 8)).list() == List{24, 56, 5});
    CHECK(merged_pairs(Messages::of({8, 8, 8, 8, 40, 40, 40}, 8)).list() == List{16, 16, 80, 40});
    CHECK(merged_pairs(Messages::of({8, 8, 8, 40, 40, 40, 16}, 8)).list() == List{16, 48, 80, 16});
    CHECK(merged_pairs(Messages::of({3}, 8)).list() == List{3});
}

TEST_CASE("messages are taken apart at the grain", "[plan]") {
    CHECK(halved(Messages::of({64, 64, 24}, 8)).list() == List{32, 32, 32, 32, 16, 8});
    CHECK(halved(Messages::of({24, 24, 8, 5}, 8)).list() == List{16, 8, 16, 8, 8, 5});
    CHECK(halved(Messages::of({21}, 8)).list() == List{16, 5});
}

TEST_CASE("messages of which the last is shorter", "[plan]") {
    CHECK(with_short_last(Messages::of({120}, 8), 2, 2).list() == List{80, 40});
    CHECK(with_short_last(Messages::of({120}, 8), 2, 3).list() == List{72, 48});
    CHECK(with_short_last(Messages::of({40, 40, 40}, 8), 3, 2).list() == List{48, 48, 24});
    CHECK(with_short_last(Messages::of({21}, 8), 3, 2).list() == List{16, 5});
    CHECK(with_short_last(Messages::of({5}, 8), 2, 2).list() == List{5});
}

TEST_CASE("no byte is lost by regrouping", "[plan]") {
    lapwing::test::Random random(7);
    for (int i = 0; i < 500; ++i) {
        const auto grain = random.integer(1, 24);
        List sizes;
        const auto count = random.integer(1, 40);
        for (std::uint64_t j = 0; j < count; ++j)
            for (auto equal = random.integer(1, 4); equal > 0; --equal)
                sizes.push_back(grain * random.integer(1, 9));
        sizes.push_back(random.integer(1, 9 * grain));
        const auto messages = Messages::of(sizes, grain);
        const auto fewer = merged_pairs(messages);
        CHECK(fewer.volume() == messages.volume());
        CHECK(fewer.count() == (messages.count() + 1) / 2);
        const auto more = halved(messages);
        CHECK(more.volume() == messages.volume());
        CHECK(more.count() >= messages.count());
        const auto list = more.list();
        for (std::size_t j = 0; j + 1 < list.size(); ++j) CHECK(list[j] % grain == 0);
    }
}
