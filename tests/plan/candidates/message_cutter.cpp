#include "lapwing/plan/candidates/message_cutter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/random.hpp"

using lapwing::MessageCutter;
using lapwing::test::Random;
using List = std::vector<std::uint64_t>;

TEST_CASE("messages end at multiples of the grain, and rounding does not add up", "[plan]") {
    // Ends at 2.5, 5, 7.5, 10, rounded to 3, 5, 8, 10.
    MessageCutter cut(10, 1);
    for (int i = 0; i < 4; ++i) cut.append(2.5);
    CHECK(cut.finish().list() == List{3, 2, 3, 2});
}

TEST_CASE("the last message takes what remains", "[plan]") {
    MessageCutter cut(100, 8);
    cut.append(16);
    cut.append(32);
    CHECK(cut.finish().list() == List{16, 84});
}

TEST_CASE("no message is shorter than a grain", "[plan]") {
    MessageCutter cut(64, 16);
    for (int i = 0; i < 10; ++i) cut.append(1);
    CHECK(cut.finish().list() == List{16, 16, 16, 16});
}

TEST_CASE("equal messages differ by a grain at most", "[plan]") {
    MessageCutter growing(100, 8);
    growing.append_equal(100, 5, true);
    CHECK(growing.finish().list() == List{16, 16, 16, 24, 28});
    MessageCutter shrinking(100, 8);
    shrinking.append_equal(100, 5, false);
    CHECK(shrinking.finish().list() == List{24, 24, 16, 16, 20});
    MessageCutter few(24, 8);
    few.append_equal(24, 5, true);
    CHECK(few.finish().list() == List{8, 8, 8});
}

TEST_CASE("any cut is whole, without empty messages, and follows the sizes", "[plan]") {
    Random random(11);
    for (int trial = 0; trial < 3000; ++trial) {
        const auto grain = static_cast<std::uint64_t>(random.integer(1, 64));
        const auto volume = static_cast<std::uint64_t>(random.integer(1, 100000));
        MessageCutter cut(volume, grain);
        std::vector<double> wanted;
        for (auto n = random.integer(0, 20); n > 0; --n) {
            wanted.push_back(random.log_uniform(0.1, 1e4));
            cut.append(wanted.back());
        }
        const auto messages = cut.finish();
        REQUIRE(messages.volume() == volume);
        const auto sizes = messages.list();
        double sum = 0;
        std::uint64_t end = 0;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            REQUIRE(sizes[k] > 0);
            if (k + 1 == sizes.size()) break;
            REQUIRE(sizes[k] % grain == 0);
            end += sizes[k];
            sum += wanted[k];
            // Never before the running sum by more than half a grain.
            const double least = std::min(sum, static_cast<double>(volume));
            REQUIRE(static_cast<double>(end) + static_cast<double>(grain) / 2 + 1e-6 >= least);
        }
    }
}
