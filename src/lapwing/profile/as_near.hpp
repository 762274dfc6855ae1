#pragma once

namespace lapwing {

/// Two ranks' processors are as near to each other as they were where a cache line takes no more
/// than this times as long (see `Profile::core_to_core`).
inline constexpr double as_near = 1.4;

}  // namespace lapwing
