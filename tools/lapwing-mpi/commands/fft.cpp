#include "commands/fft.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "lapwing/calibrate/ranks/timed_start.hpp"
#include "lapwing/compute/no_data.hpp"
#include "lapwing/fft/fft.hpp"
#include "lapwing/fft/names.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "results/fft_json.hpp"
#include "support/command.hpp"
#include "support/fft_array.hpp"

namespace lapwing::tools {
namespace {

/// What "slabs:two-sided:1:0:4:copy:1:0" asks for, added to the options that all ways share.
fft::Options options_of(const std::string& words, fft::Options options) {
    std::istringstream parts(words);
    std::array<std::string, 8> part;
    for (auto& each : part) std::getline(parts, each, ':');
    options.schedule = fft::schedule_named(part[0]);
    options.transport = fft::transport_named(part[1]);
    options.tile = std::stoul(part[2]);
    options.window = std::stoi(part[3]);
    options.strips = std::stoul(part[4]);
    options.packing = fft::packing_named(part[5]);
    options.block = std::stoul(part[6]);
    options.padding = std::stoul(part[7]);
    return options;
}

/// The two kinds of transforms: what numbers they take, and which part of space and of the spectrum
/// a rank has.
using Complex = fft::Transform<double>;
using Real = fft::RealTransform<double>;
template <class Transform>
using Number = std::conditional_t<std::is_same_v<Transform, Real>, double, std::complex<double>>;

fft::Box space(const Complex& transform) { return transform.input_box(); }
fft::Box space(const Real& transform) { return transform.space(); }
fft::Box spectrum(const Complex& transform) { return transform.output_box(); }
fft::Box spectrum(const Real& transform) { return transform.spectrum(); }

/// Times forward transforms of one batch of arrays.
template <class Transform>
class TransformTiming {
  public:
    static constexpr bool real = std::is_same_v<Transform, Real>;

    TransformTiming(const fft::Size& size, MPI_Comm ranks)
        : size_(size), start_(ranks), ranks_(ranks) {}

    /// Times one transform. It is planned anew, so that only one plan at a time has a buffer.
    /// `sums`: of the spectrum, calculated if they are missing and there is data.
    void operator()(TimedTransform& way, std::optional<Sums>& sums) {
        Transform transform(ranks_, size_, way.options);
        if (!in_) begin(transform);
        // Touches memory and opens connections, which simulated time does not need.
        if (!simulated_time) transform.forward(in_->data(), out_->data());
        fft::Phases phases;
        way.seconds.push_back(start_.time([&] {
            phases = {};
            transform.forward(in_->data(), out_->data(), phases);
        }));
        for (std::size_t i = 0; i < fft::phases; ++i)
            way.phases[i].push_back(start_.latest(phases.seconds(static_cast<fft::Phase>(i))));
        way.messages =
            static_cast<std::uint64_t>(start_.latest(static_cast<double>(transform.messages())));
        if (sums || no_data()) return;
        sums = out_->sums(spectrum(transform), ranks_, [&](std::size_t k) {
            // Half a spectrum: every element stands for two but the first and, if their number is
            // even, the last.
            return real && k != 0 && 2 * k != size_[2] ? 2 : 1;
        });
    }
    /// Whether a spectrum is the same as the first one, and has the power that it must have
    /// (Parseval).
    [[nodiscard]] bool verified(const Sums& sums, const Sums& first) const {
        const auto elements = static_cast<double>(size_[0]) * static_cast<double>(size_[1]) *
                              static_cast<double>(size_[2]);
        const double expected = elements * power_;
        return sums.same(first, elements) && std::abs(sums.power - expected) <= 1e-12 * expected;
    }
    [[nodiscard]] const fft::Grid& grid() const { return grid_; }

  private:
    void begin(const Transform& transform) {
        grid_ = transform.grid();
        const std::size_t batch = transform.options().batch;
        fft::Size result = size_;
        if (real) result[2] = size_[2] / 2 + 1;
        in_.emplace(size_, batch, transform.capacity());
        out_.emplace(result, batch, transform.capacity());
        if (no_data()) return;
        in_->fill(space(transform));
        power_ = in_->sums(space(transform), ranks_, [](std::size_t) { return 1; }).power;
    }

    fft::Size size_;
    TimedStart start_;
    MPI_Comm ranks_;
    fft::Grid grid_;
    std::optional<FftArray<Number<Transform>>> in_;
    std::optional<FftArray<std::complex<double>>> out_;
    double power_ = 0;
};

/// Times all ways `result.repetitions` times, in turn.
template <class Transform>
void time_all(FftResult& result, MPI_Comm ranks) {
    auto& ways = result.ways;
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    TransformTiming<Transform> timing({result.size.at(0), result.size.at(1), result.size.at(2)},
                                      ranks);
    std::vector<std::optional<Sums>> sums(ways.size());
    const std::size_t all = static_cast<std::size_t>(result.repetitions) * ways.size();
    for (std::size_t i = 0; i < all; ++i) {
        TimedTransform& way = ways[i % ways.size()];
        if (rank == 0)
            report_progress(static_cast<double>(i) / static_cast<double>(all),
                            std::string(fft::name(way.options.schedule)) + " over " +
                                fft::name(way.options.transport));
        timing(way, sums[i % ways.size()]);
    }
    result.grid = timing.grid();
    for (std::size_t i = 0; i < ways.size(); ++i)
        if (sums[i]) ways[i].verified = timing.verified(*sums[i], *sums.front());
}

}  // namespace

fft::Options FftCommand::common_options() const {
    fft::Options common;
    common.effort = fft::effort_named(effort_);
    common.order = fft::order_named(order_);
    common.decomposition = fft::decomposition_named(decomposition_);
    common.batch = batch_;
    if (poll_) common.poll_interval = *poll_;
    return common;
}

void FftCommand::run() const {
    const Communicator ranks;
    FftResult result{.size = size_,
                     .real = real_,
                     .batch = batch_,
                     .decomposition = decomposition_,
                     .order = order_,
                     .ranks = ranks.size(),
                     .repetitions = repetitions_,
                     .data = !no_data()};
    const fft::Options common = common_options();
    for (const auto& words : ways_) result.ways.push_back({options_of(words, common)});
    if (real_) {
        time_all<Real>(result, ranks.get());
    } else {
        time_all<Complex>(result, ranks.get());
    }
    if (ranks.rank() == 0) write_file(result_, fft_json(result));
}

}  // namespace lapwing::tools
