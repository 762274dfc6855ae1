#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"

namespace lapwing {

/// Messages of a flood of which each takes about `each` seconds: enough to be timed, not so many
/// that the wire is busy for much longer than `longest`, nor more than `most`.
inline std::uint64_t flood_count(double each, double longest, double most = 64) {
    return static_cast<std::uint64_t>(std::clamp(longest / std::max(each, 1e-6), 4.0, most));
}

/// Seconds that reading the clock takes: part of every interval that is timed.
template <Transport T>
double clock_cost(T& transport) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 100; ++i) {
        const double start = transport.now();
        least = std::min(least, transport.now() - start);
    }
    return least;
}

/// The exchanges that measurements are made of, between the two ranks of a pair. Each is called by
/// both; what is measured goes to series of rank 0. They repeat in a steady rhythm, each beginning
/// when all is quiet, and the first time, which pays for cold caches, is left out: a message after
/// a pause takes up to four times as long as one in a program that communicates.
template <Transport T>
class PairBenchmarks {
  public:
    using Request = typename T::Request;

    /// `bytes`: of the buffers. Messages lie behind each other as far as they go.
    PairBenchmarks(TransportPair<T>& pair, std::size_t bytes)
        : pair_(pair), buffers_(bytes), clock_(clock_cost(pair.transport())) {}

    [[nodiscard]] TransportPair<T>& pair() { return pair_; }
    [[nodiscard]] Buffers& buffers() { return buffers_; }

    /// Half the round trip of `size` bytes, seconds: o_s + L + G S + o_r.
    double half_round_trip(std::uint64_t size) {
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
    /// `times` of them in a row.
    void half_round_trips(std::uint64_t size, int times, Series& half) {
        for (int i = 0; i <= times; ++i) {
            const double seconds = half_round_trip(size);
            if (i > 0) half.add(seconds);
        }
    }

    /// Mean seconds that each of `burst` sends of `size` bytes took to initiate, the receives being
    /// posted: o_s(S, b) (Iancu 2.1, burst average).
    void bursts(std::uint64_t size, int burst, int times, Series& overhead) {
        for (int i = 0; i <= times; ++i) {
            post_on_second(size, burst);
            if (pair_.first()) {
                const double start = now();
                for (int k = 0; k < burst; ++k) requests_.push_back(send(index(k), size));
                const double seconds = now() - start - clock_;
                if (i > 0) overhead.add(seconds / burst);
            }
            settle();
        }
    }

    /// Seconds that each message of one burst took to initiate, on rank 0.
    std::vector<double> initiations(std::uint64_t size, int burst) {
        std::vector<double> times;
        times.reserve(static_cast<std::size_t>(burst));
        post_on_second(size, burst);
        if (pair_.first()) {
            double before = now();
            for (int k = 0; k < burst; ++k) {
                requests_.push_back(send(index(k), size));
                const double after = now();
                times.push_back(after - before);
                before = after;
            }
        }
        settle();
        return times;
    }

    /// Processor time that receiving `size` bytes takes on rank 0, seconds: o_r(S). The message is
    /// left alone until it should have arrived, `delay` seconds; what then moves only in calls is
    /// called for now and then, and only the time in these calls counts, less what they take when
    /// there is nothing to do.
    void receptions(std::uint64_t size, double delay, int times, Series& overhead) {
        for (int i = 0; i <= times; ++i) {
            if (!pair_.first()) {
                receive_empty().wait();
                send(0, size).wait();
                continue;
            }
            Request incoming = receive(0, size);
            double idle = 0;
            if (!simulated_time) {
                idle = timed([&] { incoming.test(); });
                idle = std::min(idle, timed([&] { incoming.test(); }));
            }
            send_empty().wait();
            leave_alone(delay);
            double busy = 0;
            if (simulated_time) {
                busy = timed([&] { incoming.wait(); });
            } else {
                while (true) {
                    bool done = false;
                    const double call = timed([&] { done = incoming.test(); });
                    busy += done ? call : std::max(0.0, call - idle);
                    if (done) break;
                    leave_alone(between_calls);
                }
            }
            if (i > 0) overhead.add(busy);
        }
    }

    /// Seconds from asking for `count` messages of `size` bytes from rank 1 to the arrival of the
    /// last on rank 0, or until those both ways have arrived.
    double flood(std::uint64_t size, std::uint64_t count, bool both_ways = false) {
        const bool sends = both_ways || !pair_.first();
        if (pair_.first() || both_ways)
            for (std::uint64_t i = 0; i < count; ++i) requests_.push_back(receive(i, size));
        double start = 0;
        if (pair_.first()) {
            // The other's receives must be there before a message of ours.
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

    /// Seconds a message of a flood of `count >= 2` takes, without what the first one takes longer:
    /// a flood less a single message.
    void flood_gaps(std::uint64_t size, std::uint64_t count, bool both_ways, int times,
                    Series& gap) {
        for (int i = 0; i <= times; ++i) {
            const double all = flood(size, count, both_ways);
            const double one = flood(size, 1, both_ways);
            if (i > 0) gap.add((all - one) / static_cast<double>(count - 1));
        }
    }

    /// Seconds from asking for a message of `size` bytes and one of `behind` bytes, `behind > 0`,
    /// sent right after it, to the arrival of the first.
    void first_of_two(std::uint64_t size, std::uint64_t behind, int times, Series& arrival) {
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
            settle();
        }
    }

  private:
    // Above the tags of messages; messages that are asked for at the same time keep to theirs.
    static constexpr int empty_tag = 32766;
    static constexpr double between_calls = 20e-6;  ///< seconds

    [[nodiscard]] double now() { return pair_.transport().now(); }
    [[nodiscard]] static std::uint64_t index(int k) { return static_cast<std::uint64_t>(k); }
    Request send(std::uint64_t index, std::uint64_t size) {
        return PairMessages(pair_, buffers_, size).send(index);
    }
    Request receive(std::uint64_t index, std::uint64_t size) {
        return PairMessages(pair_, buffers_, size).receive(index);
    }
    Request send_empty() {
        return pair_.transport().send(buffers_.out.data(), 0, pair_.peer(), empty_tag);
    }
    Request receive_empty() {
        return pair_.transport().receive(buffers_.in.data(), 0, pair_.peer(), empty_tag);
    }

    /// Rank 1 posts the receives of a burst, then lets rank 0 go on.
    void post_on_second(std::uint64_t size, int burst) {
        requests_.reserve(index(burst));
        if (!pair_.first()) {
            for (int k = 0; k < burst; ++k) requests_.push_back(receive(index(k), size));
            send_empty().wait();
        } else {
            receive_empty().wait();
        }
    }
    /// All messages are complete on both sides when this returns on rank 0.
    void settle() {
        wait_all(requests_);
        if (pair_.first()) {
            receive_empty().wait();
        } else {
            send_empty().wait();
        }
    }
    static void wait_all(std::vector<Request>& requests) {
        for (auto& request : requests) request.wait();
        requests.clear();
    }

    template <class Call>
    [[nodiscard]] double timed(Call&& call) {
        const double start = now();
        call();
        return std::max(0.0, now() - start - clock_);
    }
    /// Lets time pass without calling the transport, and without sleeping.
    void leave_alone(double seconds) {
        if (simulated_time) {
            wait_until(now() + seconds);
        } else {
            for (const double end = now() + seconds; now() < end;) {
            }
        }
    }

    TransportPair<T>& pair_;
    Buffers buffers_;
    double clock_;
    std::vector<Request> requests_;
    std::vector<Request> outgoing_;
};

}  // namespace lapwing
