#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "lapwing/simulate/costs/loggops.hpp"
#include "replay/recorded_program.hpp"

namespace lapwing::tests {

/// A machine whose messages cost round numbers of nanoseconds.
inline constexpr simulate::LogGOPS few_costs{
    .L = 2000, .o = 500, .g = 0, .G = 2, .O = 0, .S = 10000};

/// Ranks that compute for random times, and exchange messages with random ones round by round.
/// Rounds are called at `sites` places in turn.
inline RecordedProgram random_exchanges(unsigned seed, unsigned sites = 1) {
    using record::Kind;
    std::mt19937 random(seed);
    const auto up_to = [&](unsigned most) {
        return static_cast<unsigned>(std::uniform_int_distribution<unsigned>(0, most)(random));
    };
    const unsigned ranks = 2 + up_to(6);
    RecordedProgram program(ranks);
    for (unsigned round = 0, rounds = 1 + up_to(12); round < rounds; ++round) {
        const unsigned distance = 1 + up_to(ranks - 2);
        for (unsigned rank = 0; rank < ranks; ++rank) {
            const std::uint64_t bytes = std::uint64_t{1} << up_to(15);
            const std::array<std::uint64_t, 2> requests{0, 1};
            program.add(rank, {.kind = Kind::start_receive,
                               .computed = up_to(9000),
                               .site = round % sites,
                               .received = {(rank + ranks - distance) % ranks, round, bytes},
                               .request = 0});
            program.add(rank, {.kind = Kind::start_send,
                               .site = round % sites,
                               .sent = {(rank + distance) % ranks, round, bytes},
                               .request = 1});
            program.add(rank, {.kind = Kind::wait, .computed = up_to(9000), .requests = requests});
        }
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) program.add(rank, {.kind = Kind::finish});
    return program;
}

}  // namespace lapwing::tests
