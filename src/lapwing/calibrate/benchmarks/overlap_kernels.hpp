#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/compute/vector_add.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

/// Computation of a known length, made of blocks between which a transport can be polled.
class Computation {
  public:
    /// No computation at all.
    Computation() : elements_(0), add_(0, 1) {}
    /// `seconds` long, `pass` as `VectorAdd` takes it.
    Computation(double seconds, double pass)
        : elements_(VectorAdd::block *
                    static_cast<std::size_t>(std::clamp(seconds / block_seconds, 1.0, 2048.0))),
          a_(elements_, 1.0),
          b_(elements_),
          add_(seconds / static_cast<double>(elements_ * sizeof(double)), pass) {}

    template <class Poll>
    void run(Poll&& poll) {
        add_(a_.data(), b_.data(), 0, elements_, poll);
    }

    /// Seconds between two polls, about.
    static constexpr double block_seconds = 20e-6;

  private:
    std::size_t elements_;
    std::vector<double> a_;
    std::vector<double> b_;
    VectorAdd add_;
};

/// What messages and the computation between them took, seconds.
struct OverlapTimes {
    double total = 0;
    double computation = 0;  ///< the computation in it, timed alone
    double calls = 0;        ///< in calls to the transport, but for the wait for the first message
};

/// Runs `what`, and adds the seconds it takes to `seconds`.
template <Transport T, class What>
void timed(T& transport, double& seconds, What&& what) {
    const double start = transport.now();
    what();
    seconds += transport.now() - start;
}

/// Seconds that `work` takes `count` times, with no messages under way.
template <Transport T>
double seconds_alone(T& transport, Computation& work, std::uint64_t count) {
    const double start = transport.now();
    for (std::uint64_t i = 0; i < count; ++i) work.run([] {});
    return transport.now() - start;
}

/// A stream of `count` messages of `size` bytes to rank 0, which runs `work` after each, with
/// `window` messages in flight, none sent earlier after another than it takes at `pace` seconds per
/// byte. With `polled`, the oldest message is tested between blocks of the computation. The result
/// is rank 0's.
template <Transport T>
OverlapTimes stream_while_computing(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size,
                                    std::uint64_t count, int window, double pace, Computation& work,
                                    bool polled) {
    T& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    const auto nothing = [] {};
    const double alone = pair.first() ? seconds_alone(transport, work, count) : 0;
    const double start = pair.start_together();
    if (!pair.first()) {
        MessageWindow<typename T::Request> flight(window, 0);
        for (std::uint64_t i = 0; i < count; ++i) {
            flight.make_room();
            const double due = start + pace * static_cast<double>(i * size);
            if (pace > 0) wait_until(due);
            flight.push(messages.send(i));
        }
        flight.drain();
        return {};
    }
    double calls = 0;
    const auto call = [&](auto&& what) { timed(transport, calls, what); };
    MessageWindow<typename T::Request> flight(window, 0);
    const auto initiate = [&](std::uint64_t i) { flight.push(messages.receive(i)); };
    const auto ahead = std::min(count, static_cast<std::uint64_t>(window));
    call([&] {
        for (std::uint64_t i = 0; i < ahead; ++i) initiate(i);
    });
    flight.wait_oldest();
    for (std::uint64_t i = 0; i < count; ++i) {
        call([&] {
            if (i > 0) flight.wait_oldest();
            if (i + ahead < count) initiate(i + ahead);
        });
        if (polled) {
            work.run([&] { call([&] { flight.progress(); }); });
        } else {
            work.run(nothing);
        }
    }
    return {transport.now() - start, alone, calls};
}

/// What `action` takes both ranks, which run `work` `count` times in it; the longer of their times
/// is rank 0's.
template <Transport T, class Action>
OverlapTimes timed_on_both(TransportPair<T>& pair, Computation& work, std::uint64_t count,
                           Action&& action) {
    T& transport = pair.transport();
    const double before = seconds_alone(transport, work, count);
    const double start = pair.start_together();
    action();
    const double total = transport.now() - start;
    // A slow spell of the machine in what is compared with would look like a gain.
    const double alone = std::min(before, seconds_alone(transport, work, count));
    const auto longer = [&](double seconds) {
        return std::max(seconds, pair.from_second(seconds));
    };
    return {.total = longer(total), .computation = longer(alone)};
}

/// Runs `work`; with `polled`, messages of both ways are tested between its blocks.
template <class Messages>
void run_and_test(Computation& work, bool polled, Messages& incoming, Messages& outgoing) {
    work.run([&] {
        if (!polled) return;
        incoming.progress();
        outgoing.progress();
    });
}

/// As many messages both ways between two ranks that both run `work` after each that they receive,
/// as `exchange` has them: with `window` receives posted, at least 2, and the sends that belong to
/// them, half of them initiated when as many have been worked on (template E). Initiated as soon
/// as one has come, one more is under way while the ranks work, and over TCP all of it takes up
/// to a tenth longer.
template <Transport T>
OverlapTimes exchange_while_computing(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size,
                                      std::uint64_t count, int window, Computation& work,
                                      bool polled) {
    PairMessages messages(pair, buffers, size);
    return timed_on_both(pair, work, count, [&] {
        MessageWindow<typename T::Request> incoming(window, 0);
        MessageWindow<typename T::Request> outgoing(static_cast<int>(count), 0);
        const auto initiate = [&](std::uint64_t i) {
            incoming.push(messages.receive(i));
            outgoing.push(messages.send(i));
        };
        const auto ahead = static_cast<std::uint64_t>(window);
        std::uint64_t next = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (i % (ahead / 2) == 0)
                for (; next < std::min(count, i + ahead); ++next) initiate(next);
            incoming.wait_oldest();
            run_and_test(work, polled, incoming, outgoing);
        }
        outgoing.drain();
    });
}

/// The same where all messages are initiated before the ranks compute, and awaited after that, as
/// `halo` has them.
template <Transport T>
OverlapTimes exchange_around_computation(TransportPair<T>& pair, Buffers& buffers,
                                         std::uint64_t size, std::uint64_t count, Computation& work,
                                         bool polled) {
    PairMessages messages(pair, buffers, size);
    return timed_on_both(pair, work, count, [&] {
        MessageWindow<typename T::Request> incoming(static_cast<int>(count), 0);
        MessageWindow<typename T::Request> outgoing(static_cast<int>(count), 0);
        for (std::uint64_t i = 0; i < count; ++i) incoming.push(messages.receive(i));
        for (std::uint64_t i = 0; i < count; ++i) outgoing.push(messages.send(i));
        for (std::uint64_t i = 0; i < count; ++i) run_and_test(work, polled, incoming, outgoing);
        incoming.drain();
        outgoing.drain();
    });
}

}  // namespace lapwing
