#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/record/record.hpp"

namespace lapwing::record {

/// Records that cannot be read: "rank 3, record 17: …".
class BadRecord : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads the records of one rank, one after the other, and checks each by itself: its ranks,
/// its communicator and its numbers exist. What it allocates is less than what it reads.
class Decoder {
  public:
    /// `bytes`: as `Encoder` wrote them; they outlive the decoder. `ranks`: of MPI_COMM_WORLD.
    Decoder(std::span<const std::uint8_t> bytes, std::uint64_t rank, std::uint64_t ranks)
        : at_(bytes.data()), end_(at_ + bytes.size()), rank_(rank), ranks_(ranks), sizes_{ranks} {}

    /// Reads the next record. Returns false at the end, also of records that were cut off between
    /// two. Lists are there until the next call. Throws `BadRecord`.
    bool next(Record& record);

    /// How many records have been read.
    [[nodiscard]] std::uint64_t records() const { return records_; }

  private:
    [[noreturn]] void fail(const std::string& what) const;
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
    std::uint8_t byte();
    /// Most numbers have one byte or two.
    [[gnu::always_inline]] std::uint64_t number() {
        if (left() < 2 || (at_[0] & at_[1] & 0x80U) != 0) return longer_number();
        const std::uint64_t first = *at_++;
        if (first < 0x80) return first;
        return (first & 0x7FU) | std::uint64_t{*at_++} << 7U;
    }
    std::uint64_t longer_number();
    std::int64_t signed_number();
    std::span<const std::uint64_t> list(std::vector<std::uint64_t>& items);
    std::uint64_t known_communicator();
    void check_request(std::uint64_t request) const;
    void read_communicator(Record& record);
    void read_call(Record& record);
    void read_collective(Record& record);
    [[nodiscard]] Message message(bool receives);

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    std::uint64_t rank_;
    std::uint64_t ranks_;
    std::uint64_t records_ = 0;
    /// Ranks of each communicator, by its number; 0: there is none of this number.
    std::vector<std::uint64_t> sizes_;
    std::vector<std::uint64_t> items_;
    std::vector<Run> runs_;
};

}  // namespace lapwing::record
