#include "commands/fft.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "lapwing/calibrate/ranks/timed_start.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/no_data.hpp"
#include "lapwing/fft/fft.hpp"
#include "lapwing/fft/names.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "support/command.hpp"
#include "support/fft_array.hpp"
#include "support/time_json.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array phase_names = {"computation", "packing", "initiation", "completion",
                                    "waiting"};

/// Adds what "slabs:two-sided:1:0:4:copy:1:0" asks for to the options that all ways have in common.
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

/// One way to transform, and how it went.
struct Way {
    fft::Options options;
    std::vector<double> seconds{};
    std::array<std::vector<double>, fft::phases> phases{};  ///< of the rank that takes longest
    std::uint64_t messages = 0;
    std::optional<Sums> sums{};
};

/// What complex and real transforms take, and the part of it that a rank has; and how often an
/// element counts of a spectrum, of which there is half where the array is real.
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

    /// One transform, planned anew: of several plans one after another only one has a buffer.
    void operator()(Way& way) {
        Transform transform(ranks_, size_, way.options);
        if (!in_) begin(transform);
        // Memory is touched and connections are made before time counts; simulated time needs
        // neither.
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
        if (!way.sums && !no_data())
            way.sums = out_->sums(spectrum(transform), ranks_, [&](std::size_t k) {
                // All but the first, and of an even number the last, stand for two.
                return real && k != 0 && 2 * k != size_[2] ? 2 : 1;
            });
    }
    /// Whether the transform of all ways is that of the first, and has the power that it must
    /// (Parseval).
    [[nodiscard]] bool verified(const Way& way, const Way& first) const {
        const auto elements = static_cast<double>(size_[0]) * static_cast<double>(size_[1]) *
                              static_cast<double>(size_[2]);
        const double expected = elements * power_;
        return way.sums->same(*first.sums, elements) &&
               std::abs(way.sums->power - expected) <= 1e-12 * expected;
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

Json way_json(const Way& way, std::optional<bool> verified) {
    const auto [fastest, slowest] = std::minmax_element(way.seconds.begin(), way.seconds.end());
    Json json = {{"schedule", fft::name(way.options.schedule)},
                 {"transport", fft::name(way.options.transport)},
                 {"tile", way.options.tile},
                 {"window", way.options.window},
                 {"strips", way.options.strips},
                 {"packing", fft::name(way.options.packing)},
                 {"block", way.options.block},
                 {"padding", way.options.padding},
                 {"time", time_json(way.seconds)},
                 {"fastest", {{"seconds", *fastest}}},
                 {"slowest", {{"seconds", *slowest}}},
                 {"messages", way.messages},
                 {"phases", Json::object()}};
    for (std::size_t i = 0; i < fft::phases; ++i)
        json["phases"][phase_names[i]] = time_json(way.phases[i]);
    if (verified) json["verified"] = *verified;
    return json;
}

}  // namespace

void FftCommand::run() const {
    if (real_) {
        time_all<Real>();
    } else {
        time_all<Complex>();
    }
}

template <class Transform>
void FftCommand::time_all() const {
    const fft::Size size = {size_.at(0), size_.at(1), size_.at(2)};
    const Communicator ranks;
    std::vector<Way> ways;
    fft::Options common;
    common.effort = fft::effort_named(effort_);
    common.order = fft::order_named(order_);
    common.decomposition = fft::decomposition_named(decomposition_);
    common.batch = batch_;
    if (poll_) common.poll_interval = *poll_;
    for (const auto& words : ways_) ways.push_back({options_of(words, common)});
    TransformTiming<Transform> timing(size, ranks.get());
    for (int repetition = 0; repetition < repetitions_; ++repetition)
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const auto done = static_cast<std::size_t>(repetition) * ways.size() + i;
            const auto all = static_cast<std::size_t>(repetitions_) * ways.size();
            if (ranks.rank() == 0)
                report_progress(static_cast<double>(done) / static_cast<double>(all),
                                std::string(fft::name(ways[i].options.schedule)) + " over " +
                                    fft::name(ways[i].options.transport));
            timing(ways[i]);
        }
    if (ranks.rank() != 0) return;
    Json json = {{"lapwing", "fft"},
                 {"size", size_},
                 {"real", real_},
                 {"batch", batch_},
                 {"decomposition", decomposition_},
                 {"grid", {timing.grid().rows, timing.grid().columns}},
                 {"order", order_},
                 {"ranks", ranks.size()},
                 {"repetitions", repetitions_},
                 {"data", !no_data()},
                 {"ways", Json::array()}};
    for (const Way& way : ways) {
        std::optional<bool> verified;
        if (way.sums) verified = timing.verified(way, ways.front());
        json["ways"].push_back(way_json(way, verified));
    }
    write_file(result_, json.dump(2) + "\n");
}

}  // namespace lapwing::tools
