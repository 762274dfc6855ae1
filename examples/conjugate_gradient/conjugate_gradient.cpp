// Conjugate gradients for Poisson's equation on a square, in slabs of rows. The textbook's method
// waits for two sums over all ranks in each step. The pipelined one (Ghysels and Vanroose 2014)
// needs one sum, which is under way while the matrix is applied; and the matrix is applied to the
// interior while the edges travel.
//
//   example-conjugate_gradient [CELLS [STEPS [collective|doubling [GROUPS]]]]
//
// The sums are MPI's own non-blocking allreduce, or `lapwing::Allreduce`, which is made of
// messages, in groups of its own choice or in GROUPS such as "2,4,4".
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <lapwing/pipeline/collectives/allreduce.hpp>
#include <lapwing/transport/collective/collective.hpp>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../argument.hpp"
#include "../seconds.hpp"

namespace {

/// Charges the time of `passes` over `count` numbers: on a simulated cluster loops take none.
void charge(int passes, std::size_t count) {
    if constexpr (lapwing::simulated_time)
        lapwing::charge(passes * static_cast<double>(count * sizeof(double)) /
                        lapwing::simulated_rate("add"));
}

/// A rank's rows of a square of cells, and a row of either neighbour.
class Slab {
  public:
    Slab(const lapwing::TwoSided& ranks, int cells)
        : columns_(static_cast<std::size_t>(cells)),
          rows_(static_cast<std::size_t>(cells * (ranks.rank() + 1) / ranks.size() -
                                         cells * ranks.rank() / ranks.size())),
          up_(ranks.rank() - 1),
          down_(ranks.rank() + 1 < ranks.size() ? ranks.rank() + 1 : -1) {}

    [[nodiscard]] std::vector<double> vector(double value = 0) const {
        std::vector<double> made((rows_ + 2) * columns_, 0.0);
        std::fill_n(made.begin() + static_cast<std::ptrdiff_t>(columns_), size(), value);
        return made;
    }
    [[nodiscard]] std::size_t size() const { return rows_ * columns_; }
    /// The rows of `v` that neighbours need, and room for theirs. Nothing is copied.
    [[nodiscard]] std::vector<lapwing::Edge<double>> edges(std::vector<double>& v) const {
        const std::span<double> all(v);
        const auto row = [&](std::size_t i) { return all.subspan(i * columns_, columns_); };
        return {{up_, row(1), row(0), 0, 1}, {down_, row(rows_), row(rows_ + 1), 1, 0}};
    }
    /// `to` = A `from`, for the rows from `first` up to, and without, `last`.
    void apply(const std::vector<double>& from, std::vector<double>& to, std::size_t first,
               std::size_t last) const {
        constexpr std::size_t piece = 128;  // cells between two polls: 0.3 us at 4 GB/s
        for (std::size_t i = first; i < last; ++i) {
            for (std::size_t begin = 0; begin < columns_; begin += piece) {
                const std::size_t end = std::min(columns_, begin + piece);
                for (std::size_t j = begin; j < end; ++j) {
                    const std::size_t k = i * columns_ + j;
                    const double left = j > 0 ? from[k - 1] : 0;
                    const double right = j + 1 < columns_ ? from[k + 1] : 0;
                    to[k] = 4 * from[k] - from[k - columns_] - from[k + columns_] - left - right;
                }
                charge(1, end - begin);
                lapwing::poll();
            }
        }
    }
    /// Seconds on the slowest rank, each rank's being its fastest of some: the first fetches
    /// memory.
    [[nodiscard]] double seconds_of_matrix() const {
        const auto from = vector(1);
        auto to = vector();
        double least = std::numeric_limits<double>::infinity();
        for (int time = 0; time < 3; ++time)
            least = std::min(least, seconds([&] { apply(from, to, 1, rows_ + 1); }));
        return least;
    }
    void interior(const std::vector<double>& from, std::vector<double>& to) const {
        apply(from, to, 2, rows_);
    }
    void border(const std::vector<double>& from, std::vector<double>& to) const {
        apply(from, to, 1, 2);
        if (rows_ > 1) apply(from, to, rows_, rows_ + 1);
    }
    [[nodiscard]] double dot(const std::vector<double>& a, const std::vector<double>& b) const {
        double sum = 0;
        for (std::size_t k = columns_; k < columns_ + size(); ++k) sum += a[k] * b[k];
        charge(1, size());
        return sum;
    }
    /// y = x + factor y, or y = y + factor x.
    void scale_add(const std::vector<double>& x, double factor, std::vector<double>& y) const {
        for (std::size_t k = columns_; k < columns_ + size(); ++k) y[k] = x[k] + factor * y[k];
        charge(1, size());
    }
    void add(const std::vector<double>& x, double factor, std::vector<double>& y) const {
        for (std::size_t k = columns_; k < columns_ + size(); ++k) y[k] += factor * x[k];
        charge(1, size());
    }

