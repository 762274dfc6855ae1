#include "alarm.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>

#include "lapwing/pipeline/window/poll.hpp"

using lapwing::compress::poll_meanwhile;

namespace {

/// Computes until `polled` is true, or for a minute, as the machine may be busy.
template <class Polled>
void compute_until(Polled&& polled) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!polled() && std::chrono::steady_clock::now() < end) {
    }
}

}  // namespace

TEST_CASE("work that calls nobody back is polled meanwhile", "[compress]") {
    volatile int polls = 0;
    const lapwing::Poller poller(
        1e-6,
        [](void* count) {
            auto& called = *static_cast<volatile int*>(count);
            called = called + 1;
        },
        const_cast<int*>(&polls));
    poll_meanwhile([&] { compute_until([&] { return polls >= 3; }); });
    CHECK(polls >= 3);
    const int before = polls;
    // Afterwards no signal comes.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (std::chrono::steady_clock::now() < end) {
    }
    CHECK(polls == before);
}

TEST_CASE("what fails in a poll is thrown when the work is done", "[compress]") {
    static volatile bool failed = false;
    const lapwing::Poller poller(
        1e-6,
        [](void*) {
            failed = true;
            throw std::runtime_error("unplugged");
        },
        nullptr);
    bool whole = false;
    CHECK_THROWS_WITH(poll_meanwhile([&] {
                          compute_until([] { return failed; });
                          whole = true;
                      }),
                      "unplugged");
    CHECK(whole);
    // The exception is thrown once.
    CHECK_NOTHROW(poll_meanwhile([] {}));
}
