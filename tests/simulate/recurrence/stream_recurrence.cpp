#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "support/random.hpp"

using lapwing::model::Stream;
using lapwing::test::Random;

namespace {

/// A server that handles one message of a queue at a time: a processor or a wire.
struct Server {
    std::deque<std::size_t> waiting;
    bool busy = false;
};

/// Simulates a stream by events: the sender's processor, the wire and the receiver's processor are
/// servers, each with its queue.
double simulate_events(const Stream& x, const std::vector<double>& sizes) {
    struct Event {
        double time;
        std::function<void(double)> action;
        bool operator>(const Event& other) const { return time > other.time; }
    };
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    Server sender;
    Server wire;
    Server receiver;
    double end = 0;

    const std::function<void(double)> run_receiver = [&](double time) {
        if (receiver.busy || receiver.waiting.empty()) return;
        const double size = sizes[receiver.waiting.front()];
        receiver.waiting.pop_front();
        receiver.busy = true;
        events.push({time + x.o_r.base + x.o_r.per_byte * size + x.t * size, [&](double now) {
                         receiver.busy = false;
                         end = now;
                         run_receiver(now);
                     }});
    };
    const std::function<void(double)> run_wire = [&](double time) {
        if (wire.busy || wire.waiting.empty()) return;
        const std::size_t index = wire.waiting.front();
        wire.waiting.pop_front();
        wire.busy = true;
        events.push({time + x.h + x.G * sizes[index], [&, index](double now) {
                         wire.busy = false;
                         receiver.waiting.push_back(index);
                         run_receiver(now);
                         run_wire(now);
                     }});
    };
    const std::function<void(double)> run_sender = [&](double time) {
        if (sender.busy || sender.waiting.empty()) return;
        const std::size_t index = sender.waiting.front();
        sender.waiting.pop_front();
        sender.busy = true;
        events.push({time + x.o_s.base + x.o_s.per_byte * sizes[index], [&, index](double now) {
                         sender.busy = false;
                         events.push({now + x.L, [&, index](double later) {
                                          wire.waiting.push_back(index);
                                          run_wire(later);
                                      }});
                         run_sender(now);
                     }});
    };
    for (std::size_t i = 0; i < sizes.size(); ++i) sender.waiting.push_back(i);
    run_sender(0);
    while (!events.empty()) {
        const Event event = events.top();
        events.pop();
        event.action(event.time);
    }
    return end;
}

Stream any_costs(Random& random) {
    Stream x;
    x.L = random.log_uniform(1e-7, 1e-3);
    x.G = random.log_uniform(1e-11, 1e-7);
    x.o_s = {random.log_uniform(1e-8, 1e-4), random.chance(0.5) ? random.uniform(0, 3) * x.G : 0};
    x.o_r = {random.log_uniform(1e-8, 1e-4), random.chance(0.5) ? random.uniform(0, 3) * x.G : 0};
    x.h = random.chance(0.3) ? random.log_uniform(1e-9, 1e-5) : 0;
    x.t = random.chance(0.2) ? 0 : random.log_uniform(0.1, 10) * x.G;
    return x;
}

}  // namespace

TEST_CASE("a stream by hand", "[simulate]") {
    // Issued at 1, 2, 3; the wire takes 2 each from 1 + 3: arrivals 6, 8, 10; 4 + 1 to receive and
    // consume each: 11, 16, 21.
    const Stream x{.L = 3, .o_s = {1, 0}, .o_r = {4, 0}, .G = 1, .t = 0.5};
    lapwing::simulate::StreamRecurrence recurrence(x);
    for (int i = 0; i < 3; ++i) recurrence.message(2);
    CHECK(recurrence.issued() == 3);
    CHECK(recurrence.arrived() == 10);
    CHECK(recurrence.consumed() == 21);
}

TEST_CASE("a sender that paces waits between initiations, not for its last message", "[simulate]") {
    const Stream x{.L = 3, .o_s = {1, 0}, .o_r = {4, 0}, .G = 1, .t = 0.5};
    lapwing::simulate::StreamRecurrence recurrence(x);
    recurrence.set_pace(x.G);
    // Initiations begin at 0, 5 and, as one takes 1 at least, at 6; the wire takes 5, 0.5 and 2.
    for (const double size : {5.0, 0.5, 2.0}) recurrence.message(size);
    CHECK(recurrence.arrived() == 6 + 1 + 3 + 2);
    CHECK(recurrence.issued() == 6 + 2);
}

TEST_CASE("the recurrence agrees with a simulation by events", "[simulate]") {
    Random random(21);
    for (int trial = 0; trial < 500; ++trial) {
        const Stream x = any_costs(random);
        std::vector<double> sizes(random.integer(1, 40));
        for (auto& size : sizes) size = random.log_uniform(1, 1e6);
        CHECK(lapwing::simulate::stream_seconds(x, sizes) ==
              Approx(simulate_events(x, sizes)).epsilon(1e-12));
    }
}

TEST_CASE("many messages at once are the same as one by one", "[simulate]") {
    Random random(22);
    for (int trial = 0; trial < 2000; ++trial) {
        const Stream x = any_costs(random);
        lapwing::simulate::StreamRecurrence one_by_one(x);
        lapwing::simulate::StreamRecurrence at_once(x);
        if (const double pace = random.chance(0.5) ? x.G : 0; pace > 0)
            for (auto* const each : {&one_by_one, &at_once}) each->set_pace(pace);
        for (std::uint64_t group = random.integer(1, 4); group > 0; --group) {
            const double size = random.log_uniform(1, 1e6);
            const auto count = random.integer(0, 50);
            for (std::uint64_t i = 0; i < count; ++i) one_by_one.message(size);
            at_once.messages(size, static_cast<double>(count));
        }
        CHECK(at_once.issued() == Approx(one_by_one.issued()).epsilon(1e-12));
        CHECK(at_once.arrived() == Approx(one_by_one.arrived()).epsilon(1e-12));
        CHECK(at_once.consumed() == Approx(one_by_one.consumed()).epsilon(1e-12));
    }
}

TEST_CASE("measured times of a flood replace the line of the wire", "[simulate]") {
    const Stream x{.L = 3, .o_s = {1, 0}, .o_r = {2, 0}, .G = 100, .h = 7, .t = 0};
    const lapwing::simulate::Timings flood{{10, 20}, {40, 50}};
    lapwing::simulate::StreamRecurrence recurrence(x, flood);
    recurrence.messages(10, 3);
    CHECK(recurrence.arrived() == Approx(1 + 3 + 3 * 40));
    recurrence.message(15);  // between the two
    CHECK(recurrence.arrived() == Approx(1 + 3 + 3 * 40 + 45));
    CHECK(recurrence.consumed() == Approx(recurrence.arrived() + 2));
    lapwing::simulate::StreamRecurrence without(x, lapwing::simulate::Timings());
    without.message(10);
    CHECK(without.arrived() == Approx(1 + 3 + 7 + 1000));
}

TEST_CASE("a stream of nothing takes no time", "[simulate]") {
    CHECK(lapwing::simulate::stream_seconds(Stream{}, std::vector<double>{}) == 0);
}
