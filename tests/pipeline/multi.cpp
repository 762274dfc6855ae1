#include "lapwing/pipeline/multi.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/plan.hpp"
#include "support/stub_transport.hpp"

using lapwing::Messages;
using lapwing::PeerOrder;
using lapwing::Sources;
using lapwing::test::plan_for;
using lapwing::test::StubTransport;

namespace {

/// All numbers, in the order of the receives, in which the stub hands out its bytes.
struct FromPeers {
    std::vector<double> data;
    StubTransport transport;

    explicit FromPeers(std::size_t count) : data(count, -1), transport({}, numbers(count)) {}

    static std::vector<std::byte> numbers(std::size_t count) {
        std::vector<double> values(count);
        std::iota(values.begin(), values.end(), 0.0);
        std::vector<std::byte> raw(count * sizeof(double));
        if (count > 0) std::memcpy(raw.data(), values.data(), raw.size());
        return raw;
    }
};

using Order = std::vector<std::pair<int, std::uint64_t>>;

}  // namespace

TEST_CASE("streams from several peers come one after another, or in turn", "[pipeline]") {
    const int window = GENERATE(1, 2, 4, 50);
    const Messages messages = Messages::of({24, 8, 16}, 8);
    const Order contiguous = {{5, 0}, {5, 3}, {5, 4}, {2, 0}, {2, 3}, {2, 4}};
    const Order interleaved = {{5, 0}, {2, 0}, {5, 3}, {2, 3}, {5, 4}, {2, 4}};
    for (const auto order : {PeerOrder::contiguous, PeerOrder::interleaved}) {
        FromPeers incoming(12);
        Order seen;
        double next = 0;
        const Sources sources{incoming.transport, {5, 2}, std::span<double>(incoming.data), order};
        for (const auto piece : lapwing::multi<double>(sources, plan_for(messages, window))) {
            seen.emplace_back(piece.peer, piece.first);
            // Where the peer's data begins.
            const std::size_t start = piece.peer == 5 ? 0 : 6;
            CHECK(piece.data.data() == incoming.data.data() + start + piece.first);
            for (const double value : piece.data) CHECK(value == next++);
            CHECK(incoming.transport.under_way ==
                  std::min<std::size_t>(6 - seen.size(), static_cast<std::size_t>(window)));
        }
        CHECK(seen == (order == PeerOrder::contiguous ? contiguous : interleaved));
        CHECK(next == 12);
        const std::vector<int> tags = order == PeerOrder::contiguous
                                          ? std::vector<int>{0, 1, 2, 0, 1, 2}
                                          : std::vector<int>{0, 0, 1, 1, 2, 2};
        CHECK(incoming.transport.tags == tags);
    }
}

TEST_CASE("messages in bursts are initiated when a burst has been consumed", "[pipeline]") {
    // Seven messages, four in flight.
    const auto in_flight = [](int window, int burst) {
        FromPeers incoming(7);
        const Sources sources{incoming.transport, {3}, std::span<double>(incoming.data)};
        auto plan = plan_for(Messages::uniform(56, 8, 8), window);
        plan.burst = burst;
        std::vector<std::size_t> counts;
        for (const auto piece : lapwing::multi<double>(sources, plan)) {
            CHECK(piece.first == counts.size());
            counts.push_back(incoming.transport.under_way);
        }
        return counts;
    };
    using Counts = std::vector<std::size_t>;
    CHECK(in_flight(4, 0) == Counts{4, 4, 4, 3, 2, 1, 0});
    CHECK(in_flight(4, 2) == Counts{3, 2, 3, 2, 2, 1, 0});
    CHECK(in_flight(2, 1) == Counts{1, 1, 1, 1, 1, 1, 0});
    // A window is consumed before the next messages are initiated.
    CHECK(in_flight(2, 5) == Counts{1, 0, 1, 0, 1, 0, 0});
}

TEST_CASE("streams from several peers left early receive what is left", "[pipeline]") {
    const auto order = GENERATE(PeerOrder::contiguous, PeerOrder::interleaved);
    const int leave_after = GENERATE(0, 1, 7, 14);
    FromPeers incoming(300);
    const Sources sources{incoming.transport, {0, 1, 3}, std::span<double>(incoming.data), order};
    int seen = 0;
    for (const auto piece :
         lapwing::multi<double>(sources, plan_for(Messages::uniform(800, 160, 8), 4))) {
        CHECK(piece.data.size() == 20);
        if (seen++ == leave_after) break;
    }
    CHECK(incoming.transport.under_way == 0);
    CHECK(incoming.transport.sizes.size() == 15);
    CHECK(std::count(incoming.data.begin(), incoming.data.end(), -1.0) == 0);
}

TEST_CASE("no peers, or nothing from them, is nothing", "[pipeline]") {
    const auto order = GENERATE(PeerOrder::contiguous, PeerOrder::interleaved);
    FromPeers incoming(0);
    const std::span<double> nothing;
    for (const auto& peers : {std::vector<int>{}, std::vector<int>{1, 2}}) {
        const Sources sources{incoming.transport, peers, nothing, order};
        const auto messages = peers.empty() ? Messages::uniform(80, 8, 8) : Messages(8);
        for (const auto piece : lapwing::multi<double>(sources, plan_for(messages, 2)))
            CHECK(piece.data.empty());
        CHECK(incoming.transport.sizes.empty());
    }
}

TEST_CASE("a plan that does not fit several peers is refused", "[pipeline]") {
    FromPeers incoming(100);
    const Sources sources{incoming.transport, {0, 1}, std::span<double>(incoming.data)};
    for (const std::uint64_t volume : {392, 408, 800})
        CHECK_THROWS_AS(
            lapwing::multi<double>(sources, plan_for(Messages::uniform(volume, 80, 8), 2)),
            std::invalid_argument);
    CHECK_THROWS_AS(lapwing::multi<double>(sources, plan_for(Messages::uniform(400, 80, 4), 2)),
                    std::invalid_argument);
    CHECK(incoming.transport.sizes.empty());
}
