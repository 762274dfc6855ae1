#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/model/collectives/recursive_multiplying.hpp"
#include "lapwing/pipeline/collectives/allreduce_rounds.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// What a sum hides behind: seconds of computation, and messages of others meanwhile.
using Behind = model::recursive_multiplying::Behind;
/// How many ranks exchange with each other, by round.
using Groups = model::recursive_multiplying::Groups;

/// A non-blocking sum over all ranks, made of messages: recursive doubling, ceil(log2 P) of them
/// one after the other on each rank, or recursive multiplying, fewer rounds of more messages (see
/// `model::recursive_multiplying`). It moves on when it is tested, awaited, or when the user's
/// computation calls `lapwing::poll()`.
///
/// For transports without collectives, and where the MPI's own non-blocking one costs too much of
/// the processor or stands still: those of many are flat, with a message to every rank.
/// Each message has to be found, by a test, before the next round can begin. A computation that is
/// longer than the sum and polls more often than messages take hides most of it; a shorter one
/// hides what of the sum fits behind it.
/// All ranks get the same bits: each adds the same numbers, in the same order, in every round.
template <Transport T>
class Allreduce {
  public:
    /// What is under way.
    class Request {
      public:
        Request() = default;
        explicit Request(Allreduce& sum) : sum_(&sum) {}
        Request(Request&& other) noexcept : sum_(std::exchange(other.sum_, nullptr)) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(sum_, other.sum_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        ~Request() { wait(); }

        bool test() { return sum_ == nullptr || ended(sum_->advance(false)); }
        void wait() {
            if (sum_ != nullptr) ended(sum_->advance(true));
        }

      private:
        bool ended(bool yes) {
            if (yes) std::exchange(sum_, nullptr)->poller_.reset();
            return yes;
        }

        Allreduce* sum_ = nullptr;
    };

    /// For the ranks of `transport`, which outlives it. `count`: the most numbers a sum has. `tag`:
    /// of all its messages, as no two go from one rank to the same other. `poll_interval`: seconds;
    /// 0: never.
    Allreduce(T& transport, std::size_t count, int tag, double poll_interval)
        : Allreduce(transport, count, tag, poll_interval,
                    model::recursive_multiplying::doubling(transport.size())) {}
    /// The same in `groups`, the same on all ranks. Throws `std::invalid_argument` where the ranks
    /// cannot be in such: the product of their sizes is more than half of them, and not more.
    Allreduce(T& transport, std::size_t count, int tag, double poll_interval, Groups groups)
        : transport_(transport),
          count_(std::max<std::size_t>(count, 1)),
          tag_(tag),
          poll_interval_(poll_interval) {
        arrange(std::move(groups));
    }
    /// The same, which measures what a round and a message take, and chooses groups from it with
    /// which a sum and what it hides behind are over first: of two where that is long, as these are
    /// the fewest messages, larger ones where the processor waits for the sum. All ranks make it
    /// together, and have the same groups.
    ///
    /// It looks for messages from shortly before they should be there, by what it has seen of
    /// others, and then often, as who sent them waits for what follows. Never where a test costs
    /// too much of what it may hide.
    Allreduce(T& transport, std::size_t count, int tag, Behind behind = {})
        : Allreduce(transport, count, tag, 0) {
        const double round = round_time();
        const double message = message_time(round);
        const model::recursive_multiplying::Costs costs{.round = mean(round),
                                                        .message = mean(message)};
        behind.seconds = mean(behind.seconds);
        behind.messages = mean(behind.messages);
        auto best = model::recursive_multiplying::quickest(transport.size(), costs, behind);
        if (best != groups_) arrange(std::move(best));
        look_for(round);
    }
    Allreduce(const Allreduce&) = delete;
    Allreduce& operator=(const Allreduce&) = delete;

    /// Initiates the sum over all ranks of `from`, element by element, in every rank's `into`. The
    /// one before it must be complete. `from` is free again when this returns.
    [[nodiscard]] Request allreduce(std::span<const double> from, double* into) {
        if (sent_ != stages_.size()) throw std::logic_error("a sum is under way already");
        if (from.size() > count_) throw std::length_error("a sum of more numbers than announced");
        sum_ = {into, from.size()};
        std::copy(from.begin(), from.end(), into);
        for (Stage& stage : stages_) stage.expect(transport_, sum_.size_bytes(), tag_);
        next_ = 0;
        sent_ = 0;
        begin_stage();
        poller_.emplace(
            poll_interval_, [](void* sum) { static_cast<Allreduce*>(sum)->progress(); }, this);
        return Request(*this);
    }

