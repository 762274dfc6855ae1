#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing {

/// What the owner of memory writes at its peer: where the message with this tag, or a stream, lies,
/// or is to go. The offers of one owner are numbered from 1, and each names the slot of the next.
struct UcxOffer {
    static constexpr std::int64_t stream = -1;  ///< the tag of streams
    static constexpr std::uint64_t everything = ~std::uint64_t{0};

    std::uint64_t place = 0;  ///< bytes from the start of the owner's region
    std::uint64_t bytes = 0;
    std::int64_t tag = 0;
    std::uint64_t next_slot = 0;
    std::uint64_t readable = everything;  ///< bytes that are there to be read; written again later
    std::uint64_t number = 0;             ///< written last: once it is there, all of it is
};

/// The part of a region in which ranks tell each other of messages, by puts alone. Each rank has a
/// row of slots for each other rank. They hold the other's offers, flags that the other raises when
/// it has moved the data of an offer, and how many bytes of a stream it has put.
class UcxOfferBoard {
  public:
    /// `slots`: the most offers to a rank, and from it, at a time.
    UcxOfferBoard(int ranks, std::size_t slots)
        : ranks_(static_cast<std::size_t>(ranks)), slots_(slots) {}

    /// Of the region, from its start.
    [[nodiscard]] std::size_t bytes() const { return number_at(2 * ranks_, 0); }
    /// Offset of the offer of rank `owner` in the region of the rank that it is made to.
    [[nodiscard]] std::size_t offer_at(int owner, std::uint64_t slot) const {
        return (static_cast<std::size_t>(owner) * slots_ + slot) * sizeof(UcxOffer);
    }
    /// Offset of the flag that rank `mover` raises in the region of the owner.
    [[nodiscard]] std::size_t flag_at(int mover, std::uint64_t slot) const {
        return number_at(static_cast<std::size_t>(mover), slot);
    }
    /// Offset of the bytes of a stream that rank `mover` has put, in the region of the owner.
    [[nodiscard]] std::size_t count_at(int mover, std::uint64_t slot) const {
        return number_at(ranks_ + static_cast<std::size_t>(mover), slot);
    }
    /// A number of this rank's region, which others write.
    [[nodiscard]] static std::uint64_t read(const Ucx& ucx, std::size_t offset) {
        return number(ucx, offset).load(std::memory_order_acquire);
    }
    static void reset(const Ucx& ucx, std::size_t offset) {
        number(ucx, offset).store(0, std::memory_order_release);
    }

  private:
    [[nodiscard]] static std::atomic_ref<std::uint64_t> number(const Ucx& ucx, std::size_t offset) {
        return std::atomic_ref<std::uint64_t>(
            *reinterpret_cast<std::uint64_t*>(ucx.region().data() + offset));
    }
    /// The rows of numbers lie behind those of offers.
    [[nodiscard]] std::size_t number_at(std::size_t row, std::uint64_t slot) const {
        const std::size_t offers = ranks_ * slots_ * sizeof(UcxOffer);
        return offers + (row * slots_ + slot) * sizeof(std::uint64_t);
    }

    std::size_t ranks_;
    std::size_t slots_;
};

}  // namespace lapwing
