#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Memory of `bytes` bytes that `transport` can move, with `data()` and `size()`: its own where it
/// has some, as one-sided transports do, otherwise any. The transport outlives it.
template <Transport T>
[[nodiscard]] auto memory_for(T& transport, std::size_t bytes) {
    if constexpr (requires { transport.memory(bytes); }) {
        return transport.memory(bytes);
    } else {
        return std::vector<std::byte>(bytes);
    }
}

}  // namespace lapwing
