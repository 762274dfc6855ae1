#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"

#include <algorithm>

#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {
namespace {

using Messages = MessageWindow<TwoSided::Request>;

void nothing() {}

/// What `action` takes both ranks, which run `computation` `count` times in it: the times of the
/// slower rank, on rank 0.
template <class Action>
OverlapTimes timed_on_both(TwoSidedPair& pair, Computation& computation, std::uint64_t count,
                           Action&& action) {
    const double before = seconds_alone(pair, computation, count);
    const double start = pair.start_together();
    action();
    const double total = pair.now() - start;
    // A slow spell during the computation alone would look like a gain: time it on both sides.
    const double alone = std::min(before, seconds_alone(pair, computation, count));
    const auto slower = [&](double seconds) {
        return std::max(seconds, pair.from_second(seconds));
    };
    return {.total = slower(total), .computation = slower(alone)};
}

/// Runs `computation`; with `polled`, tests the messages both ways between its blocks.
void run_and_test(Computation& computation, bool polled, Messages& incoming, Messages& outgoing) {
    computation.run([&] {
        if (!polled) return;
        incoming.progress();
        outgoing.progress();
    });
}

/// The sender of a stream, on rank 1.
void send_stream(PairMessages& messages, const OverlapLoad& load, double start) {
    Messages flight(load.window, 0);
    for (std::uint64_t i = 0; i < load.count; ++i) {
        flight.make_room();
        const double due = start + load.pace * static_cast<double>(i * load.size);
        if (load.pace > 0) wait_until(due);
        flight.push(messages.send(i));
    }
    flight.drain();
}

}  // namespace

Computation::Computation(double seconds, double pass)
    : elements_(VectorAdd::block *
                static_cast<std::size_t>(std::clamp(seconds / block_seconds, 1.0, 2048.0))),
      a_(elements_, 1.0),
      b_(elements_),
      add_(seconds / static_cast<double>(elements_ * sizeof(double)), pass) {}

void Computation::run(const std::function<void()>& poll) {
    add_(a_.data(), b_.data(), 0, elements_, poll);
}

double seconds_alone(RankPair& pair, Computation& computation, std::uint64_t count) {
    const double start = pair.now();
    for (std::uint64_t i = 0; i < count; ++i) computation.run(nothing);
    return pair.now() - start;
}

OverlapTimes stream_while_computing(TwoSidedPair& pair, Buffers& buffers, const OverlapLoad& load,
                                    Computation& computation) {
    PairMessages messages(pair, buffers, load.size);
    const double alone = pair.first() ? seconds_alone(pair, computation, load.count) : 0;
    const double start = pair.start_together();
    if (!pair.first()) {
        send_stream(messages, load, start);
        return {};
    }
    double calls = 0;
    const auto call = [&](auto&& what) {
        const double before = pair.now();
        what();
        calls += pair.now() - before;
    };
    Messages flight(load.window, 0);
    const auto initiate = [&](std::uint64_t i) { flight.push(messages.receive(i)); };
    const auto ahead = std::min(load.count, static_cast<std::uint64_t>(load.window));
    call([&] {
        for (std::uint64_t i = 0; i < ahead; ++i) initiate(i);
    });
    flight.wait_oldest();
    for (std::uint64_t i = 0; i < load.count; ++i) {
        call([&] {
            if (i > 0) flight.wait_oldest();
            if (i + ahead < load.count) initiate(i + ahead);
        });
        if (load.polled) {
            computation.run([&] { call([&] { flight.progress(); }); });
        } else {
            computation.run(nothing);
        }
    }
    return {pair.now() - start, alone, calls};
}

OverlapTimes exchange_while_computing(TwoSidedPair& pair, Buffers& buffers, const OverlapLoad& load,
                                      Computation& computation) {
    PairMessages messages(pair, buffers, load.size);
    return timed_on_both(pair, computation, load.count, [&] {
        Messages incoming(load.window, 0);
        Messages outgoing(static_cast<int>(load.count), 0);
        const auto initiate = [&](std::uint64_t i) {
            incoming.push(messages.receive(i));
            outgoing.push(messages.send(i));
        };
        const auto ahead = static_cast<std::uint64_t>(load.window);
        std::uint64_t next = 0;
        for (std::uint64_t i = 0; i < load.count; ++i) {
            if (i % (ahead / 2) == 0)
                for (; next < std::min(load.count, i + ahead); ++next) initiate(next);
            incoming.wait_oldest();
            run_and_test(computation, load.polled, incoming, outgoing);
        }
        outgoing.drain();
    });
}

OverlapTimes exchange_around_computation(TwoSidedPair& pair, Buffers& buffers,
                                         const OverlapLoad& load, Computation& computation) {
    PairMessages messages(pair, buffers, load.size);
    return timed_on_both(pair, computation, load.count, [&] {
        Messages incoming(static_cast<int>(load.count), 0);
        Messages outgoing(static_cast<int>(load.count), 0);
        for (std::uint64_t i = 0; i < load.count; ++i) incoming.push(messages.receive(i));
        for (std::uint64_t i = 0; i < load.count; ++i) outgoing.push(messages.send(i));
        for (std::uint64_t i = 0; i < load.count; ++i)
            run_and_test(computation, load.polled, incoming, outgoing);
        incoming.drain();
        outgoing.drain();
    });
}

}  // namespace lapwing
