#pragma once

#include <cstdio>

namespace lapwing::test {

/// Checks of this rank that failed.
inline int& failures() {
    static int count = 0;
    return count;
}

}  // namespace lapwing::test

/// For programs on several ranks, where an assertion that ends one rank would hang the others.
#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            ++lapwing::test::failures();                                                 \
        }                                                                                \
    } while (false)
