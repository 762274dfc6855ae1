#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"

namespace lapwing::simulate {

/// The future events, in the order of `before`. A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990):
/// an event lies in the bucket of the highest bit in which its time differs from the present, and
/// moves to lower buckets as time goes on. It costs a few sequential copies and no comparison with
/// other events. Events of one time keep the order in which they were pushed, which is nearly
/// always the order of their places; where it is not, they are sorted once.
class EventQueue {
  public:
    void push(const Event& event) {
        if (event.time > now_) {
            later(event);
        } else if (event.time == now_ &&
                   (next_ == present_.size() || present_.back().order < event.order)) {
            if (next_ == present_.size()) present_.clear(), next_ = 0;
            present_.push_back(event);
        } else {
            urgent_.push(event);
        }
    }

    /// Takes out the next event; returns false if there is none.
    bool pop(Event& event) {
        if (next_ == present_.size() && urgent_.empty()) {
            if (filled_ == 0) return false;
            advance();
        }
        if (!urgent_.empty() &&
            (next_ == present_.size() || before(urgent_.top(), present_[next_]))) {
            event = urgent_.top();
            urgent_.pop();
        } else {
            event = present_[next_++];
        }
        return true;
    }

  private:
    static constexpr std::size_t chunk_events = 128;
    using Chunk = std::array<Event, chunk_events>;

    struct Bucket {
        std::vector<std::unique_ptr<Chunk>> chunks;
        std::size_t used = chunk_events;  ///< of the last chunk
        Time least = std::numeric_limits<Time>::max();
    };

    void later(const Event& event) {
        const auto differing = static_cast<std::uint64_t>(event.time ^ now_);
        const auto index = static_cast<unsigned>(std::bit_width(differing)) - 1U;
        Bucket& bucket = buckets_[index];
        if (bucket.used == chunk_events) add_chunk(bucket);
        (*bucket.chunks.back())[bucket.used++] = event;
        bucket.least = std::min(bucket.least, event.time);
        filled_ |= std::uint64_t{1} << index;
    }

    void add_chunk(Bucket& bucket) {
        if (spare_.empty()) {
            bucket.chunks.push_back(std::make_unique<Chunk>());
        } else {
            bucket.chunks.push_back(std::move(spare_.back()));
            spare_.pop_back();
        }
        bucket.used = 0;
    }

    /// Makes the earliest time in the buckets the present.
    void advance() {
        const auto index = static_cast<unsigned>(std::countr_zero(filled_));
        std::swap(buckets_[index].chunks, moving_);
        const std::size_t used = std::exchange(buckets_[index].used, chunk_events);
        now_ = std::exchange(buckets_[index].least, std::numeric_limits<Time>::max());
        filled_ &= filled_ - 1;
        present_.clear();
        next_ = 0;
        bool sorted = true;
        for (std::size_t i = 0; i < moving_.size(); ++i) {
            const Chunk& chunk = *moving_[i];
            const std::size_t count = i + 1 == moving_.size() ? used : chunk_events;
            for (std::size_t j = 0; j < count; ++j) {
                const Event& event = chunk[j];
                if (event.time != now_) {
                    later(event);
                    continue;
                }
                sorted = sorted && (present_.empty() || present_.back().order < event.order);
                present_.push_back(event);
            }
            spare_.push_back(std::move(moving_[i]));
        }
        moving_.clear();
        if (!sorted)
            std::sort(present_.begin(), present_.end(),
                      [](const Event& a, const Event& b) { return a.order < b.order; });
    }

    struct After {
        bool operator()(const Event& a, const Event& b) const { return before(b, a); }
    };

    Time now_ = 0;
    std::vector<Event> present_;  ///< the events of `now_`, from `next_` on
    std::size_t next_ = 0;
    /// Events of the present that were pushed out of order, and of the past: few.
    std::priority_queue<Event, std::vector<Event>, After> urgent_;
    std::array<Bucket, 63> buckets_;
    std::uint64_t filled_ = 0;  ///< bit i: bucket i has events
    std::vector<std::unique_ptr<Chunk>> moving_;
    std::vector<std::unique_ptr<Chunk>> spare_;
};

}  // namespace lapwing::simulate
