#include "lapwing/fft/distribution/route.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "lapwing/fft/distribution/block_distribution.hpp"

using namespace lapwing::fft;

TEST_CASE("Messages of a route fill every buffer, and no place twice") {
    constexpr std::size_t row = 3;
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::pencils,
                                Schedule::strips, Schedule::tails})
        for (const int ranks : {1, 2, 3, 7}) {
            const Route route(schedule, BlockDistribution(5, ranks), BlockDistribution(11, ranks),
                              row, {}, 4);
            for (int target = 0; target < ranks; ++target) {
                std::vector<int> filled(5 * BlockDistribution(11, ranks).count(target) * row);
                for (int source = 0; source < ranks; ++source)
                    for (std::size_t i = 0; i < route.messages(source, target); ++i)
                        for (std::size_t byte = 0; byte < route.bytes(source, target, i); ++byte)
                            ++filled.at(route.place(source, target, i) + byte);
                CHECK(filled == std::vector<int>(filled.size(), 1));
            }
        }
}

TEST_CASE("Messages of each schedule are as many as Bell's table 1 says") {
    // A cube of 64 on 4 ranks sends T, T n/T and n^2/T messages, those to itself included (Bell et
    // al. 2006, table 1).
    const auto all = [](Schedule schedule) {
        const Route route(schedule, BlockDistribution(64, 4), BlockDistribution(64, 4), 64 * 16);
        std::size_t sum = 0;
        for (int target = 0; target < 4; ++target) sum += route.messages(0, target);
        return sum;
    };
    CHECK(all(Schedule::exchange) == 4);
    CHECK(all(Schedule::slabs) == 64);
    CHECK(all(Schedule::pencils) == 64 * 64 / 4);
}

TEST_CASE("What goes in one stage of strips is one message") {
    // Four strips of the result take the place of two planes each, in the order of the stages.
    constexpr int ranks = 4;
    const auto sent = [](Schedule schedule) {
        const Route route(schedule, BlockDistribution(32, ranks), BlockDistribution(64, ranks), 16,
                          {}, 4);
        std::vector<std::vector<std::size_t>> by_plane(8);
        for (std::size_t i = 0; i < route.messages(0, 1); ++i)
            if (const std::size_t bytes = route.bytes(0, 1, i); bytes > 0) {
                CHECK(route.stage(0, i) == by_plane[i / 4].size());
                by_plane[i / 4].push_back(bytes / 16);
            }
        return by_plane;
    };
    using Rows = std::vector<std::size_t>;
    const auto strips = sent(Schedule::strips);
    CHECK(strips[0] == Rows{16});
    CHECK(strips[1] == Rows{16});
    CHECK(strips[2] == Rows{4, 12});
    CHECK(strips[5] == Rows{4, 4, 8});
    CHECK(strips[7] == Rows{4, 4, 4, 4});
    const auto tails = sent(Schedule::tails);
    CHECK(tails[6] == Rows{16});
    CHECK(tails[7] == Rows{4, 4, 4, 4});
}

TEST_CASE("What is long is cut in every stage") {
    // A part is 16 rows of 8 KB; the planes whose place the first strip takes go in its stage.
    const Route route(Schedule::strips, BlockDistribution(32, 4), BlockDistribution(64, 4), 8192,
                      {}, 4);
    REQUIRE(route.messages(0, 1) == 32);
    for (std::size_t i = 0; i < 32; ++i) {
        CHECK(route.bytes(0, 1, i) == 4 * 8192);
        CHECK(route.stage(0, i) == std::min(i % 4, i / 4 / 2));
    }
}

TEST_CASE("Messages within planes fill every buffer too, from parts that make up every plane") {
    constexpr std::size_t planes = 3;
    constexpr std::size_t element = 2;
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::pencils,
                                Schedule::strips, Schedule::tails})
        for (const int ranks : {1, 2, 3, 7}) {
            const Route route = Route::within(planes, schedule, BlockDistribution(5, ranks),
                                              BlockDistribution(11, ranks), element, {});
            for (int target = 0; target < ranks; ++target) {
                std::vector<int> filled(planes * 5 * BlockDistribution(11, ranks).count(target) *
                                        element);
                std::size_t begin = 0;
                for (int source = 0; source < ranks; ++source) {
                    CHECK(route.part_begin(target, source) == begin);
                    begin += route.part(target, source);
                    for (std::size_t i = 0; i < route.messages(source, target); ++i)
                        for (std::size_t byte = 0; byte < route.bytes(source, target, i); ++byte)
                            ++filled.at(route.place(source, target, i) + byte);
                }
                CHECK(begin == route.plane(target));
                CHECK(filled == std::vector<int>(filled.size(), 1));
            }
        }
}
