#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/pipeline/poll.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// A non-blocking sum over all ranks, made of messages: recursive doubling, ceil(log2 P) of them
/// one after the other on each rank. It moves on when it is tested, awaited, or when the user's
/// computation calls `lapwing::poll()`.
///
/// For transports without collectives, and where the MPI's own non-blocking one costs too much of
/// the processor or stands still: those of many are flat, with a message to every rank.
/// All ranks get the same bits: each adds the same two numbers in every stage.
template <Transport T>
class Doubling {
  public:
    /// What is under way.
    class Request {
      public:
        Request() = default;
        explicit Request(Doubling& sum) : sum_(&sum) {}
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

        Doubling* sum_ = nullptr;
    };

    /// For the ranks of `transport`, which outlives it. `count`: the most numbers a sum has. `tag`:
    /// of all its messages, as no two go from one rank to the same other. `poll_interval`, seconds:
    /// a stage takes as long as a small message, more often is no use; 0: never.
    Doubling(T& transport, std::size_t count, int tag, double poll_interval)
        : transport_(transport), count_(count), tag_(tag), poll_interval_(poll_interval) {
        const std::vector<Step> all = steps(transport.rank(), transport.size());
        stages_.reserve(all.size());
        for (const Step& step : all) stages_.emplace_back(step, transport, count * sizeof(double));
        next_ = sent_ = stages_.size();
    }
    Doubling(const Doubling&) = delete;
    Doubling& operator=(const Doubling&) = delete;

    /// Initiates the sum over all ranks of `from`, element by element, in every rank's `into`. The
    /// one before it must be complete. `from` is free again when this returns.
    [[nodiscard]] Request allreduce(std::span<const double> from, double* into) {
        if (sent_ != stages_.size()) throw std::logic_error("a sum is under way already");
        if (from.size() > count_) throw std::length_error("a sum of more numbers than announced");
        sum_ = {into, from.size()};
        std::copy(from.begin(), from.end(), into);
        for (Stage& stage : stages_)
            if (stage.receives)
                stage.incoming =
                    transport_.receive(stage.in.data(), sum_.size_bytes(), stage.peer, tag_);
        next_ = 0;
        sent_ = 0;
        begin_stage();
        poller_.emplace(
            poll_interval_, [](void* sum) { static_cast<Doubling*>(sum)->progress(); }, this);
        return Request(*this);
    }

  private:
    using Memory = decltype(memory_for(std::declval<T&>(), 0));

    /// A message to or from a rank, or both.
    struct Step {
        int peer;
        bool sends;
        bool receives;
        bool adds;  ///< what arrives; otherwise it is the sum
    };
    struct Stage : Step {
        Stage(const Step& step, T& transport, std::size_t bytes)
            : Step(step), out(memory_for(transport, bytes)), in(memory_for(transport, bytes)) {}
        Memory out;
        Memory in;
        typename T::Request outgoing;
        typename T::Request incoming;
    };

    /// Doubling is for powers of two: of the ranks beyond one, as many hand theirs to a neighbour
    /// first and are told the sum in the end.
    static std::vector<Step> steps(int rank, int size) {
        const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
        const int folded = size - power;
        std::vector<Step> result;
        if (rank < 2 * folded && rank % 2 == 0) {
            result.push_back({rank + 1, true, true, false});
            return result;
        }
        if (rank < 2 * folded) result.push_back({rank - 1, false, true, true});
        const int number = rank < 2 * folded ? rank / 2 : rank - folded;
        for (int distance = 1; distance < power; distance *= 2) {
            const int other = number ^ distance;
            const int peer = other < folded ? 2 * other + 1 : other + folded;
            result.push_back({peer, true, true, true});
        }
        if (rank < 2 * folded) result.push_back({rank - 1, true, false, false});
        return result;
    }
    void begin_stage() {
        if (next_ == stages_.size() || !stages_[next_].sends) return;
        Stage& stage = stages_[next_];
        if (!sum_.empty()) std::memcpy(stage.out.data(), sum_.data(), sum_.size_bytes());
        stage.outgoing = transport_.send(stage.out.data(), sum_.size_bytes(), stage.peer, tag_);
    }
    /// The current stage has all that it waits for.
    void end_stage() {
        Stage& stage = stages_[next_];
        if (stage.receives) {
            const auto* const theirs = reinterpret_cast<const double*>(stage.in.data());
            for (std::size_t i = 0; i < sum_.size(); ++i)
                sum_[i] = stage.adds ? sum_[i] + theirs[i] : theirs[i];
        }
        ++next_;
        begin_stage();
    }
    /// Goes on as far as it can, or to the end; whether it is there.
    bool advance(bool to_the_end) {
        const auto done = [&](typename T::Request& request) {
            if (to_the_end) request.wait();
            return to_the_end || request.test();
        };
        for (; next_ < stages_.size(); end_stage())
            if (!done(stages_[next_].incoming)) return false;
        for (; sent_ < stages_.size(); ++sent_)
            if (!done(stages_[sent_].outgoing)) return false;
        return true;
    }
    /// Called by `poll()`: one test and no more, they are not free, and what has just been
    /// initiated would be no further. One-sided transports move what is sent only while the sender
    /// calls them.
    void progress() {
        if (next_ < stages_.size()) {
            if (stages_[next_].incoming.test()) end_stage();
        } else if constexpr (requires { transport_.memory(0); }) {
            if (!stages_.empty()) stages_.back().outgoing.test();
        }
    }

    T& transport_;
    std::size_t count_;
    int tag_;
    double poll_interval_;
    std::vector<Stage> stages_;
    std::size_t next_ = 0;  ///< stage that is to be completed
    std::size_t sent_ = 0;  ///< stages whose message has left; all: nothing is under way
    std::span<double> sum_;
    std::optional<Poller> poller_;
};

}  // namespace lapwing
