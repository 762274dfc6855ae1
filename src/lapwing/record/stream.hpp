#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/record/encoder.hpp"
#include "lapwing/record/record.hpp"

namespace lapwing::record {

/// Appends records to a file through a mapped part of it, so that they outlive a program that is
/// killed. Behind the last record are zeros. The first byte of a record is written last: what is in
/// the file are whole records at any moment.
///
/// Allocates only in the constructor.
class Stream {
  public:
    /// `file`: empty, open for reading and writing; the stream closes it. `items`: how many the
    /// lists of a record have together, at most.
    Stream(int file, std::size_t items);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    /// Writes a record. Returns false where there is no room for it, and for all that follow.
    bool write(const Record& record);
    /// Cuts off the zeros behind the last record; nothing can be written any more.
    void finish();

    [[nodiscard]] int file() const { return file_; }
    /// Bytes of all records.
    [[nodiscard]] std::uint64_t size() const { return start_ + used_; }

  private:
    // Bytes that are mapped at once: many ranks may record little.
    static constexpr std::size_t first_step = 1U << 16U;
    static constexpr std::size_t later_step = 1U << 20U;

    bool move(std::size_t needed);
    void unmap();

    int file_;
    std::span<std::uint8_t> room_;
    Encoder encoder_;
    std::uint8_t* mapped_ = nullptr;
    std::size_t length_ = 0;   // of what is mapped
    std::uint64_t start_ = 0;  // where in the file it begins
    std::size_t used_ = 0;
    bool full_ = false;
};

}  // namespace lapwing::record
