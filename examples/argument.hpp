#pragma once

#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

/// Ends a program in `lapwing::program` with one line: rank 0 throws `why`, and the other ranks
/// wait until that ends the job.
[[noreturn]] inline void refuse(const std::string& why) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
    throw std::invalid_argument(why);
}

/// Refuses another number of ranks than `needed`.
inline void need_ranks(int needed) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != needed)
        refuse(std::to_string(needed) + " ranks are needed, and there are " +
               std::to_string(ranks));
}

/// The whole number in `text`. Refuses text that is none, and a number below `least`. `name`: what
/// the message calls it.
inline int whole_number(std::string_view text, const std::string& name, int least) {
    int number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || end != last || number < least)
        refuse(name + " is a whole number, " + std::to_string(least) + " or more, and not '" +
               std::string(text) + "'");
    return number;
}

/// Argument `place` of a program, a whole number; `usual`, but not less than `least`, where there
/// are fewer arguments.
inline int argument(int argc, char** argv, int place, const std::string& name, int usual,
                    int least = 1) {
    if (argc <= place) return std::max(usual, least);
    return whole_number(argv[place], name, least);
}
