// Distributed transforms against sums that are written down as they are defined: any sizes, odd and
// prime ones among them, every schedule over every transport, in place and not, there and back.
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/fft/fft.hpp"
#include "lapwing/pipeline/failure.hpp"

using namespace lapwing::fft;
using lapwing::test::Random;

namespace {

template <class Real>
using Array = std::vector<std::complex<Real>>;

/// The element at (i, j, k) of the array to be transformed: like noise, and no rank needs another.
std::complex<double> element(std::uint64_t seed, std::size_t i, std::size_t j, std::size_t k) {
    Random random(seed + 1'000'003 * i + 1'009 * j + k);
    random.uniform(0, 1);
    const double real = random.uniform(-1, 1);
    return {real, random.uniform(-1, 1)};
}

/// The transform of all of it, [n0][n1][n2], by its definition along one axis after the other.
Array<double> defined(const Size& n, std::uint64_t seed, int sign) {
    Array<double> all;
    for (std::size_t i = 0; i < n[0]; ++i)
        for (std::size_t j = 0; j < n[1]; ++j)
            for (std::size_t k = 0; k < n[2]; ++k) all.push_back(element(seed, i, j, k));
    std::size_t stride = all.size();
    for (const std::size_t length : n) {
        stride /= length;
        Array<double> roots;
        for (std::size_t k = 0; k < length; ++k)
            roots.push_back(std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) /
                                                static_cast<double>(length)));
        Array<double> line(length);
        for (std::size_t first = 0; first < all.size(); ++first) {
            if (first / stride % length != 0) continue;
            for (std::size_t out = 0; out < length; ++out) {
                line[out] = 0;
                for (std::size_t in = 0; in < length; ++in)
                    line[out] += all[first + in * stride] * roots[in * out % length];
            }
            for (std::size_t i = 0; i < length; ++i) all[first + i * stride] = line[i];
        }
    }
    return all;
}

/// Where elements of an array of that size lie in one rank's planes of it.
template <class Visit>
void for_each(const Size& n, const Planes& planes, Visit&& visit) {
    std::size_t at = 0;
    const std::size_t rows = n[1 - planes.axis];
    for (std::size_t plane = planes.first; plane < planes.first + planes.count; ++plane)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t k = 0; k < n[2]; ++k)
                visit(at++, planes.axis == 0 ? plane : row, planes.axis == 0 ? row : plane, k);
}

struct Way {
    Schedule schedule;
    Transport transport;
};

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const auto schedule :
         {Schedule::exchange, Schedule::slabs, Schedule::pencils, Schedule::tiled})
        for (const auto transport : {Transport::collective, Transport::two_sided, Transport::rma})
            if (fits(schedule, transport)) all.push_back({schedule, transport});
    return all;
}

/// The largest difference between what a rank has and what is expected of it, both complete, in
/// units of the largest expected.
template <class Real, class Expected>
double difference(const Size& n, const Planes& planes, const Array<Real>& found,
                  Expected&& expected) {
    double worst = 0;
    double largest = 0;
    for_each(n, planes, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
        const std::complex<double> right = expected(i, j, k);
        const std::complex<double> here(found[at]);
        worst = std::max(worst, std::abs(here - right));
        largest = std::max(largest, std::abs(right));
    });
    return largest == 0 ? worst : worst / largest;
}

