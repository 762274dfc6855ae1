#pragma once

#include <cstdint>

#include "lapwing/plan/plan.hpp"

namespace lapwing::test {

/// Of these messages, `window` at once.
inline Plan plan_for(const Messages& messages, int window) {
    Plan plan;
    plan.messages = messages;
    plan.window = window;
    return plan;
}

/// Of `count` elements of eight bytes, `tile` of them in a message.
inline Plan plan_for(std::uint64_t count, std::uint64_t tile, int window) {
    return plan_for(Messages::uniform(count * 8, tile * 8, 8), window);
}

}  // namespace lapwing::test
