#include "lapwing/pipeline/window/poll.hpp"

#include <catch2/catch.hpp>
#include <optional>

using lapwing::poll;
using lapwing::Poller;

namespace {

constexpr double always = 1e-9;  // due again by the time poll() is called again
constexpr double never_soon = 3600;

void count(void* calls) { ++*static_cast<int*>(calls); }

}  // namespace

TEST_CASE("without a poller poll does nothing", "[pipeline]") { CHECK_NOTHROW(poll()); }

TEST_CASE("a poller is called when it is due, and only then", "[pipeline]") {
    int calls = 0;
    {
        const Poller poller(never_soon, count, &calls);
        for (int i = 0; i < 1000; ++i) poll();
        CHECK(calls == 0);
    }
    {
        const Poller poller(always, count, &calls);
        const auto start = Poller::Clock::now();
        while (Poller::Clock::now() - start < std::chrono::microseconds(10)) {
        }
        poll();
        CHECK(calls == 1);
    }
    calls = 0;
    poll();
    CHECK(calls == 0);  // the poller has ended
}

TEST_CASE("no interval, no polling", "[pipeline]") {
    int calls = 0;
    const Poller none(GENERATE(0.0, -1.0), count, &calls);
    for (int i = 0; i < 1000; ++i) poll();
    CHECK(calls == 0);
}

TEST_CASE("a poller is served beside the one around it", "[pipeline]") {
    int outer_calls = 0;
    int inner_calls = 0;
    const auto wait = [] {
        const auto start = Poller::Clock::now();
        while (Poller::Clock::now() - start < std::chrono::microseconds(10)) {
        }
    };
    const Poller outer(always, count, &outer_calls);
    {
        const Poller inner(always, count, &inner_calls);
        const Poller silent(0, count, &outer_calls);
        wait();
        poll();
        CHECK(outer_calls == 1);
        CHECK(inner_calls == 1);
    }
    wait();
    poll();
    CHECK(outer_calls == 2);
    CHECK(inner_calls == 1);
}

TEST_CASE("pollers may end in any order", "[pipeline]") {
    // Like two streams in containers. Static, so that an error does not crash another test.
    static int first_calls = 0;
    static int second_calls = 0;
    static std::optional<Poller> first;
    static std::optional<Poller> second;
    first.emplace(always, count, &first_calls);
    second.emplace(always, count, &second_calls);
    first.reset();
    second.reset();
    const auto start = Poller::Clock::now();
    while (Poller::Clock::now() - start < std::chrono::microseconds(10)) {
    }
    poll();
    CHECK(first_calls == 0);
    CHECK(second_calls == 0);
}
