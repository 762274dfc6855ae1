#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing::nas::is {

/// An all-to-all of a few numbers from each rank to each other, in ceil(log2 P) rounds of one
/// message (Bruck et al. 1997), for any number of ranks. Its caller leads it from round to round,
/// as a `Sum`.
template <Transport T>
class SmallExchange {
  public:
    /// `count`: numbers from a rank to another; `tag`: that of all messages.
    SmallExchange(T& transport, std::size_t count, int tag)
        : transport_(transport),
          count_(count),
          tag_(tag),
          ranks_(static_cast<std::size_t>(transport.size())),
          numbers_(ranks_ * count) {
        for (std::size_t round = 0; round < rounds(); ++round) {
            leaving_.push_back(memory_for(transport, bytes(round)));
            arriving_.push_back(memory_for(transport, bytes(round)));
        }
    }

    /// Before an exchange the numbers for the rank that is `distance` behind this one, after it
    /// those from the rank that is `distance` before it.
    [[nodiscard]] std::uint32_t* at(std::size_t distance) {
        return numbers_.data() + distance * count_;
    }
    [[nodiscard]] std::size_t rounds() const {
        return static_cast<std::size_t>(std::bit_width(ranks_ - 1));
    }
    void start() {
        next_ = 0;
        for (std::size_t round = 0; round < rounds(); ++round)
            receives_.push_back(transport_.receive(arriving_[round].data(), bytes(round),
                                                   peer(ranks_ - (std::size_t{1} << round)), tag_));
        begin();
    }
    /// Awaits the message of a round, and begins the next.
    void advance() {
        receives_[next_].wait();
        std::byte* from = arriving_[next_].data();
        for_each_sent(next_, [&](std::uint32_t* numbers) {
            std::memcpy(numbers, from, block());
            from += block();
        });
        ++next_;
        begin();
    }
    /// Awaits what is left of the exchange.
    void finish() {
        while (next_ < rounds()) advance();
        receives_.clear();
        sends_.clear();
    }

  private:
    using Memory = decltype(memory_for(std::declval<T&>(), std::size_t{}));

    [[nodiscard]] std::size_t block() const { return count_ * sizeof(std::uint32_t); }
    [[nodiscard]] int peer(std::size_t distance) const {
        return static_cast<int>((static_cast<std::size_t>(transport_.rank()) + distance) % ranks_);
    }
    /// Calls `use(numbers)` for the numbers that travel in a round: that bit of their distance is
    /// set.
    template <class Use>
    void for_each_sent(std::size_t round, Use&& use) {
        for (std::size_t distance = 0; distance < ranks_; ++distance)
            if ((distance >> round & 1) != 0) use(at(distance));
    }
    [[nodiscard]] std::size_t bytes(std::size_t round) {
        std::size_t all = 0;
        for_each_sent(round, [&](const std::uint32_t*) { all += block(); });
        return all;
    }
    void begin() {
        if (next_ == rounds()) return;
        std::byte* to = leaving_[next_].data();
        for_each_sent(next_, [&](const std::uint32_t* numbers) {
            std::memcpy(to, numbers, block());
            to += block();
        });
        sends_.push_back(transport_.send(leaving_[next_].data(), bytes(next_),
                                         peer(std::size_t{1} << next_), tag_));
    }

    T& transport_;
    std::size_t count_;
    int tag_;
    std::size_t ranks_;
    std::vector<std::uint32_t> numbers_;
    std::vector<Memory> leaving_;  ///< by round
    std::vector<Memory> arriving_;
    std::vector<typename T::Request> receives_;
    std::vector<typename T::Request> sends_;
    std::size_t next_ = 0;  ///< the present round
};

}  // namespace lapwing::nas::is
