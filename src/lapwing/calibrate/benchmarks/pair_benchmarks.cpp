#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"

#include <algorithm>
#include <limits>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing {
namespace {

// Above the tags of numbered messages, which may be under way at the same time.
constexpr int empty_tag = 32766;

/// Seconds of reading the clock, a part of every timed interval.
double clock_cost(const RankPair& pair) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 100; ++i) {
        const double start = pair.now();
        least = std::min(least, pair.now() - start);
    }
    return least;
}

std::uint64_t to_index(int k) { return static_cast<std::uint64_t>(k); }

void wait_all(std::vector<TwoSided::Request>& requests) {
    for (auto& request : requests) request.wait();
    requests.clear();
}

}  // namespace

std::uint64_t flood_count(double each, double longest, double most) {
    return static_cast<std::uint64_t>(std::clamp(longest / std::max(each, 1e-6), 4.0, most));
}

PairBenchmarks::PairBenchmarks(TwoSidedPair& pair, std::size_t bytes)
    : pair_(pair), buffers_(bytes), clock_(clock_cost(pair)) {}

double PairBenchmarks::half_round_trip(std::uint64_t size) {
    Request incoming = receive(0, size);
    if (!pair_.first()) {
        incoming.wait();
        send(0, size).wait();
        return 0;
    }
    const double start = now();
    Request outgoing = send(0, size);
    incoming.wait();
    const double seconds = now() - start - clock_;
    outgoing.wait();
    return seconds / 2;
}

void PairBenchmarks::half_round_trips(std::uint64_t size, int times, Series& half) {
    for (int i = 0; i <= times; ++i) {
        const double seconds = half_round_trip(size);
        if (i > 0) half.add(seconds);
    }
}

void PairBenchmarks::exchanges(std::uint64_t size, int times, Series& each) {
    exchange(size);
    exchange(size);  // after the first the ranks are in step
    double before = now();
    for (int i = 0; i < times; ++i) {
        exchange(size);
        const double end = now();
        if (pair_.first()) each.add(end - before - clock_);
        before = end;
    }
}

void PairBenchmarks::exchange(std::uint64_t size) {
    Request incoming = receive(0, size);
    Request outgoing = send(0, size);
    incoming.wait();
    outgoing.wait();
}

void PairBenchmarks::bursts(std::uint64_t size, int burst, int times, Series& overhead) {
    for (int i = 0; i <= times; ++i) {
        post_on_second(size, burst);
        if (pair_.first()) {
            const double start = now();
            for (int k = 0; k < burst; ++k) requests_.push_back(send(to_index(k), size));
            const double seconds = now() - start - clock_;
            if (i > 0) overhead.add(seconds / burst);
        }
        complete_all();
    }
}

BurstTimes PairBenchmarks::burst_times(std::uint64_t size, int burst) {
    BurstTimes times;
    times.received.resize(to_index(burst));
    const std::size_t bytes = times.received.size() * sizeof(double);
    post_on_second(size, burst);
    if (!pair_.first()) {
        for (std::size_t k = 0; k < times.received.size(); ++k) {
            requests_[k].wait();
            times.received[k] = now() - pair_.offset();
        }
        requests_.clear();
        pair_.transport().send(times.received.data(), bytes, pair_.peer(), empty_tag).wait();
        return {};
    }
    const double start = now();
    double before = start;
    for (int k = 0; k < burst; ++k) {
        requests_.push_back(send(to_index(k), size));
        const double after = now();
        times.initiation.push_back(after - before);
        before = after;
    }
    wait_all(requests_);
    pair_.transport().receive(times.received.data(), bytes, pair_.peer(), empty_tag).wait();
    for (double& seconds : times.received) seconds -= start;
    return times;
}

void PairBenchmarks::receptions(std::uint64_t size, double delay, int times, Series& overhead) {
    for (int i = 0; i <= times; ++i) {
        if (!pair_.first()) {
            receive_empty().wait();
            send(0, size).wait();
            continue;
        }
        const double busy = receive_arrived(size, delay);
        if (i > 0) overhead.add(busy);
    }
}

/// Seconds of rank 0 in calls that receive a message after it has had `delay` seconds to arrive.
double PairBenchmarks::receive_arrived(std::uint64_t size, double delay) {
    constexpr double between_calls = 20e-6;  // seconds
    Request incoming = receive(0, size);
    bool done = false;
    double idle = 0;  // seconds of a call when there is nothing to do
    if (!simulated_time) {
        idle = test(incoming, done);
        idle = std::min(idle, test(incoming, done));
    }
    send_empty().wait();
    leave_alone(delay);
    if (simulated_time) {
        const double start = now();
        incoming.wait();
        return std::max(0.0, now() - start - clock_);
    }
    double busy = 0;
    while (true) {
        const double call = test(incoming, done);
        busy += done ? call : std::max(0.0, call - idle);
        if (done) return busy;
        leave_alone(between_calls);
    }
}

