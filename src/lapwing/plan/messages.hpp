#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing {

/// `count` messages of `size` bytes each.
struct MessageRun {
    std::uint64_t size = 0;
    std::uint64_t count = 0;
    friend bool operator==(const MessageRun&, const MessageRun&) = default;
};

/// The sizes of a sequence of messages, run-length encoded. No message is empty. All sizes are
/// multiples of the grain but the last, which has the rest of the volume.
class Messages {
  public:
    class Iterator;
    struct End {};

    Messages() = default;
    /// Sizes that are multiples of `grain` bytes, except for the last.
    explicit Messages(std::uint64_t grain) : grain_(grain) {}

    /// `volume` bytes in messages of `size` bytes each (the last may be smaller). All above 0.
    static Messages uniform(std::uint64_t volume, std::uint64_t size, std::uint64_t grain = 1);
    /// The messages of `sizes`, bytes.
    static Messages of(const std::vector<std::uint64_t>& sizes, std::uint64_t grain = 1);

    /// Appends `count` messages of `size` bytes.
    void append(std::uint64_t size, std::uint64_t count = 1);
    /// Makes the last message `bytes` longer; appends one where there is none.
    void extend_last(std::uint64_t bytes);
    /// The same messages, last first. What no grain divides stays with the last one.
    [[nodiscard]] Messages reversed() const;

    [[nodiscard]] std::uint64_t volume() const { return volume_; }  ///< bytes in all
    [[nodiscard]] std::uint64_t grain() const { return grain_; }    ///< bytes
    [[nodiscard]] std::uint64_t count() const { return count_; }    ///< messages in all
    [[nodiscard]] const std::vector<MessageRun>& runs() const { return runs_; }

    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] static End end() { return {}; }
    /// All sizes, bytes.
    [[nodiscard]] std::vector<std::uint64_t> list() const;

    /// A hash of the sizes: the same for the same messages on every machine.
    [[nodiscard]] std::uint64_t fingerprint() const;

    friend bool operator==(const Messages&, const Messages&) = default;

  private:
    std::uint64_t volume_ = 0;
    std::uint64_t grain_ = 1;
    std::uint64_t count_ = 0;
    std::vector<MessageRun> runs_;
};

/// Iterates over the sizes.
class Messages::Iterator {
  public:
    using value_type = std::uint64_t;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(const Messages& messages)
        : run_(messages.runs_.data()), end_(run_ + messages.runs_.size()) {
        if (run_ != end_) stop_ = run_->count;
    }

    /// Size of this message, bytes.
    std::uint64_t operator*() const { return run_->size; }
    Iterator& operator++() {
        offset_ += run_->size;
        if (++index_ == stop_ && ++run_ != end_) stop_ += run_->count;
        return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, End) { return at.run_ == at.end_; }

    [[nodiscard]] std::uint64_t index() const { return index_; }    ///< which message, from 0
    [[nodiscard]] std::uint64_t offset() const { return offset_; }  ///< where it starts, bytes

  private:
    const MessageRun* run_ = nullptr;
    const MessageRun* end_ = nullptr;
    std::uint64_t offset_ = 0;
    std::uint64_t stop_ = 0;  ///< index of the first message after the run
    std::uint64_t index_ = 0;
};

inline Messages::Iterator Messages::begin() const { return Iterator(*this); }

}  // namespace lapwing
