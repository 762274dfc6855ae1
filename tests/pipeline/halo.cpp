#include "lapwing/pipeline/halo.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"

using lapwing::Edge;
using lapwing::Halo;
using lapwing::test::Random;

namespace {

/// A transport of a rank that is its own neighbour, as on a torus of one. A message moves when both
/// sides are initiated and it has been tested often enough: receive k needs `patience[k]` tests.
/// Data is read when it moves, so that a test sees what changes too early.
class Mirror {
  public:
    class Request {
      public:
        Request() = default;
        Request(Mirror& mirror, bool receives, std::size_t index)
            : mirror_(&mirror), receives_(receives), index_(index) {
            ++mirror.under_way;
        }
        Request(Request&& other) noexcept
            : mirror_(std::exchange(other.mirror_, nullptr)),
              receives_(other.receives_),
              index_(other.index_) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(mirror_, other.mirror_);
            std::swap(receives_, other.receives_);
            std::swap(index_, other.index_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        ~Request() { wait(); }
        bool test() {
            if (mirror_ == nullptr) return true;
            ++mirror_->tests;
            if (receives_ && mirror_->receives_[index_].patience-- > 0) return false;
            wait();
            return true;
        }
        void wait() {
            if (mirror_ == nullptr) return;
            if (receives_) mirror_->move(index_);
            --std::exchange(mirror_, nullptr)->under_way;
        }

      private:
        Mirror* mirror_ = nullptr;
        bool receives_ = false;
        std::size_t index_ = 0;
    };

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        sends_.push_back({from, nullptr, bytes, tag, 0});
        peers.insert(peer);
        order.push_back(tag);
        return {*this, false, sends_.size() - 1};
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        const std::size_t index = receives_.size();
        const int asked_for = index < patience.size() ? patience[index] : 0;
        receives_.push_back({nullptr, into, bytes, tag, asked_for});
        peers.insert(peer);
        CHECK(sends_.empty());  // receives are initiated first
        return {*this, true, receives_.size() - 1};
    }
    [[nodiscard]] static double now() { return 0; }
    void forget() {
        sends_.clear();
        receives_.clear();
        order.clear();
    }

    std::vector<int> patience;
    std::vector<int> order;  ///< tags, as they were sent
    std::set<int> peers;
    std::size_t under_way = 0;
    std::size_t tests = 0;
    std::size_t lost = 0;

  private:
    struct Message {
        const void* from;
        void* into;
        std::size_t bytes;
        int tag;
        int patience;
    };

    /// Of messages with one tag, the first sent is the first received.
    void move(std::size_t index) {
        Message& receive = receives_[index];
        std::size_t turn = 0;
        for (std::size_t i = 0; i < index; ++i)
            if (receives_[i].tag == receive.tag) ++turn;
        for (const Message& send : sends_) {
            if (send.tag != receive.tag || turn-- > 0) continue;
            if (send.bytes != receive.bytes) ++lost;
            if (receive.bytes > 0)
                std::memcpy(receive.into, send.from, std::min(send.bytes, receive.bytes));
            return;
        }
        ++lost;
    }

    std::vector<Message> sends_;
    std::vector<Message> receives_;
};

static_assert(lapwing::Transport<Mirror>);

/// Opposite sides of `dimensions` dimensions, side `s` and `s ^ 1`, of any lengths.
struct Sides {
    std::vector<std::vector<int>> sent;
    std::vector<std::vector<int>> received;
    std::vector<Edge<int>> edges;

    Sides(Random& random, std::size_t dimensions) : sent(2 * dimensions), received(2 * dimensions) {
        for (std::size_t side = 0; side < 2 * dimensions; ++side) {
            const auto opposite = side ^ 1U;
            const std::size_t length =
                side > opposite ? sent[opposite].size() : random.integer(0, 30);
            sent[side].resize(length);
            received[side].resize(length, -1);
            edges.push_back({.peer = 0,
                             .send = sent[side],
                             .receive = received[side],
                             .send_tag = static_cast<int>(side),
                             .receive_tag = static_cast<int>(opposite)});
        }
    }
    [[nodiscard]] std::vector<lapwing::Side<int>> sides() {
        std::vector<lapwing::Side<int>> all;
        for (std::size_t side = 0; side < sent.size(); ++side)
            all.push_back({0, sent[side], received[side]});
        return all;
    }
    void fill(Random& random) {
        for (auto& side : sent)
            for (int& value : side) value = static_cast<int>(random.integer(0, 1000));
    }
    [[nodiscard]] bool arrived(std::size_t side) const { return received[side] == sent[side ^ 1U]; }
    [[nodiscard]] bool all_arrived() const {
        for (std::size_t side = 0; side < sent.size(); ++side)
            if (!arrived(side)) return false;
        return true;
    }
};

}  // namespace

