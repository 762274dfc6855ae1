#include "lapwing/calibrate/benchmarks/overlap_share.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"
#include "support/stub_transport.hpp"

namespace {

using lapwing::OverlapShare;
using lapwing::test::StubCosts;
using lapwing::test::StubTransport;

/// As if measured: each time without error but the ratio, which has `error`.
OverlapShare measured(double communication, double computation, double both, double error = 0) {
    OverlapShare hidden;
    hidden.communication.median = communication;
    hidden.computation.median = computation;
    hidden.together.median = both / (communication + computation);
    hidden.together.error = error;
    return hidden;
}

/// A network whose messages move only while somebody calls it: one call moves one piece.
class Sleepy {
  public:
    class Request {
      public:
        Request() = default;
        explicit Request(Sleepy& network) : network_(&network), left_(pieces) {}
        Request(Request&& other) noexcept { *this = std::move(other); }
        Request& operator=(Request&& other) noexcept {
            network_ = std::exchange(other.network_, nullptr);
            left_ = std::exchange(other.left_, 0);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        ~Request() { wait(); }
        bool test() {
            // What was called for moves meanwhile: it takes nobody's time.
            if (left_ > 0) --left_;
            return left_ == 0;
        }
        void wait() {
            if (network_ != nullptr) network_->clock += static_cast<double>(left_);
            left_ = 0;
        }

      private:
        Sleepy* network_ = nullptr;
        int left_ = 0;
    };

    static constexpr int pieces = 10;
    double clock = 0;
};

}  // namespace

TEST_CASE("The share hidden is 1 where the shorter disappears and 0 where both add up",
          "[hidden]") {
    CHECK(measured(2, 3, 3).share() == Approx(1));
    CHECK(measured(3, 2, 3).share() == Approx(1));
    CHECK(measured(2, 3, 5).share() == Approx(0).margin(1e-12));
    CHECK(measured(2, 2, 3).share() == Approx(0.5));
    CHECK(measured(2, 2, 5).share() == Approx(-0.5));
    CHECK(measured(2, 3, 3).both() == Approx(3));
    // Nothing to hide.
    CHECK(measured(0, 3, 3).share() == 0);
    CHECK(measured(0, 3, 3, 0.1).error() == 0);
}

TEST_CASE("The error of the share is what the ratio's error makes of it", "[hidden]") {
    lapwing::test::Random chance(7);
    for (int i = 0; i < 200; ++i) {
        const double communication = chance.uniform(1e-6, 1e-2);
        const double computation = chance.uniform(1e-6, 1e-2);
        const double both = chance.uniform(0.5, 1.2) * (communication + computation);
        const double error = chance.uniform(0, 0.2);
        const auto hidden = measured(communication, computation, both, error);
        const auto later = measured(communication, computation, both * (1 + error));
        CHECK(hidden.share() - later.share() == Approx(hidden.error()).margin(1e-9));
        // Units do not matter.
        const auto scaled = measured(1e3 * communication, 1e3 * computation, 1e3 * both, error);
        CHECK(scaled.share() == Approx(hidden.share()).margin(1e-9));
        CHECK(scaled.error() == Approx(hidden.error()).margin(1e-9));
    }
}

TEST_CASE("At most a window of messages is in flight, and all are complete at the end",
          "[hidden]") {
    // Where a message takes longer than to initiate one, polls find none complete: each asks for
    // one and that is all. Where it takes less, each step finds complete what was initiated in the
    // step before, if a window has room for both, and asks for the next as well.
    constexpr StubCosts slow{.per_byte = 50e-9};
    constexpr StubCosts fast{.latency = 0};
    for (const bool is_slow : {true, false}) {
        for (const int window : {1, 2, 5}) {
            for (const std::uint64_t count : {1, 2, 3, 17}) {
                StubTransport transport(is_slow ? slow : fast);
                std::vector<std::byte> data(64);
                std::uint64_t steps = 0;
                lapwing::compute_meanwhile(
                    window, count,
                    [&](std::uint64_t index) {
                        CHECK(index == steps);
                        return transport.send(data.data(), data.size(), 1, static_cast<int>(index));
                    },
                    [&](auto&& progress) {
                        ++steps;
                        progress();
                    });
                CHECK(steps == count);
                CHECK(transport.sizes.size() == count);
                CHECK(transport.under_way == 0);
                CHECK(transport.most_under_way <= static_cast<std::size_t>(window));
                CHECK(transport.tests == (is_slow || window == 1 ? count : 2 * count - 1));
            }
        }
    }
}

TEST_CASE("What moves only when called is hidden by polling", "[hidden]") {
    constexpr int steps = 6;
    const auto run = [](bool computing, bool polled) {
        Sleepy network;
        lapwing::compute_meanwhile(
            1, steps, [&](std::uint64_t) { return Sleepy::Request(network); },
            [&](auto&& progress) {
                for (int block = 0; block < Sleepy::pieces && computing; ++block) {
                    network.clock += 1;
                    if (polled) progress();
                }
            });
        return network.clock;
    };
    const double alone = run(false, false);
    const double computation = steps * Sleepy::pieces;
    CHECK(alone == steps * Sleepy::pieces);
    CHECK(measured(alone, computation, run(true, false)).share() == Approx(0).margin(1e-12));
    CHECK(measured(alone, computation, run(true, true)).share() == Approx(1));
}

TEST_CASE("Polls are some sixty to a message, and never more than blocks", "[hidden]") {
    CHECK(lapwing::blocks_between_polls(0, 20e-6) == 1);
    CHECK(lapwing::blocks_between_polls(20e-6, 20e-6) == 1);
    CHECK(lapwing::blocks_between_polls(1e-3, 20e-6) == 1);
    for (const double seconds : {5e-3, 34e-3, 0.5}) {
        const auto blocks = static_cast<double>(lapwing::blocks_between_polls(seconds, 20e-6));
        const double polls = seconds / (blocks * 20e-6);
        CHECK(polls >= 64);
        CHECK(polls < 128);
    }
}

TEST_CASE("There is one way to use a transport that calls nothing, and each has a name",
          "[hidden]") {
    const auto plain = std::count_if(
        lapwing::progress_modes.begin(), lapwing::progress_modes.end(),
        [](const lapwing::ProgressMode& use) { return use.window == 1 && !use.polled; });
    CHECK(plain == 1);
    CHECK(std::string(lapwing::progress_modes.front().name) == "unattended");
}