  private:
    std::size_t columns_;
    std::size_t rows_;
    int up_;
    int down_;
};

/// What a solver returns.
struct Solution {
    std::vector<double> x;
    double residual = 0;  ///< relative to the norm of b
    double seconds = 0;
};

/// The textbook's method. `sum(values)` adds up each value over all ranks, and waits for it.
template <class Sum>
Solution plain(lapwing::TwoSided& ranks, const Slab& slab, int steps, Sum&& sum) {
    auto x = slab.vector();
    auto r = slab.vector(1);
    auto p = r;
    auto q = slab.vector();
    lapwing::Halo halo(ranks, slab.edges(p));
    const double begin = sum(std::array{slab.dot(r, r)})[0];
    double rr = begin;
    const double taken = seconds([&] {
        for (int step = 0; step < steps && rr > 0; ++step) {
            halo.exchange([] {});
            slab.interior(p, q);
            slab.border(p, q);
            const double alpha = rr / sum(std::array{slab.dot(p, q)})[0];
            slab.add(p, alpha, x);
            slab.add(q, -alpha, r);
            const double before = std::exchange(rr, sum(std::array{slab.dot(r, r)})[0]);
            slab.scale_add(r, rr / before, p);
        }
    });
    return {std::move(x), std::sqrt(rr / begin), taken};
}

/// What a run does: everything; everything one after the other; computation or communication alone;
/// or what nothing can hide: all but the matrix, which the sums hide behind.
enum class Run { overlapped, blocking, computation, communication, chain };

/// The vectors and scalars of the pipelined method, with their names in the paper.
struct Pipelined {
    explicit Pipelined(const Slab& slab)
        : x(slab.vector()),
          r(slab.vector(1)),
          w(slab.vector()),
          p(slab.vector()),
          s(slab.vector()),
          z(slab.vector()),
          q(slab.vector()) {}

    /// Ends step `step`: `sums` are (r, r) and (w, r), and q is A w.
    void update(const Slab& slab, int step, const std::array<double, 2>& sums) {
        const auto [rr, wr] = sums;
        const double beta = step > 0 ? rr / before : 0;
        alpha = rr / (step > 0 ? wr - beta * rr / alpha : wr);
        before = rr;
        if (step == 0) begin = rr;
        slab.scale_add(q, beta, z);
        slab.scale_add(w, beta, s);
        slab.scale_add(r, beta, p);
        slab.add(p, alpha, x);
        slab.add(s, -alpha, r);
        slab.add(z, -alpha, w);
    }

    std::vector<double> x;
    std::vector<double> r;
    std::vector<double> w;
    std::vector<double> p;
    std::vector<double> s;
    std::vector<double> z;
    std::vector<double> q;
    double begin = 0;   // (r, r) of the first step
    double before = 0;  // and of the step before
    double alpha = 0;
};

/// The pipelined method. `reduce(from, into)` initiates the sum of each number over all ranks.
template <class Reduce>
Solution pipelined(lapwing::TwoSided& ranks, const Slab& slab, int steps, Run run,
                   double poll_interval, Reduce&& reduce) {
    Pipelined v(slab);
    {
        lapwing::Halo halo(ranks, slab.edges(v.r));
        halo.exchange([&] { slab.interior(v.r, v.w); });
        slab.border(v.r, v.w);
    }
    lapwing::Halo halo(ranks, slab.edges(v.w), poll_interval);
    std::array<double, 2> sums{};
    std::array<double, 2> own{};
    const auto dots = [&] { own = {slab.dot(v.r, v.r), slab.dot(v.w, v.r)}; };
    const double taken = seconds([&] {
        for (int step = 0; step < steps; ++step) {
            if (run == Run::overlapped) {
                decltype(reduce(own, sums.data())) request;
                // The edges go first; the small messages of the sum would wait behind them anyway.
                halo.exchange(
                    [&] {
                        dots();
                        request = reduce(own, sums.data());
                        slab.interior(v.w, v.q);
                    },
                    [](std::size_t) { lapwing::poll(); });
                slab.border(v.w, v.q);
                request.wait();
            } else {
                if (run != Run::communication) dots();
                if (run == Run::computation) {
                    sums = own;
                } else {
                    reduce(own, sums.data()).wait();
                }
                if (run == Run::blocking || run == Run::communication) halo.exchange([] {});
                if (run == Run::communication) continue;
                if (run != Run::chain) {
                    slab.interior(v.w, v.q);
                    slab.border(v.w, v.q);
                }
            }
            v.update(slab, step, sums);
        }
    });
    const double rest = slab.dot(v.r, v.r);
    reduce(std::array{rest, 0.0}, sums.data()).wait();
    return {std::move(v.x), std::sqrt(sums[0] / v.begin), taken};
}

/// Groups from text such as "2,4,4".
lapwing::Groups groups_of(std::string_view text) {
    lapwing::Groups groups;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t comma = std::min(text.find(',', first), text.size());
        groups.push_back(whole_number(text.substr(first, comma - first), "a group of GROUPS", 2));
        first = comma + 1;
    }
    return groups;
}

