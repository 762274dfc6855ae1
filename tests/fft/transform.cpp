// Compares distributed transforms with sums by the definition: any sizes, odd and prime ones too,
// complex and real, in planes and in grids, every schedule over every transport, in place and out
// of place, forward and inverse.
#include <malloc.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <numbers>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/fft/fft.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/failure/on_failure.hpp"

using namespace lapwing::fft;
using lapwing::test::Random;

namespace {

/// Bytes that C++ has allocated now, and the most at any time.
std::atomic<std::size_t> taken = 0;
std::atomic<std::size_t> most_taken = 0;

}  // namespace

// Ranks of one simulation share these counters.
#ifndef LAPWING_SMPI
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) return nullptr;
    taken += malloc_usable_size(memory);
    most_taken = std::max(most_taken.load(), taken.load());
    return memory;
}
void* operator new(std::size_t bytes) {
    void* const memory = operator new(bytes, std::nothrow);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    taken -= malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif

namespace {

template <class Real>
using Array = std::vector<std::complex<Real>>;

/// The element at (i, j, k) of the array to be transformed: like noise, and computed without any
/// other.
std::complex<double> element(std::uint64_t seed, std::size_t i, std::size_t j, std::size_t k) {
    Random random(seed + 1'000'003 * i + 1'009 * j + k);
    random.uniform(0, 1);
    const double real = random.uniform(-1, 1);
    return {real, random.uniform(-1, 1)};
}

/// The transform of the whole array, or of its real parts, [n0][n1][n2], by the definition along
/// one axis after another.
Array<double> defined(const Size& n, std::uint64_t seed, int sign, bool real) {
    Array<double> all;
    for (std::size_t i = 0; i < n[0]; ++i)
        for (std::size_t j = 0; j < n[1]; ++j)
            for (std::size_t k = 0; k < n[2]; ++k) {
                const auto number = element(seed, i, j, k);
                all.push_back(real ? number.real() : number);
            }
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

/// Visits the elements of a rank's box, whose rows are `row` elements apart.
template <class Visit>
void for_each(const Box& box, std::size_t row, Visit&& visit) {
    const auto [slow, middle, fast] = box.order;
    Size at{};
    for (std::size_t i = 0; i < box.count[slow]; ++i)
        for (std::size_t j = 0; j < box.count[middle]; ++j)
            for (std::size_t k = 0; k < box.count[fast]; ++k) {
                at[slow] = box.first[slow] + i;
                at[middle] = box.first[middle] + j;
                at[fast] = box.first[fast] + k;
                visit((i * box.count[middle] + j) * row + k, at[0], at[1], at[2]);
            }
}
template <class Visit>
void for_each(const Box& box, Visit&& visit) {
    for_each(box, box.count[box.order[2]], visit);
}

struct Way {
    Schedule schedule;
    Transport transport;
};

/// Those that this program is built with.
constexpr Transport transports[] = {
    Transport::collective, Transport::two_sided, Transport::rma,
#ifdef LAPWING_UCX
    Transport::ucx,
#endif
#ifdef LAPWING_OSHMEM
    Transport::shmem,
#endif
};

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::pencils,
                                Schedule::tiled, Schedule::strips, Schedule::tails})
        for (const auto transport : transports)
            if (fits(schedule, transport)) all.push_back({schedule, transport});
    return all;
}

/// The largest difference between the elements of a rank, visited by `each`, and the expected ones,
/// relative to the largest expected one.
template <class Each, class Found, class Expected>
double difference(Each&& each, Found&& found, Expected&& expected) {
    double worst = 0;
    double largest = 0;
    each([&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
        const std::complex<double> right = expected(i, j, k);
        worst = std::max(worst, std::abs(std::complex<double>(found[at]) - right));
        largest = std::max(largest, std::abs(right));
    });
    return largest == 0 ? worst : worst / largest;
}

/// One array, how it is transformed, and the largest error that is allowed.
struct Trial {
    Size n;
    Options options;
    std::uint64_t seed;
    bool in_place;

    template <class Real>
    void check(const char* what, double difference) const {
        const double exact = sizeof(Real) == sizeof(double) ? 1e-13 : 1e-6;
        if (!(difference < exact))
            std::fprintf(
                stderr,
                "%zux%zux%zu %s %s %s %s %dx%d tile %zu window %d batch %zu %s%s, %s: off by %g\n",
                n[0], n[1], n[2], name(options.schedule), name(options.transport),
                name(options.order), name(options.decomposition), options.grid[0], options.grid[1],
                options.tile, options.window, options.batch, name(options.packing),
                in_place ? " in place" : "", what, difference);
        CHECK(difference < exact);
    }
};

/// Transforms forward and back, and compares both results. `Number`: what `Transform` takes, in
/// rows that are `row` numbers apart.
template <class Real, class Number, class Transform, class Original>
void round_trip(const Trial& trial, Transform& transform, const Box& space, const Box& spectrum,
                std::size_t row, Original&& original) {
    const Size& n = trial.n;
    const std::size_t batch = trial.options.batch;
    constexpr bool real = std::is_same_v<Number, Real>;
    constexpr std::size_t numbers = sizeof(std::complex<Real>) / sizeof(Number);
    Array<Real> data(transform.capacity() * batch);
    Array<Real> other(trial.in_place ? 0 : transform.capacity() * batch);
    Array<Real>& out = trial.in_place ? data : other;
    auto* const in = reinterpret_cast<Number*>(data.data());
    const auto input = [&](auto&& visit) { for_each(space, row, visit); };
    const auto output = [&](auto&& visit) { for_each(spectrum, visit); };
    const auto elements = static_cast<double>(n[0] * n[1] * n[2]);
    const auto seed = [&](std::size_t array) { return trial.seed + 1'000 * array; };
    const auto place = [&](std::size_t array) {
        return in + array * transform.capacity() * numbers;
    };
    std::vector<Array<double>> expected;
    for (std::size_t array = 0; array < batch; ++array)
        expected.push_back(defined(n, seed(array), -1, real));
    const std::size_t planes = space.count[space.order[0]];
    const std::size_t plane_length = space.count[space.order[1]] * row;
    const auto fill = [&](std::size_t array, std::size_t plane) {
        input([&](std::size_t at, auto i, auto j, auto k) {
            if (at / plane_length == plane) place(array)[at] = original(seed(array), i, j, k);
        });
    };
    // Twice: buffers are used again. The second time, planes are filled when they are about to be
    // read.
    for (int repetition = 0; repetition < 2; ++repetition) {
        std::fill(data.begin(), data.end(), std::complex<Real>(-3, 5));
        if (repetition == 0) {
            for (std::size_t array = 0; array < batch; ++array)
                for (std::size_t plane = 0; plane < planes; ++plane) fill(array, plane);
            transform.forward(in, out.data());
        } else {
            std::vector<std::size_t> filled(batch);
            transform.forward(in, out.data(), no_phases, [&](std::size_t array, std::size_t plane) {
                fill(array, plane);
                ++filled[array];
            });
            CHECK(filled == std::vector<std::size_t>(batch, planes));
        }
        for (std::size_t array = 0; array < batch; ++array) {
            const auto* const found = out.data() + array * transform.capacity();
            trial.check<Real>("forward", difference(output, found, [&](auto i, auto j, auto k) {
                                  return expected[array][(i * n[1] + j) * n[2] + k];
                              }));
            if (trial.in_place) continue;
            trial.check<Real>("input", difference(input, place(array), [&](auto... at) {
                                  return std::complex<double>(original(seed(array), at...));
                              }));
        }
    }
    if (!trial.in_place) std::fill(data.begin(), data.end(), std::complex<Real>(0));
    transform.inverse(out.data(), in);
    for (std::size_t array = 0; array < batch; ++array)
        trial.check<Real>("inverse", difference(input, place(array), [&](auto... at) {
                              return elements * std::complex<double>(original(seed(array), at...));
                          }));
}
template <class Real>
void complex_round_trip(const Trial& trial) {
    Transform<Real> transform(MPI_COMM_WORLD, trial.n, trial.options);
    round_trip<Real, std::complex<Real>>(
        trial, transform, transform.input_box(), transform.output_box(), trial.n[2],
        [](auto... at) { return std::complex<Real>(element(at...)); });
}
template <class Real>
void real_round_trip(const Trial& trial) {
    RealTransform<Real> transform(MPI_COMM_WORLD, trial.n, trial.options);
    const std::size_t row = trial.in_place ? transform.padded_row() : trial.n[2];
    round_trip<Real, Real>(trial, transform, transform.space(), transform.spectrum(), row,
                           [](auto... at) { return static_cast<Real>(element(at...).real()); });
}

/// Checks one schedule over one transport, with all other options at random.
template <class Real>
void check(const Size& n, const Way& way, Random& random, int ranks, std::uint64_t seed) {
    Trial trial{n, {}, seed, random.chance(0.5)};
    trial.options.schedule = way.schedule;
    trial.options.transport = way.transport;
    trial.options.order = random.chance(0.6) ? Order::transposed : Order::natural;
    trial.options.tile = random.integer(1, 4);
    trial.options.strips = random.integer(1, 5);
    trial.options.window = static_cast<int>(random.integer(0, 5));
    trial.options.effort = Effort::estimate;
    if (way.schedule == Schedule::exchange) {
        const bool collective = way.transport == Transport::collective;
        trial.options.packing = static_cast<Packing>(
            random.pick<int>({static_cast<int>(Packing::copy), static_cast<int>(Packing::blocked),
                              static_cast<int>(collective ? Packing::derived : Packing::copy)}));
        trial.options.block = random.integer(1, 3);
        trial.options.padding = random.integer(0, 9);
    }
    trial.options.batch = random.chance(0.3) ? 2 : 1;
    const std::uint64_t distribution = random.integer(0, 3);
    if (distribution == 1) trial.options.decomposition = Decomposition::automatic;
    if (distribution >= 2) trial.options.decomposition = Decomposition::grid;
    if (distribution == 3) {
        int columns = static_cast<int>(random.integer(1, static_cast<std::uint64_t>(ranks)));
        while (ranks % columns != 0) ++columns;
        trial.options.grid = {ranks / columns, columns};
    }
    if (random.chance(0.5)) {
        complex_round_trip<Real>(trial);
    } else {
        real_round_trip<Real>(trial);
    }
}

/// Besides lines, a transform allocates what its documentation says: a buffer as large as the
/// array, and the tiles in flight. MPI allocates windows itself.
void check_memory(int ranks) {
    const Size n = {32, 32, 32};
    constexpr std::size_t bytes = sizeof(std::complex<double>);
    const std::size_t capacity = Grid{ranks, 1}.capacity(n);
    Array<double> data(capacity);
    for (const Way& way : ways()) {
        const Options options = {.schedule = way.schedule,
                                 .transport = way.transport,
                                 .tile = 2,
                                 .effort = Effort::estimate};
        std::size_t allowed = capacity * bytes + std::size_t{160} * 1024;
        if (way.schedule == Schedule::tiled)
            allowed += window_of(options, ranks) * options.tile * n[1] * n[2] * bytes;
        const std::size_t before = taken;
        most_taken = before;
        Transform<double> transform(MPI_COMM_WORLD, n, options);
        transform.forward(data.data(), data.data());
        CHECK(most_taken - before <= allowed);
    }
}

/// Checks that every rank is refused, with a message that contains `part`.
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
    refused("a grid of 7x2 has not one place for each of", [&] {
        ask({4, 4, 4}, {.decomposition = Decomposition::grid, .grid = {7, 2}});
    });
    if (!lapwing::simulated_time)
        refused("of memory left, and buffers take", [&] {
            ask({1 << 14, 1 << 14, 1 << 14}, {.effort = Effort::estimate});
        });
    if (ranks > 1)
        refused("but 4x5x4 on rank 1", [&] { ask({4, rank == 1 ? std::size_t{5} : 4, 4}, {}); });
    refused("packing by a derived type is for the schedule exchange", [&] {
        ask({4, 4, 4}, {.packing = Packing::derived});
    });
    refused("a batch has at least one array", [&] { ask({4, 4, 4}, {.batch = 0}); });
    Transform<double> transform(MPI_COMM_WORLD, {4, 4, 4});
    Array<double> data(transform.capacity() + 1);
    lapwing::on_failure(lapwing::OnFailure::rethrow);
    refused("multiple of 16 bytes", [&] {
        auto* const shifted = reinterpret_cast<double*>(data.data()) + 1;
        auto* const place = reinterpret_cast<std::complex<double>*>(shifted);
        transform.forward(place, place);
    });
}

/// Checks that wisdom is saved and loaded, and that a damaged file is refused with its name.
void check_wisdom() {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("lapwing-wisdom-" + std::to_string(getpid())))
            .string();
    const Lines<double> lines(
        {{12, 1, 1, 12}, {12, 1, 1, 12}, Array<double>(12).data(), Array<double>(12).data(), false},
        Sign::forward, Effort::measure);
    save_wisdom(path);
    load_wisdom(path);
    std::string content = lapwing::read_file(path);
    content.pop_back();
    lapwing::write_file(path, content);
    std::string said;
    try {
        load_wisdom(path);
    } catch (const std::runtime_error& error) {
        said = error.what();
    }
    CHECK(said == path + ": no wisdom, or a broken file: save it again");
    std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto planes = static_cast<std::size_t>(ranks);
    // More ranks than processors take long for few trials.
    const int trials = ranks > 2 ? 0 : 4;
    Random random(7 + planes);
    std::uint64_t seed = 0;
    for (const Way& way : ways()) {
        // As many planes as ranks, and fewer.
        check<double>({planes, planes / 2 + 1, 4}, way, random, ranks, ++seed);
        for (int trial = 0; trial < trials; ++trial) {
            const Size n = {random.integer(1, 17), random.integer(1, 19), random.integer(1, 23)};
            check<double>(n, way, random, ranks, ++seed);
        }
        check<float>({random.integer(1, 13), random.integer(1, 11), random.integer(5, 8)}, way,
                     random, ranks, ++seed);
    }
    check_refusals(rank, ranks);
    if (!lapwing::simulated_time && ranks <= 2) check_memory(ranks);
    if (rank == 0) check_wisdom();
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
