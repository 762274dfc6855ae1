#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

/// Ends the program where `holds` does not, as a fuzzer wants to be told.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// A complaint is one line, and says something.
inline void require_one_line(std::string_view said) {
    require(!said.empty(), "the complaint is empty");
    require(said.find('\n') == said.npos, "the complaint has more than one line");
}
