#include "lapwing/pipeline/edge.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "support/random.hpp"

namespace {

using lapwing::Messages;
using lapwing::parts_of_edge;

std::vector<std::size_t> lengths(std::size_t elements, const std::vector<std::uint64_t>& messages) {
    std::vector<double> edge(elements);
    std::vector<std::size_t> found;
    for (const auto part : parts_of_edge(std::span(edge), Messages::of(messages)))
        found.push_back(part.size());
    return found;
}

}  // namespace

TEST_CASE("an edge is cut as the messages of a plan are", "[pipeline]") {
    CHECK(lengths(100, {80, 240, 480}) == std::vector<std::size_t>{10, 30, 60});
    CHECK(lengths(50, {80, 240, 480}) == std::vector<std::size_t>{5, 15, 30});
    CHECK(lengths(1, {80, 240, 480}) == std::vector<std::size_t>{1});
    CHECK(lengths(0, {80, 240, 480}).empty());
    CHECK(lengths(7, {}) == std::vector<std::size_t>{7});
}

TEST_CASE("the parts of an edge follow one another, and are all of it", "[pipeline]") {
    lapwing::test::Random random(3);
    for (int trial = 0; trial < 500; ++trial) {
        std::vector<int> edge(random.integer(0, 1000));
        Messages messages;
        for (auto left = random.integer(1, 20); left > 0; --left)
            messages.append(random.integer(1, 1U << random.integer(0, 20)));
        std::size_t next = 0;
        for (const auto part : parts_of_edge(std::span(edge), messages)) {
            CHECK(part.data() == edge.data() + next);
            CHECK(!part.empty());
            next += part.size();
        }
        CHECK(next == edge.size());
    }
}

TEST_CASE("opposite sides have each other's tags", "[pipeline]") {
    std::vector<int> row(8);
    const std::vector<lapwing::Side<int>> sides(
        4, {.peer = 3, .send = std::span(row).first(4), .receive = std::span(row).last(4)});
    const auto edges = lapwing::edges_at(sides);
    REQUIRE(edges.size() == 4);
    for (std::size_t s = 0; s < 4; ++s) {
        CHECK(edges[s].peer == 3);
        CHECK(edges[s].send.data() == row.data());
        CHECK(edges[s].receive.data() == row.data() + 4);
        CHECK(edges[s].send_tag == static_cast<int>(s));
        CHECK(edges[s].receive_tag == edges[s ^ 1U].send_tag);
    }
}

TEST_CASE("a slab has its neighbours above and below", "[pipeline]") {
    struct Ranks {
        int self;
        [[nodiscard]] int rank() const { return self; }
        [[nodiscard]] static int size() { return 3; }
    };
    std::vector<int> slab(5 * 7);
    std::vector<int> other(5 * 7);
    for (int rank = 0; rank < 3; ++rank) {
        const auto [now, next] = lapwing::slab_sides<int>({slab, other}, 7, Ranks{rank});
        REQUIRE(now.size() == 2);
        CHECK(now[0].peer == rank - 1);
        CHECK(now[1].peer == (rank < 2 ? rank + 1 : -1));
        CHECK(now[0].send.data() == &slab[7]);
        CHECK(now[0].receive.data() == slab.data());
        CHECK(now[1].send.data() == &slab[3 * 7]);
        CHECK(now[1].receive.data() == &slab[4 * 7]);
        CHECK(next[1].receive.data() == &other[4 * 7]);
        CHECK(next[1].receive.size() == 7);
    }
    CHECK_THROWS_AS(lapwing::slab_sides(std::span(slab), 6, Ranks{0}), std::invalid_argument);
    CHECK_THROWS_AS(lapwing::slab_sides(std::span(slab), 35, Ranks{0}), std::invalid_argument);
}
