#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// `bytes` of memory that `transport` can move, with `data()` and `size()`: its own `memory` where
/// it has one, as one-sided transports do, and otherwise any. It ends before the transport does.
template <Transport T>
[[nodiscard]] auto memory_for(T& transport, std::size_t bytes) {
    if constexpr (requires { transport.memory(bytes); }) {
        return transport.memory(bytes);
    } else {
        return std::vector<std::byte>(bytes);
    }
}

}  // namespace lapwing
