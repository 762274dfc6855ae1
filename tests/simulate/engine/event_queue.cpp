#include "lapwing/simulate/engine/event_queue.hpp"

#include <catch2/catch.hpp>
#include <queue>
#include <random>
#include <vector>

using namespace lapwing::simulate;

namespace {

struct After {
    bool operator()(const Event& a, const Event& b) const { return before(b, a); }
};

Event event(Time time, std::uint64_t place) {
    Event event;
    event.time = time;
    event.order = Event::ordered(place, Kind::message);
    return event;
}

}  // namespace

TEST_CASE("events come in the order of a heap, whenever they are pushed", "[simulate]") {
    std::mt19937_64 random(7);
    const auto upto = [&](std::uint64_t most) { return random() % (most + 1); };
    for (int round = 0; round < 200; ++round) {
        EventQueue queue;
        std::priority_queue<Event, std::vector<Event>, After> heap;
        std::vector<std::uint64_t> places;  // of events that are pushed again
        std::uint64_t place = 0;
        Time now = 0;
        const std::uint64_t spread = std::uint64_t{1} << upto(45);
        for (int i = 0; i < 2000; ++i) {
            if (upto(5) < 3) {
                // Mostly later, sometimes now, rarely earlier; some with places from before.
                Time time = now + static_cast<Time>(upto(spread));
                if (upto(9) == 0) time = now;
                if (upto(19) == 0) time = now - std::min<Time>(now, upto(50));
                std::uint64_t its = place++;
                if (!places.empty() && upto(4) == 0) {
                    its = places.back();
                    places.pop_back();
                }
                queue.push(event(time, its));
                heap.push(event(time, its));
            } else if (!heap.empty()) {
                Event next;
                REQUIRE(queue.pop(next));
                REQUIRE(next.time == heap.top().time);
                REQUIRE(next.order == heap.top().order);
                heap.pop();
                now = std::max(now, next.time);
                if (upto(1) == 0) places.push_back(next.place());
            }
        }
        Event next;
        while (queue.pop(next)) {
            REQUIRE(next.order == heap.top().order);
            heap.pop();
        }
        REQUIRE(heap.empty());
    }
}
