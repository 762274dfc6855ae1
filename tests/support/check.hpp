#pragma once

#include <cstdio>
#include <string>

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

namespace lapwing::test {

/// Checks that `action` throws an `Error` whose text has `says` in it.
template <class Error, class Action>
void check_throws(Action&& action, const std::string& says) {
    try {
        action();
        CHECK(false);
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find(says) != std::string::npos);
    }
}

}  // namespace lapwing::test