double PairBenchmarks::flood(std::uint64_t size, std::uint64_t count, bool both_ways) {
    const bool sends = both_ways || !pair_.first();
    if (pair_.first() || both_ways)
        for (std::uint64_t i = 0; i < count; ++i) requests_.push_back(receive(i, size));
    double start = 0;
    if (pair_.first()) {
        // The other rank's receives must be posted before a message of ours arrives.
        if (both_ways) receive_empty().wait();
        start = now();
        send_empty().wait();
    } else {
        if (both_ways) send_empty().wait();
        receive_empty().wait();
    }
    if (sends)
        for (std::uint64_t i = 0; i < count; ++i) outgoing_.push_back(send(i, size));
    wait_all(requests_);
    const double seconds = now() - start - clock_;
    wait_all(outgoing_);
    return seconds;
}

void PairBenchmarks::flood_gaps(std::uint64_t size, std::uint64_t count, bool both_ways, int times,
                                Series& gap) {
    for (int i = 0; i <= times; ++i) {
        const double all = flood(size, count, both_ways);
        const double one = flood(size, 1, both_ways);
        if (i > 0) gap.add((all - one) / static_cast<double>(count - 1));
    }
}

void PairBenchmarks::first_of_two(std::uint64_t size, std::uint64_t behind, int times,
                                  Series& arrival) {
    const std::uint64_t place = (size + behind - 1) / behind;
    for (int i = 0; i <= times; ++i) {
        if (!pair_.first()) {
            receive_empty().wait();
            requests_.push_back(send(0, size));
            requests_.push_back(send(place, behind));
        } else {
            requests_.push_back(receive(0, size));
            requests_.push_back(receive(place, behind));
            const double start = now();
            send_empty().wait();
            requests_.front().wait();
            if (i > 0) arrival.add(now() - start - clock_);
        }
        complete_all();
    }
}

void PairBenchmarks::arrivals(std::uint64_t size, Posted posted, int times, Series& seconds) {
    for (int i = 0; i <= times; ++i) {
        if (!pair_.first()) {
            receive_empty().wait();
            // One that waits for its receive after all must not keep the empty one from leaving.
            Request outgoing = send(0, size);
            send_empty().wait();
            outgoing.wait();
            continue;
        }
        Request behind = receive_empty();
        const double start = now();
        Request incoming;
        if (posted == Posted::before) incoming = receive(0, size);
        send_empty().wait();
        behind.wait();
        if (posted == Posted::after) incoming = receive(0, size);
        incoming.wait();
        if (i > 0) seconds.add(now() - start - clock_);
    }
}

PairBenchmarks::Request PairBenchmarks::send(std::uint64_t index, std::uint64_t size) {
    return PairMessages(pair_, buffers_, size).send(index);
}

PairBenchmarks::Request PairBenchmarks::receive(std::uint64_t index, std::uint64_t size) {
    return PairMessages(pair_, buffers_, size).receive(index);
}

PairBenchmarks::Request PairBenchmarks::send_empty() {
    return pair_.transport().send(buffers_.out.data(), 0, pair_.peer(), empty_tag);
}

PairBenchmarks::Request PairBenchmarks::receive_empty() {
    return pair_.transport().receive(buffers_.in.data(), 0, pair_.peer(), empty_tag);
}

/// Rank 1 posts the receives of a burst, then lets rank 0 go on.
void PairBenchmarks::post_on_second(std::uint64_t size, int burst) {
    requests_.reserve(to_index(burst));
    if (!pair_.first()) {
        for (int k = 0; k < burst; ++k) requests_.push_back(receive(to_index(k), size));
        send_empty().wait();
    } else {
        receive_empty().wait();
    }
}

/// All messages are complete on both ranks when this returns on rank 0.
void PairBenchmarks::complete_all() {
    wait_all(requests_);
    if (pair_.first()) {
        receive_empty().wait();
    } else {
        send_empty().wait();
    }
}

/// Tests `request`, and returns the seconds that takes.
double PairBenchmarks::test(Request& request, bool& done) {
    const double start = now();
    done = request.test();
    return std::max(0.0, now() - start - clock_);
}

/// Lets time pass without calls to the transport, and without sleeping.
void PairBenchmarks::leave_alone(double seconds) {
    if (simulated_time) {
        wait_until(now() + seconds);
    } else {
        for (const double end = now() + seconds; now() < end;) {
        }
    }
}

}  // namespace lapwing