    [[nodiscard]] const Groups& groups() const { return groups_; }

  private:
    using Memory = decltype(memory_for(std::declval<T&>(), 0));
    using Message = typename T::Request;
    /// Whether what is sent moves only while the sender calls.
    static constexpr bool one_sided = requires(T transport) { transport.memory(0); };

    /// A round and its messages.
    struct Stage : allreduce_rounds::Round {
        Stage(allreduce_rounds::Round round, T& transport, std::size_t most)
            : Round(std::move(round)),
              bytes(most),
              parts(memory_for(transport, ranks.size() * most)),
              outgoing(ranks.size()),
              incoming(ranks.size()) {}

        [[nodiscard]] std::byte* part(std::size_t place) { return parts.data() + place * bytes; }
        /// Everyone sends to those after it in turn: no two send to the same one first.
        [[nodiscard]] std::size_t after(std::size_t distance) const {
            return (own + distance) % ranks.size();
        }
        [[nodiscard]] std::size_t before(std::size_t distance) const {
            return (own + ranks.size() - distance) % ranks.size();
        }
        void expect(T& transport, std::size_t size, int tag) {
            found = receives ? 0 : ranks.size() - 1;
            for (std::size_t i = found + 1; i < ranks.size(); ++i) {
                const std::size_t place = before(i);
                incoming[place] = transport.receive(part(place), size, ranks[place], tag);
            }
        }
        void begin(T& transport, std::span<const double> sum, int tag) {
            if (!sum.empty()) std::memcpy(part(own), sum.data(), sum.size_bytes());
            left = sends ? 0 : ranks.size() - 1;
            for (std::size_t i = left + 1; i < ranks.size(); ++i) {
                const std::size_t place = after(i);
                outgoing[place] = transport.send(part(own), sum.size_bytes(), ranks[place], tag);
            }
        }
        /// Whether all that it waits for is there: `done(request)` says it of one message.
        template <class Done>
        bool arrived(Done&& done) {
            for (; found + 1 < ranks.size(); ++found)
                if (!done(incoming[before(found + 1)])) return false;
            return true;
        }
        template <class Done>
        bool sent(Done&& done) {
            for (; left + 1 < ranks.size(); ++left)
                if (!done(outgoing[after(left + 1)])) return false;
            return true;
        }
        void end(std::span<double> sum) {
            if (!receives) return;
            const auto numbers = [&](std::size_t place) {
                return reinterpret_cast<const double*>(part(place));
            };
            std::copy_n(numbers(adds ? 0 : 1 - own), sum.size(), sum.data());
            for (std::size_t place = 1; adds && place < ranks.size(); ++place)
                for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += numbers(place)[i];
        }

        std::size_t bytes;  ///< of a part, the most there are
        Memory parts;       ///< by place; the own one is what is sent
        std::vector<Message> outgoing;
        std::vector<Message> incoming;
        std::size_t found = 0;  ///< of the incoming
        std::size_t left = 0;   ///< of the outgoing
        double patience = 0;    ///< seconds from its beginning to the first look for what comes
    };

