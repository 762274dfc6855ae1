#include "collect_triangles.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>

#include "lapwing/io/file.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::triangulation {
namespace {

/// The triangles of all ranks at rank 0, nothing elsewhere.
std::vector<Triangle> collect(const Communicator& ranks, const std::vector<Triangle>& mine) {
    if (ranks.rank() != 0) {
        const std::uint64_t count = mine.size();
        const ByteType bytes(count * sizeof(Triangle));
        check_mpi(MPI_Send(&count, 1, MPI_UINT64_T, 0, 0, ranks.get()), "MPI_Send", 0);
        check_mpi(MPI_Send(mine.data(), bytes.count(), bytes.type(), 0, 0, ranks.get()), "MPI_Send",
                  0);
        return {};
    }
    std::vector<Triangle> all = mine;
    for (int rank = 1; rank < ranks.size(); ++rank) {
        std::uint64_t count = 0;
        check_mpi(MPI_Recv(&count, 1, MPI_UINT64_T, rank, 0, ranks.get(), MPI_STATUS_IGNORE),
                  "MPI_Recv", rank);
        const ByteType bytes(count * sizeof(Triangle));
        all.resize(all.size() + count);
        check_mpi(MPI_Recv(all.data() + (all.size() - count), bytes.count(), bytes.type(), rank, 0,
                           ranks.get(), MPI_STATUS_IGNORE),
                  "MPI_Recv", rank);
    }
    return all;
}

}  // namespace

void write_triangles(const Communicator& ranks, const std::string& path,
                     const std::vector<Triangle>& mine) {
    std::vector<Triangle> all = collect(ranks, mine);
    if (ranks.rank() != 0) return;
    std::ranges::sort(all);
    std::string text;
    for (const auto& [a, b, c] : all)
        text += std::to_string(a) + ' ' + std::to_string(b) + ' ' + std::to_string(c) + '\n';
    write_file(path, text);
}

}  // namespace lapwing::triangulation
