#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "check.hpp"
#include "lapwing/pipeline/exchange.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/tag.hpp"
#include "random.hpp"

// Compares every template over any transport with the blocking loop, to the bit.
namespace lapwing::test {

/// The number that rank `rank` has at `index`: no two are equal, and no sum of them is exact.
inline double number(int rank, std::uint64_t index) {
    return 1.0 / (static_cast<double>(index) + 1.25 + 0.01 * rank);
}

/// A result that depends on every number and on their order.
inline double consume(double before, double value) { return 0.999 * before + value; }

/// The result of the blocking loop, which has received all `count` numbers of `rank` before it
/// consumes any.
inline double blocking(double before, int rank, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) before = consume(before, number(rank, i));
    return before;
}

inline bool same(double one, double other) { return std::memcmp(&one, &other, sizeof one) == 0; }

/// Steps, of which the last may make less than the others, and how they are cut.
struct Case {
    std::uint64_t grain = 8;  ///< bytes
    std::uint64_t steps = 0;
    std::uint64_t count = 0;  ///< numbers in all
    std::uint64_t tile = 1;   ///< steps
    int window = 1;
    std::vector<std::uint64_t> uneven;  ///< bytes a message

    /// `most` steps, or a few more.
    Case(Random& random, std::uint64_t most) {
        // Some messages are too large to be sent eagerly.
        const bool large = random.integer(0, 9) == 0;
        const auto per_step = large ? random.integer(5'000, 30'000) : random.integer(1, 40);
        steps = random.pick({random.integer(0, 3),
                             random.integer(2, large ? std::min<std::uint64_t>(6, most) : most)});
        tile = random.integer(2, 12);
        window = static_cast<int>(random.integer(2, 12));
        grain = per_step * sizeof(double);
        count = steps * per_step;
        if (steps > 0) count -= random.integer(0, per_step - 1);
        for (std::uint64_t left = count * sizeof(double); left > 0; left -= uneven.back())
            uneven.push_back(std::min(left, grain * random.integer(1, 9)));
    }

    [[nodiscard]] Plan plan(std::uint64_t steps_a_message, int in_flight) const {
        Plan plan;
        plan.messages = Messages::uniform(count * sizeof(double), grain * steps_a_message, grain);
        plan.window = in_flight;
        return plan;
    }
    /// Plain, tiled, windowed, tiled and windowed (Hoefler, Gottschling, Lumsdaine 2008), and tiles
    /// that differ.
    [[nodiscard]] std::vector<Plan> plans() const {
        std::vector<Plan> all = {plan(1, 1), plan(tile, 1), plan(1, window), plan(tile, window),
                                 plan(1, window)};
        all.back().messages = Messages::of(uneven, grain);
        all.back().poll_interval = 1e-6;
        return all;
    }
};

/// Steps that are enough to try: ranks that share a core wait long for each other.
inline std::uint64_t usual_steps(int ranks) { return ranks > 2 ? 20 : 90; }

/// Templates over a transport among a few ranks.
template <lapwing::Transport T>
class Group {
  public:
    Group(T& transport, int rank, int size) : transport_(transport), rank_(rank), size_(size) {}

    /// `trials` random cases of up to `most` steps.
    void check(Random& random, int trials, std::uint64_t most) {
        for (int trial = 0; trial < trials; ++trial) {
            const Case some(random, most);
            for (const Plan& plan : some.plans()) ring(some, plan);
            const Plan plan = some.plans()[random.integer(0, 4)];
            const auto leave_after = random.integer(0, 20);
            stream(some, plan, leave_after, trial % 2);
            several(some, plan, leave_after, trial % size_,
                    random.pick({lapwing::PeerOrder::contiguous, lapwing::PeerOrder::interleaved}));
            everyone(
                some, plan, trial % 2 == 0,
                random.pick({lapwing::PeerOrder::contiguous, lapwing::PeerOrder::interleaved}));
            one_to_all(some, plan, trial % size_);
        }
    }

  private:
    static double* numbers(std::byte* memory) { return reinterpret_cast<double*>(memory); }
    [[nodiscard]] int neighbour(int distance) const { return (rank_ + size_ + distance) % size_; }

    /// A pipeline on every rank, each sending to the next one and consuming what the one before it
    /// sends.
    void ring(const Case& some, const Plan& plan) {
        using Request = typename T::Request;
        struct Exchange {
            Request incoming;
            Request outgoing;
            const double* place = nullptr;
            std::size_t count = 0;
            bool test() {
                const bool arrived = incoming.test();
                return outgoing.test() && arrived;
            }
            void wait() {
                incoming.wait();
                outgoing.wait();
            }
        };
        const std::uint64_t bytes = some.count * sizeof(double);
        auto out = lapwing::memory_for(transport_, bytes);
        auto in = lapwing::memory_for(transport_, bytes);
        std::uint64_t offset = 0;
        std::uint64_t message = 0;
        double result = 0;
        lapwing::pipeline(
            plan, some.steps,
            [&](std::uint64_t step, Buffer& buffer) {
                const std::uint64_t first = step * some.grain / sizeof(double);
                const std::uint64_t end = std::min(some.count, first + some.grain / sizeof(double));
                for (std::uint64_t i = first; i < end; ++i) {
                    const double value = number(rank_, i);
                    buffer.append(&value, sizeof value);
                }
                lapwing::poll();
            },
            [&](Buffer& buffer) {
                const int tag = lapwing::message_tag(message++);
                const std::uint64_t place = offset;
                offset += buffer.size();
                // Some transports send only from memory of their own.
                if (buffer.size() > 0)
                    std::memcpy(out.data() + place, buffer.data(), buffer.size());
                return Exchange{
                    transport_.receive(in.data() + place, buffer.size(), neighbour(-1), tag),
                    transport_.send(out.data() + place, buffer.size(), neighbour(1), tag),
                    numbers(in.data() + place), buffer.size() / sizeof(double)};
            },
            [&](const Buffer&, const Exchange& arrived) {
                for (std::size_t i = 0; i < arrived.count; ++i)
                    result = consume(result, arrived.place[i]);
            });
        CHECK(message == plan.messages.count());
        CHECK(same(result, blocking(0, neighbour(-1), some.count)));
    }

