#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// A request that is followed.
struct Request {
    std::uint64_t handle = 0;
    Traffic traffic;
    std::uint32_t exchange = 0;  ///< slot of its exchange, while it is under way
    std::uint32_t serial = 0;    ///< of that exchange
    std::uint64_t posted = 0;    ///< in which order receives were initiated
    bool under_way = false;
    bool persistent = false;
};

/// What is known of requests, a `Followed` each, by their handles: a hash table that never
/// allocates. Requests beyond `most` are not followed.
template <class Followed>
class RequestTable {
  public:
    static constexpr std::size_t most = 4096;  // half of the slots

    /// The request with this handle; null if it is not followed.
    [[nodiscard]] Followed* find(std::uint64_t handle) {
        for (std::size_t i = home(handle); slots_[i].used; i = next(i))
            if (slots_[i].request.handle == handle) return &slots_[i].request;
        return nullptr;
    }
    /// Follows a request, in place of one with the same handle; null where there is no room.
    Followed* put(const Followed& request) {
        if (Followed* const known = find(request.handle)) {
            *known = request;
            return known;
        }
        if (used_ == most) return nullptr;
        ++used_;
        std::size_t i = home(request.handle);
        while (slots_[i].used) i = next(i);
        slots_[i] = {true, request};
        return &slots_[i].request;
    }
    /// Forgets a request that is followed.
    void erase(std::uint64_t handle) {
        std::size_t hole = home(handle);
        while (slots_[hole].request.handle != handle || !slots_[hole].used) hole = next(hole);
        --used_;
        // Later entries move up, unless that would put them before their home slot.
        for (std::size_t i = next(hole); slots_[i].used; i = next(i)) {
            const std::size_t from_home = (i - home(slots_[i].request.handle)) & (size - 1);
            if (from_home < ((i - hole) & (size - 1))) continue;
            slots_[hole] = slots_[i];
            hole = i;
        }
        slots_[hole].used = false;
    }

  private:
    struct Slot {
        bool used = false;
        Followed request;
    };
    static constexpr std::size_t size = 2 * most;

    static std::size_t home(std::uint64_t handle) {
        return static_cast<std::size_t>((handle * 0x9e3779b97f4a7c15ULL) >> 51U);
    }
    static std::size_t next(std::size_t i) { return (i + 1) & (size - 1); }

    std::array<Slot, size> slots_{};
    std::size_t used_ = 0;
};
using Requests = RequestTable<Request>;
static_assert(2 * Requests::most == std::size_t{1} << (64U - 51U));

}  // namespace lapwing::observe
