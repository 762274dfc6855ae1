#pragma once

#include <cstdint>
#include <type_traits>

namespace lapwing::observe {

/// A number that tells a handle of MPI from others of its kind. `Handle`: a pointer or a number.
template <class Handle>
std::uint64_t handle_number(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>)
        return reinterpret_cast<std::uint64_t>(handle);
    else
        return static_cast<std::uint64_t>(handle);
}

}  // namespace lapwing::observe
