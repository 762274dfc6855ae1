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

/// The future events, in the order of `before`. A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990).
/// The bucket of an event is the highest digit in which its time differs from the present, and the
/// value of that digit. As time goes on, the event moves to lower digits. It costs a few sequential
/// copies and no comparison with other events. Events of one time keep the order in which they
/// came. It is nearly always that of their places. Where it is not, the queue sorts them once.
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
            if (filled_digits_ == 0) return false;
            Bucket& bucket = take_earliest();
            if (bucket.first == bucket.last && bucket.used == 1) {
                event = bucket.first->events[0];
                now_ = event.time;
                bucket.clear();
                return true;
            }
            advance(bucket);
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
    static constexpr unsigned digit_bits = 6;
    static constexpr unsigned digit_values = 1U << digit_bits;
    static constexpr unsigned digits = 64 / digit_bits + 1;
    static constexpr std::size_t chunk_events = 62;

    struct Chunk {
        std::array<Event, chunk_events> events;
        Chunk* next = nullptr;
    };
    /// An empty bucket keeps its first chunk.
    struct Bucket {
        Chunk* first = nullptr;
        Chunk* last = nullptr;
        std::size_t used = chunk_events;  ///< of the last chunk
        Time least = std::numeric_limits<Time>::max();

        void clear() {
            last = first;
            used = 0;
            least = std::numeric_limits<Time>::max();
        }
    };

    void later(const Event& event) {
        const auto differing = static_cast<std::uint64_t>(event.time ^ now_);
        const unsigned digit = (static_cast<unsigned>(std::bit_width(differing)) - 1U) / digit_bits;
        const auto value =
            static_cast<unsigned>(event.time >> (digit * digit_bits)) & (digit_values - 1U);
        Bucket& bucket = buckets_[digit * digit_values + value];
        if (bucket.used == chunk_events) add_chunk(bucket);
        bucket.last->events[bucket.used++] = event;
        bucket.least = std::min(bucket.least, event.time);
        filled_[digit] |= std::uint64_t{1} << value;
        filled_digits_ |= 1U << digit;
    }

    void add_chunk(Bucket& bucket) {
        if (spare_ == nullptr) spare_ = chunks_.emplace_back(std::make_unique<Chunk>()).get();
        Chunk* const added = std::exchange(spare_, spare_->next);
        added->next = nullptr;
        (bucket.last == nullptr ? bucket.first : bucket.last->next) = added;
        bucket.last = added;
        bucket.used = 0;
    }

    /// The bucket with the earliest events. It counts as empty from now on.
    Bucket& take_earliest() {
        const auto digit = static_cast<unsigned>(std::countr_zero(filled_digits_));
        const auto value = static_cast<unsigned>(std::countr_zero(filled_[digit]));
        filled_[digit] &= filled_[digit] - 1;
        if (filled_[digit] == 0) filled_digits_ &= filled_digits_ - 1U;
        return buckets_[digit * digit_values + value];
    }

    /// Makes the earliest time in a bucket the present. Its other events move to lower digits.
    void advance(Bucket& bucket) {
        now_ = bucket.least;
        present_.clear();
        next_ = 0;
        bool sorted = true;
        for (Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next) {
            const std::size_t count = chunk == bucket.last ? bucket.used : chunk_events;
            for (std::size_t i = 0; i < count; ++i) {
                const Event& event = chunk->events[i];
                if (event.time != now_) {
                    later(event);
                    continue;
                }
                sorted = sorted && (present_.empty() || present_.back().order < event.order);
                present_.push_back(event);
            }
        }
        bucket.last->next = spare_;
        spare_ = std::exchange(bucket.first->next, nullptr);
        bucket.clear();
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
    std::array<Bucket, std::size_t{digits} * digit_values> buckets_;
    std::array<std::uint64_t, digits> filled_{};  ///< bit v of digit d: its bucket v has events
    std::uint32_t filled_digits_ = 0;             ///< bit d: buckets of digit d have events
    std::vector<std::unique_ptr<Chunk>> chunks_;
    Chunk* spare_ = nullptr;
};

}  // namespace lapwing::simulate