/// There and back, each compared with what it should be.
template <class Real>
void round_trip(const Size& n, const Options& options, std::uint64_t seed, bool in_place,
                const Array<double>& expected) {
    Transform<Real> transform(MPI_COMM_WORLD, n, options);
    const double exact = sizeof(Real) == sizeof(double) ? 1e-13 : 1e-6;
    Array<Real> data(transform.capacity());
    Array<Real> other(in_place ? 0 : transform.capacity());
    Array<Real>& out = in_place ? data : other;
    const auto original = [&](std::size_t i, std::size_t j, std::size_t k) {
        return std::complex<double>(std::complex<Real>(element(seed, i, j, k)));
    };
    const auto fill = [&] {
        for_each(n, transform.input(), [&](std::size_t at, auto i, auto j, auto k) {
            data[at] = std::complex<Real>(element(seed, i, j, k));
        });
    };
    const auto right = [&](std::size_t i, std::size_t j, std::size_t k) {
        return expected[(i * n[1] + j) * n[2] + k];
    };
    const auto check = [&](const char* what, double difference) {
        if (!(difference < exact))
            std::fprintf(stderr, "%zux%zux%zu %s %s %s tile %zu window %d%s, %s: off by %g\n", n[0],
                         n[1], n[2], name(options.schedule), name(options.transport),
                         name(options.order), options.tile, options.window,
                         in_place ? " in place" : "", what, difference);
        CHECK(difference < exact);
    };
    // More than once: buffers are used again.
    for (int repetition = 0; repetition < 2; ++repetition) {
        fill();
        transform.forward(data.data(), out.data());
        check("forward", difference(n, transform.output(), out, right));
        if (!in_place) check("input", difference(n, transform.input(), data, original));
    }
    if (!in_place) std::fill(data.begin(), data.end(), std::complex<Real>(0));
    transform.inverse(out.data(), data.data());
    const auto elements = static_cast<double>(n[0] * n[1] * n[2]);
    check("inverse", difference(n, transform.input(), data, [&](auto i, auto j, auto k) {
              return elements * original(i, j, k);
          }));
}

/// One schedule over one transport, the rest by chance.
template <class Real>
void check(const Size& n, const Way& way, Random& random, std::uint64_t seed) {
    Options options;
    options.schedule = way.schedule;
    options.transport = way.transport;
    options.order = random.chance(0.6) ? Order::transposed : Order::natural;
    options.tile = random.integer(1, 4);
    options.window = static_cast<int>(random.integer(0, 5));
    options.effort = Effort::estimate;
    round_trip<Real>(n, options, seed, random.chance(0.5), defined(n, seed, -1));
}

/// That every rank is refused, with words that contain `part`.
template <class Ask>
void refused(const std::string& part, Ask&& ask) {
    std::string said;
    try {
        ask();
    } catch (const std::invalid_argument& error) {
        said = error.what();
    }
    if (said.find(part) == std::string::npos)
        std::fprintf(stderr, "expected \"%s\", was told \"%s\"\n", part.c_str(), said.c_str());
    CHECK(said.find(part) != std::string::npos);
}

void check_refusals(int rank, int ranks) {
    const auto ask = [](const Size& n, const Options& options) {
        const Transform<double> transform(MPI_COMM_WORLD, n, options);
    };
    refused("an array of 4x0x4 has no elements", [&] { ask({4, 0, 4}, {}); });
    refused("is larger than memory can be", [&] { ask({1 << 30, 1 << 30, 1 << 30}, {}); });
    refused("the schedule pencils has no use for the transport collective", [&] {
        ask({4, 4, 4}, {.schedule = Schedule::pencils, .transport = Transport::collective});
    });
    refused("a tile has at least one plane", [&] {
        ask({4, 4, 4},
            {.schedule = Schedule::tiled, .transport = Transport::collective, .tile = 0});
    });
    if (ranks > 1)
        refused("but 4x5x4 on rank 1", [&] { ask({4, rank == 1 ? std::size_t{5} : 4, 4}, {}); });
    Transform<double> transform(MPI_COMM_WORLD, {4, 4, 4});
    Array<double> data(transform.capacity() + 1);
    lapwing::on_failure(lapwing::OnFailure::rethrow);
    refused("multiple of 16 bytes", [&] {
        auto* const shifted = reinterpret_cast<double*>(data.data()) + 1;
        auto* const place = reinterpret_cast<std::complex<double>*>(shifted);
        transform.forward(place, place);
    });
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto planes = static_cast<std::size_t>(ranks);
    // Ranks that wait in turn for the same processors need long for little.
    const int trials = ranks > 2 ? 1 : 5;
    Random random(7 + planes);
    std::uint64_t seed = 0;
    for (const Way& way : ways()) {
        // As many planes as ranks, and fewer.
        check<double>({planes, planes / 2 + 1, 4}, way, random, ++seed);
        for (int trial = 0; trial < trials; ++trial) {
            const Size n = {random.integer(1, 17), random.integer(1, 19), random.integer(1, 23)};
            check<double>(n, way, random, ++seed);
        }
        check<float>({13, 11, random.integer(5, 8)}, way, random, ++seed);
    }
    check_refusals(rank, ranks);
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
