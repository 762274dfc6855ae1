#include "lapwing/pipeline/exchange.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>
#include <set>
#include <span>
#include <stdexcept>
#include <vector>

#include "support/stub_transport.hpp"

using lapwing::PeerSequence;

namespace {

/// The ranks whose k-th sender is a rank are those that it sends to in place k.
void check(const std::vector<PeerSequence>& all) {
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const PeerSequence& own = all[rank];
        REQUIRE(own.from.size() == own.to.size());
        CHECK(std::set<int>(own.from.begin(), own.from.end()).size() == own.from.size());
        std::size_t gives = 0;
        for (std::size_t place = 0; place < own.from.size(); ++place) {
            const auto peer = static_cast<std::size_t>(own.from[place]);
            CHECK(peer != rank);
            const std::vector<int>& given = all[peer].to[place];
            CHECK(std::count(given.begin(), given.end(), static_cast<int>(rank)) == 1);
            gives += own.to[place].size();
        }
        CHECK(gives == own.from.size());
    }
}

}  // namespace

TEST_CASE("in an all-to-all everybody gives what the others take", "[pipeline]") {
    const int ranks = GENERATE(1, 2, 3, 8, 13);
    const bool staggered = GENERATE(false, true);
    std::vector<PeerSequence> all;
    for (int rank = 0; rank < ranks; ++rank) {
        all.push_back(lapwing::alltoall_sequence(rank, ranks, staggered));
        CHECK(all.back().from.size() == static_cast<std::size_t>(ranks - 1));
    }
    check(all);
    for (int place = 0; place + 1 < ranks; ++place) {
        std::set<int> sources;
        for (const PeerSequence& one : all)
            sources.insert(one.from[static_cast<std::size_t>(place)]);
        // Staggered, no rank sends to two at once; otherwise one sends to all, and receives from
        // another.
        CHECK(sources.size() == static_cast<std::size_t>(staggered ? ranks : std::min(ranks, 2)));
    }
}

TEST_CASE("neighbours give each other what they take", "[pipeline]") {
    const auto all = [](int ranks, auto&& sequence) {
        std::vector<PeerSequence> result;
        for (int rank = 0; rank < ranks; ++rank) result.push_back(sequence(rank));
        return result;
    };
    for (const int ranks : {2, 3, 7})
        check(all(ranks, [&](int rank) { return lapwing::ring_sequence(rank, ranks); }));
    check(all(12, [](int rank) { return lapwing::torus_sequence(rank, 3, 4); }));
    CHECK(lapwing::torus_sequence(5, 3, 4).from == std::vector<int>{6, 4, 9, 1});
}

TEST_CASE("what is received is sent in the same place, and never ahead of it", "[pipeline]") {
    lapwing::test::StubTransport transport({}, std::vector<std::byte>(96));
    std::vector<double> out = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    std::vector<double> in(out.size());
    lapwing::Plan plan;
    plan.messages = lapwing::Messages::of({16, 8, 8}, 8);
    plan.window = 2;
    std::vector<std::size_t> initiated;
    const lapwing::Parties parties{transport, lapwing::alltoall_sequence(0, 4, true),
                                   std::span<const double>(out), std::span<double>(in)};
    lapwing::exchange<double>(parties, plan, [&](const lapwing::PeerPiece<double>&) {
        initiated.push_back(transport.sizes.size());
    });
    // Two messages ahead, each a receive and its send.
    CHECK(initiated == std::vector<std::size_t>{6, 8, 10, 12, 14, 16, 18, 18, 18});
    CHECK(transport.under_way == 0);
    CHECK(transport.sizes ==
          std::vector<std::size_t>{16, 16, 8, 8, 8, 8, 16, 16, 8, 8, 8, 8, 16, 16, 8, 8, 8, 8});
}

TEST_CASE("who asks for what it receives lets what it sends progress", "[pipeline]") {
    lapwing::test::StubTransport transport({}, std::vector<std::byte>(8));
    const std::array<std::byte, 8> out{};
    std::array<std::byte, 8> in{};
    lapwing::PairedSends both(transport, {{1}, {{1}}}, out.data(), out.size());
    auto request = both.receive(in.data(), in.size(), 1, 0);
    CHECK_FALSE(request.test());
    CHECK(transport.under_way == 2);
    transport.send(out.data(), out.size(), 1, 1).wait();  // and with it time passes
    CHECK(request.test());
    CHECK(transport.under_way == 0);
}

TEST_CASE("a sequence without as many places to give as to take is refused", "[pipeline]") {
    lapwing::test::StubTransport transport;
    const std::array<std::byte, 8> out{};
    CHECK_THROWS_AS(lapwing::PairedSends(transport, {{1, 2}, {{1}}}, out.data(), 8),
                    std::invalid_argument);
}