template <class Reduce>
int run(lapwing::TwoSided& ranks, int cells, int steps, double poll_interval, Reduce&& reduce) {
    const Slab slab(ranks, cells);
    const auto solved = [&](Run how) {
        return pipelined(ranks, slab, steps, how, poll_interval, reduce);
    };
    const Solution ours = solved(Run::overlapped);
    const Solution blocking = solved(Run::blocking);
    const double computation = solved(Run::computation).seconds;
    const double communication = solved(Run::communication).seconds;
    const double chain = solved(Run::chain).seconds;
    const Solution textbook = plain(ranks, slab, steps, [](auto values) {
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                      MPI_SUM, MPI_COMM_WORLD);
        return values;
    });

    int same = ours.x == blocking.x ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    // The recurrences of the pipelined method stop at rounding errors of what it began with.
    constexpr double rounding = 1e-12;
    const double apart = std::abs(ours.residual - textbook.residual);
    const bool near = apart <= 1e-6 * textbook.residual + rounding;
    if (ranks.rank() == 0) {
        std::printf("%d ranks, %d x %d cells, %d steps\n", ranks.size(), cells, cells, steps);
        std::printf("residual %.10e, %s the blocking loop; %.10e by the plain method\n",
                    ours.residual, same == 1 ? "to the bit as in" : "but NOT as in",
                    textbook.residual);
        std::printf("plain %.6e s, blocking %.6e s, overlapped %.6e s\n", textbook.seconds,
                    blocking.seconds, ours.seconds);
        std::printf("computation %.6e s, communication %.6e s, chain %.6e s\n", computation,
                    communication, chain);
    }
    return same == 1 && near ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("example-conjugate_gradient", argc, argv, [&] {
        lapwing::TwoSided ranks;
        const int cells = argument(argc, argv, 1, "CELLS", 256, ranks.size());
        const int steps = argument(argc, argv, 2, "STEPS", 50);
        const std::string_view sums = argc > 3 ? argv[3] : "collective";
        if (sums == "doubling") {
            lapwing::TwoSided messages;
            const Slab slab(ranks, cells);
            // The sums hide behind the matrix; two edges travel meanwhile.
            const lapwing::Behind behind{.seconds = slab.seconds_of_matrix(), .messages = 2};
            auto reduce = argc > 4 ? lapwing::Allreduce(messages, 2, 0, 0, groups_of(argv[4]))
                                   : lapwing::Allreduce(messages, 2, 0, behind);
            if (ranks.rank() == 0) {
                std::printf("sums in groups of ");
                for (const int group : reduce.groups()) std::printf("%d,", group);
                std::printf("\n");
            }
            return run(ranks, cells, steps, 0, [&](std::span<const double> from, double* into) {
                return reduce.allreduce(from, into);
            });
        }
        if (sums != "collective")
            refuse("sums are 'collective' or 'doubling', and not '" + std::string(sums) + "'");
        lapwing::Collective collective;
        return run(ranks, cells, steps, lapwing::simulated_time ? 0 : 10e-6,
                   [&](std::span<const double> from, double* into) {
                       return collective.allreduce(from, into);
                   });
    });
}
