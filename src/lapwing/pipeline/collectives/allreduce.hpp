#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/model/collectives/recursive_multiplying.hpp"
#include "lapwing/pipeline/collectives/allreduce_rounds.hpp"
#include "lapwing/pipeline/collectives/allreduce_stage.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// What an allreduce is hidden behind: seconds of computation, and messages of others meanwhile.
using Behind = model::recursive_multiplying::Behind;
/// How many ranks exchange with each other, round by round.
using Groups = model::recursive_multiplying::Groups;

/// A non-blocking sum over all ranks, made of messages. It takes recursive doubling, ceil(log2 P)
/// rounds of one message, or recursive multiplying, fewer rounds of more messages (see
/// `model::recursive_multiplying`). All ranks get the same bits: each adds the same numbers, in the
/// same order, in every round.
///
/// It is for transports without collectives, and for MPIs whose own non-blocking allreduce takes
/// too much of the processor or stands still. Those of many MPIs are flat: they have a message to
/// every rank.
///
/// It advances when its request is tested or awaited, and when the user's computation calls
/// `lapwing::poll()`. A round begins when a test has found the messages of the round before. A
/// computation that is longer than the sum, and polls more often than messages take, hides most of
/// it.
template <Transport T>
class Allreduce {
  public:
    /// A sum under way.
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
        /// Waits for the messages of the present round, and begins the next one: for a computation
        /// that knows when a round has had its time. Does nothing after the last round.
        void wait_round() {
            if (sum_ != nullptr) sum_->wait_round();
        }

      private:
        bool ended(bool yes) {
            if (yes) std::exchange(sum_, nullptr)->poller_.reset();
            return yes;
        }

        Allreduce* sum_ = nullptr;
    };

    /// By recursive doubling, over the ranks of `transport`, which outlives it. `count`: the most
    /// numbers a sum has. `tag`: that of all its messages; no two go from one rank to the same
    /// other. `poll_interval`: seconds between looks for messages by `lapwing::poll()`; 0: none.
    Allreduce(T& transport, std::size_t count, int tag, double poll_interval)
        : Allreduce(transport, count, tag, poll_interval,
                    model::recursive_multiplying::doubling(transport.size())) {}
    /// By recursive multiplying in `groups`, the same on all ranks. Throws `std::invalid_argument`
    /// unless the product of the group sizes is at most the number of ranks and more than half of
    /// it.
    Allreduce(T& transport, std::size_t count, int tag, double poll_interval, Groups groups)
        : transport_(transport),
          count_(std::max<std::size_t>(count, 1)),
          tag_(tag),
          poll_interval_(poll_interval) {
        arrange(std::move(groups));
    }
    /// With the fastest groups here. It measures what a round and a message take, and chooses the
    /// groups with which the sum and the computation beside it end first. These are groups of two
    /// where `behind` is long, as they need the fewest messages, and larger ones where the
    /// processor waits for the sum. Collective over all ranks, which get the same groups.
    ///
    /// `lapwing::poll()` then looks for messages from shortly before they are due, by what it
    /// learns from sum to sum, and often, as the sender waits for what follows. It never looks
    /// where a test costs too much of what it may hide.
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
        choose_looks(round);
    }
    Allreduce(const Allreduce&) = delete;
    Allreduce& operator=(const Allreduce&) = delete;

    /// Initiates the sum of all ranks' `from`, element by element, into every rank's `into`. `from`
    /// is free again when this returns; `into` is in use until the request is complete. Throws
    /// `std::logic_error` while another sum is under way, `std::length_error` for more numbers than
    /// `count`.
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
    using Message = typename T::Request;
    /// Whether messages move only while the sender calls the transport.
    static constexpr bool one_sided = requires(T transport) { transport.memory(0); };

    using Stage = AllreduceStage<T>;

    /// Makes the stages of rounds in `groups`.
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
    /// Chooses when polls look for messages, where a round of two takes `round` seconds.
    void choose_looks(double round) {
        constexpr double first_look = 0.75;     // rounds: the receiver's overhead is the rest
        constexpr double next_look = 1.0 / 16;  // rounds between looks
        constexpr double worthwhile = 0.5;      // rounds that a test may cost
        const double test = test_time();
        if (test > worthwhile * round) return;
        next_look_ = std::max(next_look * round, test);
        poll_interval_ = next_look_;
        if constexpr (!one_sided) {
            latest_look_ = round;
            poll_interval_ /= 4;  // most polls do not look: they wait for the right moment
            for (Stage& stage : stages_) stage.first_look = first_look * round;
        }
    }
    /// The mean of all ranks' `own`, the same on each.
    [[nodiscard]] double mean(double own) {
        double sum = 0;
        allreduce({&own, 1}, &sum).wait();
        return sum / transport_.size();
    }
    /// Seconds of a round: the fastest of some series of sums. Single sums would not do: a rank
    /// that comes late to one finds its messages there.
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
    /// Seconds of processor time to find a message that has arrived, take it in and send the next.
    /// They are the fastest of some, and no more than a round, which takes `round` seconds.
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
    /// Seconds of a test that finds nothing: the fastest of some.
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
    /// Calls `act(request)` at the beginning of a sum, and returns when the sum is complete.
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
        expected_ = transport_.now() + stages_[next_].first_look;
        stages_[next_].begin(transport_, sum_, tag_);
    }
    /// Goes on to the next stage: the present one has received all its messages.
    void end_stage() {
        stages_[next_].end(sum_);
        ++next_;
        begin_stage();
    }
    static bool test(Message& message) { return message.test(); }
    /// Goes on as far as possible without waiting, or `to_the_end`. Returns whether the sum is
    /// complete.
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
    void wait_round() {
        if (next_ == stages_.size()) return;
        stages_[next_].arrived([](Message& message) {
            message.wait();
            return true;
        });
        end_stage();
    }
    /// Called by `poll()`: tests messages until a test fails. It does not test what has just been
    /// initiated: tests are not free, and it could not be complete.
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
    /// Moves the first look of a stage: later if nothing was there, a little earlier if something
    /// was. Most looks then come late by a small part of a round.
    void learn(Stage& stage, bool there) {
        constexpr double later = 1.0 / 32;
        constexpr double earlier = later / 8;
        const double moved = stage.first_look + (there ? -earlier : later) * latest_look_;
        stage.first_look = std::clamp(moved, 0.0, latest_look_);
    }

    T& transport_;
    std::size_t count_;
    int tag_;
    double poll_interval_;
    double latest_look_ = 0;  ///< seconds from the beginning of a stage to its first look, at most
    double next_look_ = 0;    ///< seconds from one look to the next
    double expected_ = 0;     ///< moment of the next look
    bool first_ = true;       ///< the next look is the first of its stage
    Groups groups_;
    std::vector<Stage> stages_;
    std::size_t next_ = 0;  ///< the present stage
    std::size_t sent_ = 0;  ///< stages whose messages have left; all of them: no sum is under way
    std::span<double> sum_;
    std::optional<Poller> poller_;
};

}  // namespace lapwing