TEST_CASE("a halo brings each edge to the opposite side", "[pipeline]") {
    Random random(7);
    for (int trial = 0; trial < 200; ++trial) {
        Mirror mirror;
        Sides sides(random, random.integer(0, 4));
        // In whatever order they are given.
        auto edges = sides.edges;
        std::vector<std::size_t> side_of(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const auto other = random.integer(i, edges.size() - 1);
            std::swap(edges[i], edges[other]);
        }
        for (std::size_t i = 0; i < edges.size(); ++i)
            side_of[i] = static_cast<std::size_t>(edges[i].send_tag);
        Halo halo(mirror, edges);
        for (int round = 0; round < 3; ++round) {
            mirror.patience.clear();
            for (std::size_t i = 0; i < edges.size(); ++i)
                mirror.patience.push_back(static_cast<int>(random.integer(0, 5)));
            sides.fill(random);
            std::size_t interiors = 0;
            std::multiset<std::size_t> borders;
            switch (random.integer(0, 2)) {
                case 0:
                    halo.exchange([&] { ++interiors; });
                    break;
                case 1:
                    halo.exchange(
                        [&] {
                            ++interiors;
                            CHECK(mirror.under_way == 2 * edges.size());
                        },
                        [&] {
                            CHECK(interiors == 1);
                            CHECK(mirror.under_way == 0);
                            CHECK(sides.all_arrived());
                        });
                    break;
                default:
                    halo.exchange([&] { ++interiors; },
                                  [&](std::size_t edge) {
                                      CHECK(interiors == 1);
                                      CHECK(sides.arrived(side_of[edge]));
                                      borders.insert(edge);
                                  });
                    CHECK(borders.size() == edges.size());
                    CHECK(std::set(borders.begin(), borders.end()).size() == edges.size());
            }
            CHECK(interiors == 1);
            CHECK(mirror.under_way == 0);
            CHECK(mirror.lost == 0);
            CHECK(sides.all_arrived());
            CHECK(std::is_sorted(mirror.order.begin(), mirror.order.end()));
            mirror.forget();
        }
    }
}

TEST_CASE("a halo cuts its sides as the plan says, in two buffers by turns", "[pipeline]") {
    Random random(16);
    for (int trial = 0; trial < 200; ++trial) {
        Mirror mirror;
        const std::size_t dimensions = random.integer(1, 3);
        std::array buffers{Sides(random, dimensions), Sides(random, dimensions)};
        for (std::size_t side = 0; side < 2 * dimensions; ++side) {
            buffers[1].sent[side].resize(buffers[0].sent[side].size());
            buffers[1].received[side].resize(buffers[0].sent[side].size());
        }
        lapwing::Plan plan;
        for (auto left = random.integer(1, 8); left > 0; --left)
            plan.messages.append(random.integer(1, 40));
        Halo halo(mirror, plan, std::array{buffers[0].sides(), buffers[1].sides()});
        for (std::size_t round = 0; round < 4; ++round) {
            Sides& now = buffers[round % 2];
            mirror.patience.clear();
            for (int i = 0; i < 48; ++i)
                mirror.patience.push_back(static_cast<int>(random.integer(0, 5)));
            now.fill(random);
            std::vector<std::size_t> packed;
            std::multiset<std::size_t> borders;
            halo.exchange([&](std::size_t side) { packed.push_back(side); }, [] {},
                          [&](std::size_t side) {
                              CHECK(now.arrived(side));
                              borders.insert(side);
                          });
            CHECK(borders.size() == 2 * dimensions);
            CHECK(std::set(borders.begin(), borders.end()).size() == 2 * dimensions);
            CHECK(std::set(packed.begin(), packed.end()).size() == packed.size());
            CHECK(mirror.lost == 0);
            CHECK(now.all_arrived());
            mirror.forget();
        }
    }
}

TEST_CASE("two buffers of other shapes are refused", "[pipeline]") {
    Random random(17);
    Mirror mirror;
    Sides sides(random, 2);
    lapwing::Plan plan;
    plan.messages.append(8);
    auto other = sides.sides();
    CHECK_NOTHROW(Halo(mirror, plan, std::array{sides.sides(), other}));
    other[1].peer = -1;
    CHECK_THROWS_WITH(Halo(mirror, plan, std::array{sides.sides(), other}),
                      "halo: the sides of its two buffers differ");
    other.pop_back();
    CHECK_THROWS_AS(Halo(mirror, plan, std::array{sides.sides(), other}), std::invalid_argument);
}

TEST_CASE("each edge is handled when it has arrived, not in its turn", "[pipeline]") {
    Random random(8);
    Mirror mirror;
    mirror.patience = {7, 1, 5, 0};  // in the order of the receives' tags: of sides 1, 0, 3, 2
    Sides sides(random, 2);
    Halo halo(mirror, sides.edges);
    std::vector<std::size_t> seen;
    halo.exchange([] {}, [&](std::size_t edge) { seen.push_back(edge); });
    CHECK(seen == std::vector<std::size_t>{2, 0, 3, 1});
}

