#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing {

/// What the owner of memory writes at its peer: where the message with this tag lies, or is to go.
/// The offers of one owner are numbered from 1, and each names the slot of the next.
struct UcxOffer {
    std::uint64_t place = 0;  ///< bytes from the start of the owner's region
    std::uint64_t bytes = 0;
    std::int64_t tag = 0;
    std::uint64_t next_slot = 0;
    std::uint64_t number = 0;  ///< written last: once it is there, all of it is
};

/// The part of a region in which ranks tell each other of messages, by puts alone. Each rank has a
/// row of slots for each other: offers that the other has made, and flags that the other raises
/// when the data of an offer has been moved.
class UcxOfferBoard {
  public:
    /// `slots`: the most offers to a rank, and from it, at a time.
    UcxOfferBoard(int ranks, std::size_t slots)
        : ranks_(static_cast<std::size_t>(ranks)), slots_(slots) {}

    [[nodiscard]] std::size_t slots() const { return slots_; }
    /// Of the region, from its start.
    [[nodiscard]] std::size_t bytes() const { return flag_at(ranks_, 0); }
    /// Offset of the offer of rank `owner` in the region of the rank that it is made to.
    [[nodiscard]] std::size_t offer_at(int owner, std::uint64_t slot) const {
        return (static_cast<std::size_t>(owner) * slots_ + slot) * sizeof(UcxOffer);
    }
    /// Offset of the flag that rank `mover` raises in the region of the owner.
    [[nodiscard]] std::size_t flag_at(int mover, std::uint64_t slot) const {
        return flag_at(static_cast<std::size_t>(mover), slot);
    }
    /// A number of this rank's region, which others write.
    [[nodiscard]] static std::uint64_t read(const Ucx& ucx, std::size_t offset) {
        auto& number = *reinterpret_cast<std::uint64_t*>(ucx.region().data() + offset);
        return std::atomic_ref<std::uint64_t>(number).load(std::memory_order_acquire);
    }

  private:
    [[nodiscard]] std::size_t flag_at(std::size_t mover, std::uint64_t slot) const {
        const std::size_t offers = ranks_ * slots_ * sizeof(UcxOffer);
        return offers + (mover * slots_ + slot) * sizeof(std::uint64_t);
    }

    std::size_t ranks_;
    std::size_t slots_;
};

}  // namespace lapwing
