#pragma once

/// Before a loop whose iterations do not depend on each other, which the compiler cannot see.
#ifdef __clang__
#define LAPWING_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define LAPWING_INDEPENDENT _Pragma("GCC ivdep")
#endif
