#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/recorded_program.hpp"

namespace lapwing::tests {

/// A program on a grid of ranks, which can be written for grids of several sizes: each step
/// exchanges messages with neighbours, computes, and does collectives.
struct GridProgram {
    using Place = std::array<int, 3>;

    Place sizes{1, 1, 1};
    std::array<bool, 3> periodic{};
    /// Distances to the neighbours. That to the opposite neighbour of the i-th is the (i ^ 1)-th.
    std::vector<Place> neighbours{};
    /// Ranks this far from an end have work of their own; the work of others repeats after
    /// `period`.
    Place border{1, 1, 1};
    Place period{1, 1, 1};
    bool collectives = true;
    std::uint64_t all_to_all = 1 << 15;  ///< bytes that a rank sends in an all-to-all, all together

    [[nodiscard]] int ranks() const { return sizes[0] * sizes[1] * sizes[2]; }
    [[nodiscard]] Place place(int rank) const {
        return {rank / sizes[2] / sizes[1], rank / sizes[2] % sizes[1], rank % sizes[2]};
    }
    /// The rank that is so far away; nobody beyond the end of the grid.
    [[nodiscard]] std::int64_t neighbour(int rank, const Place& distance) const {
        int found = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            int at = place(rank)[d] + distance[d];
            if (periodic[d]) at = (at + sizes[d]) % sizes[d];
            if (at < 0 || at >= sizes[d]) return record::nobody;
            found = found * sizes[d] + at;
        }
        return found;
    }
    /// What the position of a rank means for its work.
    [[nodiscard]] std::uint64_t work(int rank) const {
        std::uint64_t work = 1;
        for (std::size_t d = 0; d < 3; ++d) {
            const int at = place(rank)[d];
            const int edge = periodic[d] ? 0 : border[d];
            const int mark = at < edge               ? at
                             : at >= sizes[d] - edge ? 10 + sizes[d] - at
                                                     : 20 + (at - edge) % period[d];
            work = work * 31 + static_cast<std::uint64_t>(mark);
        }
        return 100 * (work % 1000);
    }
    /// The ranks beside `rank` in one dimension, and itself.
    [[nodiscard]] std::vector<record::Run> line(int rank, std::size_t dimension) const {
        std::vector<record::Run> members;
        for (int other = 0; other < ranks(); ++other) {
            Place there = place(other);
            there[dimension] = place(rank)[dimension];
            if (there == place(rank))
                members.push_back({.first = static_cast<std::uint64_t>(other), .count = 1});
        }
        return members;
    }

    [[nodiscard]] RecordedProgram recorded(int steps = 3) const {
        RecordedProgram program(static_cast<std::size_t>(ranks()));
        for (int rank = 0; rank < ranks(); ++rank) {
            add_communicators(program, rank);
            for (int step = 0; step < steps; ++step) {
                exchange(program, rank);
                if (collectives) add_collectives(program, rank);
            }
            program.add(static_cast<std::size_t>(rank), {.kind = record::Kind::finish});
        }
        return program;
    }

  private:
    void add_communicators(RecordedProgram& program, int rank) const {
        const std::vector<record::Run> all{
            {.first = 0, .count = static_cast<std::uint64_t>(ranks())}};
        add_communicator(program, rank, 1, 5, all);
        for (std::size_t d = 0; collectives && d < 3; ++d) {
            const auto members = line(rank, d);
            add_communicator(program, rank, 2 + d, 100 * (1 + d) + members[0].first, members);
        }
    }
    static void add_communicator(RecordedProgram& program, int rank, std::uint64_t number,
                                 std::uint64_t context, const std::vector<record::Run>& members) {
        program.add(static_cast<std::size_t>(rank), {.kind = record::Kind::communicator,
                                                     .communicator = number,
                                                     .context = context,
                                                     .members = members});
    }
    void exchange(RecordedProgram& program, int rank) const {
        std::vector<std::uint64_t> requests;
        const auto start = [&](std::size_t i, bool sends) {
            record::Record made{
                .kind = sends ? record::Kind::start_send : record::Kind::start_receive,
                .computed = sends ? 10U : 0U,
                .communicator = 1,
                .request = requests.size()};
            (sends ? made.sent : made.received) = {
                .peer = neighbour(rank, neighbours[i]),
                .tag = static_cast<std::int64_t>(sends ? i : i ^ 1U),
                .bytes = 500 * (i + 1)};
            program.add(static_cast<std::size_t>(rank), made);
            requests.push_back(requests.size());
        };
        for (std::size_t i = 0; i < neighbours.size(); ++i) start(i, false);
        for (std::size_t i = 0; i < neighbours.size(); ++i) start(i, true);
        program.add(static_cast<std::size_t>(rank),
                    {.kind = record::Kind::wait, .computed = work(rank), .requests = requests});
    }
    void add_collectives(RecordedProgram& program, int rank) const {
        const auto add = [&](record::Collective which, std::uint64_t communicator,
                             std::uint64_t bytes, const std::vector<std::uint64_t>& blocks) {
            program.add(static_cast<std::size_t>(rank), {.kind = record::Kind::collective,
                                                         .communicator = communicator,
                                                         .collective = which,
                                                         .bytes = bytes,
                                                         .blocks = blocks});
        };
        using enum record::Collective;
        const auto all = static_cast<std::uint64_t>(ranks());
        add(allreduce, 0, 64, {});
        add(alltoall, 1, all_to_all / all, {});
        add(alltoallv, 0, all_to_all / all, std::vector<std::uint64_t>(all, all_to_all / all));
        add(gather, 0, 100, {});
        add(scatterv, 0, 40, std::vector<std::uint64_t>(rank == 0 ? all : 0, 40));
        for (std::uint64_t d = 0; d < 3; ++d) {
            add(bcast, 2 + d, 3000, {});
            add(allgather, 2 + d, 10, {});
        }
    }
};

}  // namespace lapwing::tests
