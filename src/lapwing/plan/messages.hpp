#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

namespace lapwing {

/// The sizes of a sequence of messages, in compact form, cut at multiples of a grain.
///
/// `lead` messages of `lead_size` bytes open it; then comes `first`, and from there each message is
/// `ratio` times the one before it plus `increment`, never above `cap` nor below one grain. Sizes
/// are real numbers; message `k` ends at their running sum rounded to the grain, so that no error
/// adds up, and the last message ends at `volume`.
struct Messages {
    std::uint64_t volume = 0;  ///< bytes in all
    std::uint64_t grain = 1;   ///< bytes; every message but the last is a multiple
    std::uint64_t count = 0;   ///< messages in all
    std::uint64_t lead = 0;    ///< messages before the first of the chain
    double lead_size = 0;      ///< bytes of each of those
    double first = 0;          ///< bytes
    double ratio = 1;
    double increment = 0;  ///< bytes
    double cap = 0;        ///< bytes, the largest message

    class Iterator;
    struct End {};
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] static End end() { return {}; }

    /// All sizes, bytes.
    [[nodiscard]] std::vector<std::uint64_t> list() const;

    /// `volume` bytes in messages of `size` bytes each (the last may be smaller).
    static Messages uniform(std::uint64_t volume, std::uint64_t size, std::uint64_t grain = 1);

    friend bool operator==(const Messages&, const Messages&) = default;
};

/// Walks the sizes: a few arithmetic operations a message, no storage.
class Messages::Iterator {
  public:
    using value_type = std::uint64_t;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const Messages& messages)
        : messages_(&messages), next_(messages.lead > 0 ? messages.lead_size : messages.first) {
        cut();
    }

    /// Size of this message, bytes.
    std::uint64_t operator*() const { return size_; }
    Iterator& operator++() {
        ++index_;
        offset_ += size_;
        if (index_ < messages_->lead) {
            next_ = messages_->lead_size;
        } else if (index_ == messages_->lead) {
            next_ = messages_->first;
        } else {
            next_ = messages_->ratio * next_ + messages_->increment;
        }
        cut();
        return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, End) { return at.index_ == at.messages_->count; }

    [[nodiscard]] std::uint64_t index() const { return index_; }    ///< which message, from 0
    [[nodiscard]] std::uint64_t offset() const { return offset_; }  ///< where it starts, bytes

  private:
    void cut() {
        const auto grain = static_cast<double>(messages_->grain);
        if (index_ >= messages_->lead) next_ = std::min(next_, messages_->cap);
        next_ = std::max(next_, grain);
        if (index_ + 1 >= messages_->count) {
            size_ = messages_->volume - offset_;
            return;
        }
        sum_ += next_;
        const auto stop = static_cast<std::uint64_t>(sum_ / grain + 0.5) * messages_->grain;
        size_ = std::min(stop, messages_->volume) - offset_;
    }

    const Messages* messages_ = nullptr;
    std::uint64_t index_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t size_ = 0;
    double next_ = 0;
    double sum_ = 0;
};

inline Messages::Iterator Messages::begin() const { return Iterator(*this); }

inline std::vector<std::uint64_t> Messages::list() const {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(count);
    for (const auto size : *this) sizes.push_back(size);
    return sizes;
}

inline Messages Messages::uniform(std::uint64_t volume, std::uint64_t size, std::uint64_t grain) {
    const auto bytes = static_cast<double>(size);
    return {.volume = volume,
            .grain = grain,
            .count = (volume + size - 1) / size,
            .lead = 0,
            .lead_size = 0,
            .first = bytes,
            .ratio = 1,
            .increment = 0,
            .cap = bytes};
}

}  // namespace lapwing
