#pragma once

namespace lapwing::test {

/// Whether the sanitizers look: each case takes ten times as long then, and of those that run the
/// same code a part will do.
#ifdef LAPWING_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace lapwing::test
