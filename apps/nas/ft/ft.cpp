#include "ft.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "../../common/over_ranks.hpp"
#include "../common/random.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/fft/fft.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::nas::ft {
namespace {

using Complex = std::complex<double>;

/// The damping exp(-4 alpha pi^2 k^2) by the index of an axis, where k is the wave number of that
/// index. A factor of the evolution is the product of one of each axis.
std::vector<double> damping(std::size_t length) {
    constexpr double alpha = 1e-6;
    std::vector<double> factors;
    for (std::size_t index = 0; index < length; ++index) {
        const double k = static_cast<double>(index) -
                         (index < length - length / 2 ? 0 : static_cast<double>(length));
        factors.push_back(std::exp(-4 * alpha * std::numbers::pi * std::numbers::pi * k * k));
    }
    return factors;
}

/// One rank's part in a run.
class Run {
  public:
    Run(MPI_Comm original, const Problem& problem, const fft::Options& options)
        : world_(original),
          problem_(problem),
          transform_(world_.get(), problem.size(), options),
          frequencies_(transform_.capacity()),
          space_(transform_.capacity()),
          damping_x_(damping(problem.nx)),
          damping_y_(damping(problem.ny)),
          damping_z_(damping(problem.nz)) {}

    [[nodiscard]] const Communicator& world() const { return world_; }

    /// Runs everything once before time counts, as the benchmark does, to touch memory and open
    /// connections.
    void warm_up() {
        begin();
        step();
        phases_ = {};
        setup_ = evolution_ = checksum_ = 0;
    }
    /// Makes the start values and transforms them.
    void begin() {
        const fft::Planes planes = transform_.input();
        Random random(2 * problem_.nx * problem_.ny * planes.first);
        transform_.forward(
            space_.data(), frequencies_.data(), phases_,
            [&](std::size_t, std::size_t plane) { timed(setup_, [&] { start(random, plane); }); });
    }
    /// Makes one step of time, and returns the checksum after it.
    Complex step() {
        transform_.inverse(
            frequencies_.data(), space_.data(), phases_,
            [&](std::size_t, std::size_t plane) { timed(evolution_, [&] { evolve(plane); }); });
        Complex sum;
        timed(checksum_, [&] {
            const Complex mine = checksum();
            check_mpi(MPI_Allreduce(&mine, &sum, 2, MPI_DOUBLE, MPI_SUM, world_.get()),
                      "MPI_Allreduce");
        });
        return sum;
    }
    void wait_for_all() { check_mpi(MPI_Barrier(world_.get()), "MPI_Barrier"); }

    [[nodiscard]] RankShare setup() const { return over_ranks(setup_, world_); }
    [[nodiscard]] RankShare evolution() const { return over_ranks(evolution_, world_); }
    [[nodiscard]] RankShare checksums() const { return over_ranks(checksum_, world_); }
    /// Seconds of a phase of the transforms. What is done to planes before they are transformed is
    /// no part of them.
    [[nodiscard]] RankShare phase(fft::Phase phase) const {
        const double prepared = phase == fft::Phase::computation ? setup_ + evolution_ : 0;
        return over_ranks(phases_.seconds(phase) - prepared, world_);
    }
    [[nodiscard]] std::uint64_t messages() const { return most(transform_.messages()); }
    /// The share of computation that can hide communication.
    [[nodiscard]] double overlap_share() const {
        if (transform_.options().schedule == fft::Schedule::exchange) return 0;
        const auto units = static_cast<double>(most(transform_.units()));
        return units > 2 ? 1 - 2 / units : 0;
    }

  private:
    template <class Action>
    static void timed(double& seconds, Action&& action) {
        const double start = now();
        action();
        seconds += now() - start;
    }
    /// Charges simulated time for reading and writing so many elements.
    static void charge_pass(std::size_t elements) {
        if constexpr (simulated_time)
            charge(static_cast<double>(elements * sizeof(Complex)) / simulated_rate("add"));
    }
    /// Makes the start values of a plane, the next ones of the sequence.
    void start(Random& random, std::size_t plane) {
        const std::size_t elements = problem_.nx * problem_.ny;
        Complex* const first = space_.data() + plane * elements;
        for (Complex* at = first; at != first + elements; ++at) {
            const double real = random();
            *at = {real, random()};
        }
        charge_pass(elements);
    }
    /// Makes one step of time of a plane across y.
    void evolve(std::size_t plane) {
        const std::size_t elements = problem_.nx * problem_.nz;
        const double factor_y = damping_y_[transform_.output().first + plane];
        Complex* at = frequencies_.data() + plane * elements;
        for (std::size_t z = 0; z < problem_.nz; ++z) {
            const double factor = factor_y * damping_z_[z];
            for (std::size_t x = 0; x < problem_.nx; ++x) *at++ *= factor * damping_x_[x];
        }
        charge_pass(elements);
    }
    [[nodiscard]] Complex checksum() const {
        constexpr std::size_t terms = 1024;
        const fft::Planes planes = transform_.input();
        Complex sum;
        for (std::size_t j = 1; j <= terms; ++j) {
            const std::size_t z = 5 * j % problem_.nz;
            if (z < planes.first || z >= planes.first + planes.count) continue;
            const std::size_t y = 3 * j % problem_.ny;
            const std::size_t x = j % problem_.nx;
            sum += space_[((z - planes.first) * problem_.ny + y) * problem_.nx + x];
        }
        return sum / problem_.elements();
    }
    [[nodiscard]] std::uint64_t most(std::uint64_t mine) const {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_MAX, world_.get()),
                  "MPI_Allreduce");
        return mine;
    }
    Communicator world_;
    Problem problem_;
    fft::Transform<double> transform_;
    std::vector<Complex> frequencies_;
    std::vector<Complex> space_;
    std::vector<double> damping_x_;
    std::vector<double> damping_y_;
    std::vector<double> damping_z_;
    fft::Phases phases_;
    double setup_ = 0;
    double evolution_ = 0;
    double checksum_ = 0;
};

}  // namespace

double operations(const Problem& problem) {
    const double n = problem.elements();
    const double log_n = std::log(n);
    return n * (14.8157 + 7.19641 * log_n + (5.23518 + 7.21113 * log_n) * problem.iterations);
}

Result run(MPI_Comm original, const Problem& problem, const fft::Options& options,
           const std::function<void(double, const char*)>& tell) {
    Result result;
    const double first = now();
    Run part(original, problem, options);
    const bool tells = tell && part.world().rank() == 0;
    result.planning = now() - first;
    if (tells) tell(0, "warming up");
    part.warm_up();
    part.wait_for_all();
    const double start = now();
    part.begin();
    for (int iteration = 0; iteration < problem.iterations; ++iteration) {
        if (tells) tell(static_cast<double>(iteration) / problem.iterations, "iterations");
        result.checksums.push_back(part.step());
    }
    part.wait_for_all();
    result.seconds = now() - start;

    result.mops = operations(problem) / result.seconds * 1e-6;
    const auto expected = expected_checksums(problem);
    result.verified = expected.size() == result.checksums.size();
    for (std::size_t i = 0; result.verified && i < expected.size(); ++i)
        result.verified = verified(result.checksums[i], expected[i]);
    result.setup = part.setup();
    result.evolution = part.evolution();
    result.checksum = part.checksums();
    for (std::size_t phase = 0; phase < fft::phases; ++phase)
        result.transforms[phase] = part.phase(static_cast<fft::Phase>(phase));
    result.messages = part.messages();
    result.overlap_share = part.overlap_share();
    return result;
}

}  // namespace lapwing::nas::ft