    /// Ranks in pairs.
    void stream(const Case& some, const Plan& plan, std::uint64_t leave_after, int sender) {
        const int peer = rank_ ^ 1;
        if (peer >= size_) return;
        auto memory = lapwing::memory_for(transport_, some.count * sizeof(double));
        const std::span<double> data(numbers(memory.data()), some.count);
        if (rank_ % 2 == sender) {
            feed(peer, data, plan);
            feed(peer, data, plan);
            return;
        }
        double result = 0;
        const lapwing::Source source{transport_, peer, data};
        for (const auto piece : lapwing::stream<double>(source, plan)) {
            for (const double value : piece.data) result = consume(result, value);
            lapwing::poll();
        }
        CHECK(same(result, blocking(0, peer, some.count)));

        // Left early, it is received all the same.
        std::fill(data.begin(), data.end(), -1);
        std::uint64_t pieces = 0;
        for (const auto piece : lapwing::stream<double>(source, plan)) {
            CHECK(!piece.data.empty());
            if (pieces++ == leave_after) break;
        }
        result = 0;
        for (const double value : data) result = consume(result, value);
        CHECK(same(result, blocking(0, peer, some.count)));
    }
    void feed(int peer, std::span<double> data, const Plan& plan) {
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = number(rank_, i);
        lapwing::feed(transport_, peer, std::span<const double>(data), plan);
    }

    /// All others send to one rank.
    void several(const Case& some, const Plan& plan, std::uint64_t leave_after, int receiver,
                 lapwing::PeerOrder order) {
        const auto others = static_cast<std::size_t>(size_ - 1);
        auto memory = lapwing::memory_for(transport_, others * some.count * sizeof(double));
        if (rank_ != receiver) {
            feed(receiver, {numbers(memory.data()), some.count}, plan);
            return;
        }
        const std::span<double> data(numbers(memory.data()), others * some.count);
        std::vector<int> peers;
        for (int distance = 1; distance < size_; ++distance) peers.push_back(neighbour(distance));
        std::vector<double> results(static_cast<std::size_t>(size_));
        const lapwing::Sources sources{transport_, peers, data, order};
        std::uint64_t pieces = 0;
        bool left = false;
        for (const auto& piece : lapwing::multi<double>(sources, plan)) {
            double& result = results[static_cast<std::size_t>(piece.peer)];
            for (const double value : piece.data) result = consume(result, value);
            left = pieces++ == 5 * leave_after;
            if (left) break;
        }
        for (std::size_t i = 0; i < peers.size(); ++i) {
            double result = 0;
            for (const double value : data.subspan(i * some.count, some.count))
                result = consume(result, value);
            const double right = blocking(0, peers[i], some.count);
            CHECK(same(result, right));
            if (!left) CHECK(same(results[static_cast<std::size_t>(peers[i])], right));
        }
    }

    /// Every rank sends to every other, to each something else.
    void everyone(const Case& some, const Plan& plan, bool staggered, lapwing::PeerOrder order) {
        const auto others = static_cast<std::size_t>(size_ - 1);
        const auto sequence = lapwing::alltoall_sequence(rank_, size_, staggered);
        auto out = lapwing::memory_for(transport_, others * some.count * sizeof(double));
        auto in = lapwing::memory_for(transport_, others * some.count * sizeof(double));
        double* next = numbers(out.data());
        for (const auto& ranks : sequence.to)
            for (const int to : ranks)
                for (std::uint64_t i = 0; i < some.count; ++i)
                    *next++ = number(rank_, i) * (to + 1);
        const lapwing::Parties parties{
            transport_, sequence, std::span<const double>(numbers(out.data()), others * some.count),
            std::span<double>(numbers(in.data()), others * some.count), order};
        std::vector<std::uint64_t> arrived(static_cast<std::size_t>(size_));
        lapwing::exchange<double>(parties, plan, [&](const lapwing::PeerPiece<double>& piece) {
            std::uint64_t& count = arrived[static_cast<std::size_t>(piece.peer)];
            CHECK(piece.first == count);
            for (const double value : piece.data)
                CHECK(same(value, number(piece.peer, count++) * (rank_ + 1)));
        });
        for (int peer = 0; peer < size_; ++peer)
            if (peer != rank_) CHECK(arrived[static_cast<std::size_t>(peer)] == some.count);
    }

    /// One rank sends the same to all others.
    void one_to_all(const Case& some, const Plan& plan, int sender) {
        auto memory = lapwing::memory_for(transport_, some.count * sizeof(double));
        const std::span<double> data(numbers(memory.data()), some.count);
        if (rank_ == sender) {
            for (std::size_t i = 0; i < data.size(); ++i) data[i] = number(rank_, i);
            std::vector<int> peers;
            for (int distance = 1; distance < size_; ++distance)
                peers.push_back(neighbour(distance));
            lapwing::feed(transport_, peers, std::as_bytes(data), {plan.messages, plan.window});
            return;
        }
        double result = 0;
        const lapwing::Source source{transport_, sender, data};
        for (const auto piece : lapwing::stream<double>(source, plan))
            for (const double value : piece.data) result = consume(result, value);
        CHECK(same(result, blocking(0, sender, some.count)));
    }

    T& transport_;
    int rank_;
    int size_;
};

}  // namespace lapwing::test