    void arrange(Groups groups) {
        if (!model::recursive_multiplying::possible(groups, transport_.size()))
            throw std::invalid_argument(
                "a sum in groups that there are too many or too few ranks for");
        groups_ = std::move(groups);
        stages_.clear();
        auto rounds = allreduce_rounds::rounds(transport_.rank(), transport_.size(), groups_);
        stages_.reserve(rounds.size());
        for (auto& round : rounds)
            stages_.emplace_back(std::move(round), transport_, count_ * sizeof(double));
        next_ = sent_ = stages_.size();
    }
    /// To look as often as makes sense where a round of two takes `round` seconds.
    void look_for(double round) {
        constexpr double first_look = 0.75;  // of a round, which ends with the receiver's overhead
        constexpr double next_look = 1.0 / 16;
        constexpr double worthwhile = 0.5;
        const double test = test_time();
        if (test > worthwhile * round) return;
        next_look_ = std::max(next_look * round, test);
        poll_interval_ = next_look_;
        if constexpr (!one_sided) {
            latest_look_ = round;
            poll_interval_ /= 4;  // it is not a poll that looks, but one at the right moment
            for (Stage& stage : stages_) stage.patience = first_look * round;
        }
    }
    /// Of all ranks, the same on each.
    [[nodiscard]] double mean(double own) {
        double sum = 0;
        allreduce({&own, 1}, &sum).wait();
        return sum / transport_.size();
    }
    /// Seconds, of the quickest of some runs of sums, one after the other: who comes late to a
    /// single one finds its messages there.
    [[nodiscard]] double round_time() {
        constexpr int sums = 4;
        double quickest = std::numeric_limits<double>::infinity();
        for (int run = 0; run < 4; ++run) {
            const double start = transport_.now();
            for (int sum = 0; sum < sums; ++sum) during_a_sum([](Request&) {});
            quickest = std::min(quickest, transport_.now() - start);
        }
        return stages_.empty() ? 0 : quickest / sums / static_cast<double>(stages_.size());
    }
    /// Seconds that the processor needs to find a message, take it in and send the next one, of the
    /// quickest of some that were there: no more than a round, which is `round` seconds.
    [[nodiscard]] double message_time(double round) {
        double quickest = round;
        for (int sum = 0; sum < 4; ++sum) {
            during_a_sum([&](Request&) {
                wait_until(lapwing::now() + 4 * round);
                const double start = transport_.now();
                progress();
                const double taken = transport_.now() - start;
                if (next_ == 1) quickest = std::min(quickest, taken);
            });
        }
        return quickest;
    }
    /// Seconds, of the quickest of some that were too early.
    [[nodiscard]] double test_time() {
        double quickest = std::numeric_limits<double>::infinity();
        for (int sum = 0; sum < 4; ++sum) {
            during_a_sum([&](Request& request) {
                const double start = transport_.now();
                request.test();
                quickest = std::min(quickest, transport_.now() - start);
            });
        }
        return quickest;
    }
    /// Calls `act(request)` at the beginning of a sum, and returns at its end.
    template <class Act>
    void during_a_sum(Act&& act) {
        const std::vector<double> numbers(count_);
        std::vector<double> into(count_);
        Request request = allreduce(numbers, into.data());
        act(request);
    }
    void begin_stage() {
        first_ = true;
        if (next_ == stages_.size()) return;
        expected_ = transport_.now() + stages_[next_].patience;
        stages_[next_].begin(transport_, sum_, tag_);
    }
    /// The current stage has all that it waits for.
    void end_stage() {
        stages_[next_].end(sum_);
        ++next_;
        begin_stage();
    }
    static bool test(Message& message) { return message.test(); }
    /// Goes on as far as it can, or to the end; whether it is there.
    bool advance(bool to_the_end) {
        const auto done = [&](Message& message) {
            if (to_the_end) message.wait();
            return to_the_end || message.test();
        };
        for (; next_ < stages_.size(); end_stage())
            if (!stages_[next_].arrived(done)) return false;
        for (; sent_ < stages_.size(); ++sent_)
            if (!stages_[sent_].sent(done)) return false;
        return true;
    }
    /// Called by `poll()`: tests until one fails, and no more, they are not free; what has just
    /// been initiated would be no further.
    void progress() {
        const double now = transport_.now();
        if (now < expected_) return;
        if (next_ < stages_.size()) {
            Stage& stage = stages_[next_];
            const bool there = stage.arrived(test);
            if (std::exchange(first_, false)) learn(stage, stage.found > 0);
            expected_ = now + next_look_;
            if (there) end_stage();
        } else if constexpr (one_sided) {
            if (!stages_.empty()) stages_.back().sent(test);
        }
    }
    /// A first look at which nothing was there lets the next one be later, any other a little
    /// earlier: most are late by a small part of a round.
    void learn(Stage& stage, bool there) {
        constexpr double later = 1.0 / 32;
        constexpr double earlier = later / 8;
        const double moved = stage.patience + (there ? -earlier : later) * latest_look_;
        stage.patience = std::clamp(moved, 0.0, latest_look_);
    }

    T& transport_;
    std::size_t count_;
    int tag_;
    double poll_interval_;
    double latest_look_ = 0;  ///< seconds from the beginning of a stage to the first look, at most
    double next_look_ = 0;    ///< seconds from one look to the next
    double expected_ = 0;     ///< moment of the next look
    bool first_ = true;       ///< it is the first of its stage
    Groups groups_;
    std::vector<Stage> stages_;
    std::size_t next_ = 0;  ///< stage that is to be completed
    std::size_t sent_ = 0;  ///< stages whose messages have left; all: nothing is under way
    std::span<double> sum_;
    std::optional<Poller> poller_;
};

}  // namespace lapwing
