#pragma once

#include <cstdint>

namespace lapwing::simulate {

/// What an operation of a rank does.
enum class Operation : std::uint8_t { send, receive, calculation };

}  // namespace lapwing::simulate
