#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "is/drawn_keys.hpp"
#include "is/loops.hpp"
#include "is/owners.hpp"
#include "is/problem.hpp"
#include "is/sorted_keys.hpp"
#include "is/tiles.hpp"

using namespace lapwing::nas::is;

namespace {

/// The keys as an iteration ranks them.
std::vector<Key> keys_in(const Problem& problem, int iteration) {
    std::vector<Key> keys(problem.keys());
    generate(problem, 0, keys);
    for (int i = 1; i <= iteration; ++i) {
        keys[static_cast<std::size_t>(i)] = static_cast<Key>(i);
        keys[static_cast<std::size_t>(i + problem.iterations)] =
            static_cast<Key>(problem.values()) - static_cast<Key>(i);
    }
    return keys;
}

}  // namespace

TEST_CASE("NAS IS has classes S to D") {
    CHECK(find_problem("A").size() == std::vector<std::size_t>{1 << 23, 1 << 19});
    CHECK(find_problem("D").keys() == std::size_t{1} << 31);
    CHECK(find_problem("B").operations() == 10.0 * (1 << 25));
    for (const char* name : {"", "s", "E", "AA"})
        CHECK_THROWS_AS(find_problem(name), std::invalid_argument);
}

TEST_CASE("Test keys of NAS IS have the ranks that are published") {
    for (const char* name : {"S", "W"}) {
        const Problem problem = find_problem(name);
        for (const int iteration : {1, 2, 10}) {
            const auto keys = keys_in(problem, iteration);
            for (const TestKey& test : problem.tests) {
                const Key key = keys[test.place];
                const auto less =
                    std::count_if(keys.begin(), keys.end(), [&](Key k) { return k < key; });
                CHECK(less == test.rank + test.change * iteration);
            }
        }
    }
}

TEST_CASE("Ranks generate their keys by themselves") {
    const Problem problem = find_problem("S");
    std::vector<Key> all(problem.keys());
    generate(problem, 0, all);
    std::vector<Key> part(100);
    generate(problem, 12345, part);
    CHECK(std::equal(part.begin(), part.end(), all.begin() + 12345));
    CHECK(problem.keys_before(3, 3) == problem.keys());
}

TEST_CASE("Keys are expected where they are") {
    const Problem problem = find_problem("W");
    std::vector<Key> keys(problem.keys());
    generate(problem, 0, keys);
    CHECK(problem.expected_below(0, 1000) == 0);
    CHECK(problem.expected_below(problem.buckets(), 1000) == 1000);
    for (std::size_t bucket = 0; bucket < problem.buckets(); bucket += 64) {
        const auto below = static_cast<double>(std::count_if(
            keys.begin(), keys.end(), [&](Key k) { return k >> problem.shift() < bucket; }));
        const auto expected = static_cast<double>(problem.expected_below(bucket, keys.size()));
        CHECK(below == Approx(expected).margin(3000));
    }
}

TEST_CASE("Keys that are drawn scatter as keys do") {
    const Problem problem = find_problem("W");
    constexpr std::size_t count = 1000;
    constexpr std::uint64_t draws = 2000;
    const std::size_t first = problem.buckets() * 7 / 16;
    const std::size_t last = problem.buckets() / 2 + 3;
    double sum = 0;
    double squares = 0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        const DrawnKeys drawn(problem, count, draw);
        const auto keys = static_cast<double>(drawn.below(last) - drawn.below(first));
        sum += keys;
        squares += keys * keys;
    }
    const double share = problem.share_below(last) - problem.share_below(first);
    const double mean = sum / draws;
    const double variance = count * share * (1 - share);
    CHECK(mean == Approx(count * share).margin(5 * std::sqrt(variance / draws)));
    CHECK(squares / draws - mean * mean == Approx(variance).epsilon(0.15));
}

TEST_CASE("Keys that are drawn lie in the same buckets however one asks") {
    const Problem problem = find_problem("S");
    for (const std::size_t count : {0, 1, 20'000}) {
        const DrawnKeys drawn(problem, count, 3);
        std::vector<std::uint32_t> begins(problem.buckets() + 1);
        drawn.write(begins);
        CHECK(begins.front() == 0);
        CHECK(begins.back() == count);
        CHECK(std::is_sorted(begins.begin(), begins.end()));
        for (std::size_t bucket = 0; bucket < begins.size(); ++bucket)
            REQUIRE(drawn.below(bucket) == begins[bucket]);
    }
}

TEST_CASE("Tiles are sorted by bucket, and ranks sort the keys") {
    const Problem problem = find_problem("S");
    std::vector<Key> keys(problem.keys());
    generate(problem, 0, keys);
    for (const std::size_t count : {1, 2, 3, 8}) {
        Tiles tiles(problem, keys.size(), count);
        std::vector<Key> sorted(keys.size());
        std::vector<std::uint32_t> values(problem.values());
        std::size_t all = 0;
        for (std::size_t tile = 0; tile < count; ++tile) {
            const auto part = std::span(keys).subspan(tiles.first(tile), tiles.size(tile));
            all += part.size();
            tiles.count_keys(tile, part);
            const auto begins = tiles.begins(tile);
            CHECK(begins.back() == part.size());
            std::vector<std::uint32_t> next(begins.begin(), begins.end());
            Key* const to = sorted.data() + tiles.first(tile);
            sort_by_bucket(part, problem.shift(), next.data(), to);
            CHECK(std::is_sorted(to, to + part.size(), [&](Key a, Key b) {
                return a >> problem.shift() < b >> problem.shift();
            }));
            count_values(std::span(sorted).subspan(tiles.first(tile), part.size()), 0,
                         values.data());
        }
        CHECK(all == keys.size());
        sum_up(values);
        auto expected = keys;
        std::sort(expected.begin(), expected.end());
        for (std::size_t value = 0; value < values.size(); ++value)
            REQUIRE(values[value] ==
                    std::upper_bound(expected.begin(), expected.end(), value) - expected.begin());
    }
}

TEST_CASE("The first tile and the last are half as large") {
    const Tiles tiles(find_problem("S"), 1400, 8);
    CHECK(tiles.size(0) == 100);
    CHECK(tiles.size(1) == 200);
    CHECK(tiles.size(6) == 200);
    CHECK(tiles.size(7) == 100);
}

TEST_CASE("Ranks get buckets until they have their share") {
    const std::vector<double> even(8, 10.0);
    CHECK(first_buckets(even, 1) == std::vector<std::size_t>{0, 8});
    CHECK(first_buckets(even, 4) == std::vector<std::size_t>{0, 2, 4, 6, 8});
    CHECK(first_buckets(even, 3) == std::vector<std::size_t>{0, 3, 6, 8});
    // One bucket is more than two ranks' share: the last rank gets nothing.
    const std::vector<double> full{0, 0, 90, 5, 5, 0};
    CHECK(first_buckets(full, 4) == std::vector<std::size_t>{0, 3, 4, 5, 6});
}
