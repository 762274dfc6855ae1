#include "lapwing/plan/messages.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "support/random.hpp"

using lapwing::Messages;
using lapwing::test::Random;
using List = std::vector<std::uint64_t>;

namespace {

std::uint64_t sum(const List& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("uniform messages", "[plan]") {
    CHECK(Messages::uniform(10, 10).list() == List{10});
    CHECK(Messages::uniform(10, 4).list() == List{4, 4, 2});
    CHECK(Messages::uniform(12, 4, 4).list() == List{4, 4, 4});
    CHECK(Messages::uniform(14, 4, 4).list() == List{4, 4, 4, 2});
    CHECK(Messages::uniform(1, 100).list() == List{1});
}

TEST_CASE("a chain grows by ratio and increment, up to the cap", "[plan]") {
    const Messages arithmetic{
        .volume = 15, .count = 5, .first = 1, .ratio = 1, .increment = 1, .cap = 100};
    CHECK(arithmetic.list() == List{1, 2, 3, 4, 5});
    const Messages geometric{.volume = 31, .count = 5, .first = 1, .ratio = 2, .cap = 100};
    CHECK(geometric.list() == List{1, 2, 4, 8, 16});
    const Messages capped{.volume = 19, .count = 5, .first = 1, .ratio = 2, .cap = 6};
    CHECK(capped.list() == List{1, 2, 4, 6, 6});
    const Messages shrinking{.volume = 31, .count = 5, .first = 16, .ratio = 0.5, .cap = 100};
    CHECK(shrinking.list() == List{16, 8, 4, 2, 1});
}

TEST_CASE("leading messages come before the chain", "[plan]") {
    const Messages messages{.volume = 26,
                            .count = 5,
                            .lead = 2,
                            .lead_size = 7,
                            .first = 3,
                            .ratio = 1,
                            .increment = 1,
                            .cap = 100};
    CHECK(messages.list() == List{7, 7, 3, 4, 5});
}

TEST_CASE("messages end at multiples of the grain, and rounding does not add up", "[plan]") {
    // Ends at 2.5, 5, 7.5 ... rounded to 3, 5, 8, 10.
    const Messages messages{.volume = 10, .count = 4, .first = 2.5, .cap = 100};
    CHECK(messages.list() == List{3, 2, 3, 2});
    const Messages rows{.volume = 1000, .grain = 8, .count = 100, .first = 10, .cap = 1000};
    std::uint64_t end = 0;
    for (const auto size : rows) {
        end += size;
        CHECK((end == 1000 || end % 8 == 0));
    }
    CHECK(end == 1000);
}

TEST_CASE("the iterator knows where it is", "[plan]") {
    const Messages messages{
        .volume = 15, .count = 5, .first = 1, .ratio = 1, .increment = 1, .cap = 100};
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    for (auto at = messages.begin(); !(at == Messages::end()); ++at) {
        CHECK(at.index() == index++);
        CHECK(at.offset() == offset);
        offset += *at;
    }
    CHECK(index == 5);
    CHECK(offset == 15);
}

TEST_CASE("any messages: sum, grain, order, none empty", "[plan]") {
    Random random(31);
    for (int trial = 0; trial < 20000; ++trial) {
        Messages messages;
        messages.grain = random.pick<std::uint64_t>({1, 2, 8, 24, 1000, 4096});
        const auto grain = static_cast<double>(messages.grain);
        messages.lead = random.integer(0, 3);
        messages.count = messages.lead + random.integer(1, 30);
        messages.lead_size = random.log_uniform(1, 1e4) * grain;
        messages.first = random.log_uniform(1, 1e4) * grain;
        messages.ratio = random.pick({1.0, random.uniform(0.7, 1.0), random.uniform(1.0, 1.5)});
        messages.increment = random.pick({0.0, random.uniform(0, 50) * grain});
        messages.cap = random.log_uniform(1, 1e6) * grain;
        // What the real sizes add up to, each at least a grain, is the volume.
        double total = static_cast<double>(messages.lead) * messages.lead_size;
        double next = messages.first;
        for (std::uint64_t k = messages.lead; k < messages.count; ++k) {
            next = std::max(std::min(next, messages.cap), grain);
            total += next;
            next = messages.ratio * next + messages.increment;
        }
        messages.volume = static_cast<std::uint64_t>(std::ceil(total));
        const List sizes = messages.list();
        REQUIRE(sizes.size() == messages.count);
        REQUIRE(sum(sizes) == messages.volume);
        REQUIRE(*std::min_element(sizes.begin(), sizes.end()) > 0);
        for (std::size_t k = 0; k + 1 < sizes.size(); ++k) REQUIRE(sizes[k] % messages.grain == 0);
        // Growing chains stay in order but for the grain; the last takes the remainder.
        if (messages.ratio < 1) continue;
        for (std::size_t k = messages.lead + 1; k + 1 < sizes.size(); ++k)
            REQUIRE(sizes[k] + messages.grain >= sizes[k - 1]);
    }
}