TEST_CASE("where the grid ends nothing is sent, and the border is there at once", "[pipeline]") {
    Random random(9);
    Mirror mirror;
    Sides sides(random, 2);
    sides.edges[0].peer = sides.edges[1].peer = -1;
    mirror.patience = {2, 2};
    Halo halo(mirror, sides.edges);
    sides.fill(random);
    std::vector<std::size_t> seen;
    halo.exchange([] {}, [&](std::size_t edge) { seen.push_back(edge); });
    CHECK(mirror.order == std::vector<int>{2, 3});
    CHECK(mirror.peers == std::set<int>{0});
    REQUIRE(seen.size() == 4);
    CHECK(seen[0] == 0);
    CHECK(seen[1] == 1);
    CHECK(sides.arrived(2));
    CHECK(sides.arrived(3));
}

TEST_CASE("an edge is packed right before it is sent", "[pipeline]") {
    Random random(10);
    Mirror mirror;
    Sides sides(random, 2);
    Halo halo(mirror, sides.edges);
    std::vector<std::size_t> packed;
    halo.exchange(
        [&](std::size_t edge) {
            CHECK(mirror.order.size() == packed.size());
            packed.push_back(edge);
            std::fill(sides.sent[edge].begin(), sides.sent[edge].end(), static_cast<int>(edge));
        },
        [] {}, [] {});
    CHECK(packed == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(sides.all_arrived());
}

TEST_CASE("two edges that would be mixed up are refused", "[pipeline]") {
    Random random(11);
    Mirror mirror;
    Sides sides(random, 2);
    auto edges = sides.edges;
    edges[2].send_tag = 1;
    CHECK_THROWS_WITH(Halo(mirror, edges), "halo: two edges with rank 0 have the same tag 1");
    edges[2].peer = 1;  // another neighbour may
    CHECK_NOTHROW(Halo(mirror, edges));
    edges = sides.edges;
    edges[3].receive_tag = 0;
    CHECK_THROWS_AS(Halo(mirror, edges), std::invalid_argument);
    edges[1].peer = -1;  // and so may none at all
    CHECK_NOTHROW(Halo(mirror, edges));
}

TEST_CASE("a halo lets the transport progress when polled, in the interior only", "[pipeline]") {
    Random random(12);
    const auto later = [] {
        const auto start = lapwing::Poller::Clock::now();
        while (lapwing::Poller::Clock::now() - start < std::chrono::microseconds(10)) {
        }
    };
    for (const double interval : {0.0, 1e-9}) {
        Mirror mirror;
        mirror.patience = {1, 3, 0, 2};
        Sides sides(random, 2);
        sides.fill(random);
        Halo halo(mirror, sides.edges, interval);
        std::size_t borders = 0;
        halo.exchange(
            [&] {
                for (int i = 0; i < 20; ++i) {
                    later();
                    lapwing::poll();
                }
                CHECK((mirror.tests > 0) == (interval > 0));
                CHECK(mirror.under_way ==
                      (interval > 0 ? 0 : 8));  // 20 tests complete all messages
            },
            [&](std::size_t) { ++borders; });
        CHECK(borders == 4);
        CHECK(sides.all_arrived());
        const std::size_t tests = mirror.tests;
        later();
        lapwing::poll();
        CHECK(mirror.tests == tests);
    }
}

TEST_CASE("an exception out of the interior leaves nothing in flight", "[pipeline]") {
    Random random(13);
    Mirror mirror;
    Sides sides(random, 2);
    sides.fill(random);
    {
        Halo halo(mirror, sides.edges);
        CHECK_THROWS_WITH(halo.exchange([] { throw std::runtime_error("enough"); }), "enough");
    }
    CHECK(mirror.under_way == 0);
    CHECK(sides.all_arrived());
}

TEST_CASE("a halo's trace has an event for each message, interior and border", "[pipeline]") {
    Random random(14);
    Mirror mirror;
    Sides sides(random, 2);
    lapwing::Trace trace;
    Halo halo(mirror, sides.edges, 0, trace);
    halo.exchange([] {}, [](std::size_t) {});
    std::array<int, lapwing::activities> counts{};
    for (const auto& event : trace.events()) ++counts[static_cast<std::size_t>(event.activity)];
    using lapwing::Activity;
    CHECK(counts[static_cast<std::size_t>(Activity::initiation)] == 8);
    CHECK(counts[static_cast<std::size_t>(Activity::computation)] == 1);
    CHECK(counts[static_cast<std::size_t>(Activity::consumption)] == 4);
    // Waits until the edges have arrived, and until the own ones have left.
    CHECK(counts[static_cast<std::size_t>(Activity::wait)] == 2);
    CHECK(counts[static_cast<std::size_t>(Activity::poll)] == 0);
}

TEST_CASE("a failing rank says in which exchange", "[pipeline]") {
    Random random(15);
    Mirror mirror;
    Sides sides(random, 1);
    Halo halo(mirror, sides.edges);
    static std::string said;
    said.clear();
    lapwing::failure::end_job = [](const char* what) { said = what; };
    halo.exchange([] {});
    mirror.forget();
    CHECK_THROWS(halo.exchange([] { throw std::runtime_error("no more"); }));
    lapwing::failure::end_job = nullptr;
    CHECK(said == "halo, exchange 1: no more");
}
