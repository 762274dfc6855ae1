#include "distribute.hpp"

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <stdexcept>

#include "lapwing/transport/mpi/mpi_error.hpp"
#include "point_type.hpp"
#include "points.hpp"
#include "strips.hpp"

namespace lapwing::triangulation {
namespace {

int as_count(std::size_t count) {
    if (count > INT_MAX)
        throw std::length_error("triangulation: more points for a rank than MPI can count");
    return static_cast<int>(count);
}

/// Counts for MPI, and where each part begins behind the others.
struct Parts {
    std::vector<int> counts;
    std::vector<int> begins;

    explicit Parts(std::vector<int> all) : counts(std::move(all)), begins(counts.size()) {
        std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    }
    [[nodiscard]] std::size_t total() const {
        return static_cast<std::size_t>(begins.back()) + static_cast<std::size_t>(counts.back());
    }
};

/// Part `part` of `parts` of the numbers from 0 to `all`.
std::uint64_t part_begin(std::uint64_t all, std::uint64_t part, std::uint64_t parts) {
    return all / parts * part + std::min(part, all % parts);
}

/// As many points for each rank, whichever.
std::vector<Point> equal_part(const Communicator& ranks, const Job& job, std::uint64_t& all) {
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto size = static_cast<std::uint64_t>(ranks.size());
    std::vector<Point> read;
    all = job.points;
    if (!job.input.empty()) {
        if (rank == 0) read = read_points(job.input);
        all = read.size();
        check_mpi(MPI_Bcast(&all, 1, MPI_UINT64_T, 0, ranks.get()), "MPI_Bcast", 0);
    }
    const std::uint64_t first = part_begin(all, rank, size);
    std::vector<Point> mine(part_begin(all, rank + 1, size) - first);
    if (job.input.empty()) {
        for (Point& point : mine)
            point =
                random_point(job.seed, first + static_cast<std::uint64_t>(&point - mine.data()));
        return mine;
    }
    std::vector<int> counts;
    for (std::uint64_t part = 0; part < size; ++part)
        counts.push_back(as_count(part_begin(all, part + 1, size) - part_begin(all, part, size)));
    const Parts parts(counts);
    const PointType type;
    check_mpi(MPI_Scatterv(read.data(), parts.counts.data(), parts.begins.data(), type.get(),
                           mine.data(), as_count(mine.size()), type.get(), 0, ranks.get()),
              "MPI_Scatterv", 0);
    return mine;
}

/// Where the strips begin, from a regular sample of each rank's points.
std::vector<Point> agree_on_starts(const Communicator& ranks, std::span<const Point> sorted) {
    constexpr std::size_t each = 512;
    const auto size = static_cast<std::size_t>(ranks.size());
    const std::vector<Point> sample = regular_sample(sorted, each);
    std::vector<Point> samples(each * size);
    const PointType type;
    check_mpi(MPI_Allgather(sample.data(), each, type.get(), samples.data(), each, type.get(),
                            ranks.get()),
              "MPI_Allgather");
    return strip_starts(std::move(samples), size);
}

}  // namespace

std::vector<Point> all_points(const Communicator& ranks, const Job& job) {
    if (ranks.rank() != 0) return {};
    if (!job.input.empty()) return read_points(job.input);
    std::vector<Point> points;
    points.reserve(job.points);
    for (std::uint64_t number = 0; number < job.points; ++number)
        points.push_back(random_point(job.seed, number));
    return points;
}

Distributed distribute(const Communicator& ranks, const Job& job) {
    Distributed result;
    std::vector<Point> mine = equal_part(ranks, job, result.points);
    std::ranges::sort(mine, comes_before);
    std::vector<int> counts;
    for (const std::size_t count : points_by_strip(mine, agree_on_starts(ranks, mine)))
        counts.push_back(as_count(count));
    counts.resize(static_cast<std::size_t>(ranks.size()));
    const Parts sent(counts);
    check_mpi(MPI_Alltoall(sent.counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, ranks.get()),
              "MPI_Alltoall");
    const Parts received(counts);
    result.own.resize(received.total());
    const PointType type;
    check_mpi(MPI_Alltoallv(mine.data(), sent.counts.data(), sent.begins.data(), type.get(),
                            result.own.data(), received.counts.data(), received.begins.data(),
                            type.get(), ranks.get()),
              "MPI_Alltoallv");
    std::ranges::sort(result.own, comes_before);
    result.own.erase(std::unique(result.own.begin(), result.own.end(), same_place),
                     result.own.end());
    return result;
}

}  // namespace lapwing::triangulation
