#include "sweep.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "command.hpp"
#include "lapwing/calibrate/estimate.hpp"
#include "lapwing/calibrate/find_nodes.hpp"
#include "lapwing/calibrate/quiet_barrier.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/profile/fingerprint.hpp"
#include "machine.hpp"
#include "stream_trial.hpp"
#include "time_json.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t smallest_message = 256;
constexpr std::uint64_t most_messages = 8192;
constexpr int longest_burst = 64;

/// One way to run the stream, and how long it took each time.
struct Cell {
    std::uint64_t message = 0;
    int burst = 1;
    std::vector<double> seconds;
    std::vector<double> communication;  ///< without computation

    [[nodiscard]] double quickest() const { return estimate(seconds).median; }
};

/// Every uniform (S, b) of the sweep: sizes and bursts in powers of two.
std::vector<Cell> all_cells(std::uint64_t volume, std::uint64_t grain) {
    std::vector<Cell> cells;
    for (std::uint64_t size = smallest_message; size <= volume && size != 0; size *= 2) {
        const std::uint64_t count = (volume + size - 1) / size;
        if (count > most_messages || size % grain != 0) continue;
        for (int burst = 1; burst <= longest_burst && static_cast<std::uint64_t>(burst) <= count;
             burst *= 2)
            cells.push_back({.message = size, .burst = burst, .seconds = {}, .communication = {}});
    }
    // A volume that is no power of two is not split in its last row either.
    if (cells.empty() || cells.back().message < volume)
        cells.push_back({.message = volume, .burst = 1, .seconds = {}, .communication = {}});
    return cells;
}

Json cell_json(const Cell& cell) {
    Json json = {{"template", "E"}, {"message", cell.message}, {"burst", cell.burst}};
    json.update(time_json(cell.seconds));
    return json;
}

/// The sweep of one workload on two ranks; both run it.
template <Transport T>
class Sweep {
  public:
    /// `cells`: what to time beside the baseline and the plans; none is allowed.
    Sweep(Pair<T>& pair, std::uint64_t volume, std::uint64_t grain, int repetitions,
          std::vector<Cell> cells)
        : pair_(pair),
          trial_(pair, volume),
          volume_(volume),
          grain_(grain),
          repetitions_(repetitions),
          cells_(std::move(cells)) {
        communication_only();
    }

    /// Sets what is computed to `ratio` times the communication part of the blocking run, or to
    /// `compute` seconds if that is not negative.
    void set_computation(double ratio, double compute) {
        trial_.blocking();  // opens what has to be opened
        const double communication = repeated([&] { return trial_.blocking(); });
        compute_ = compute >= 0 ? compute : ratio * communication;
        ratio_ = compute_ / communication;
        trial_.set_computation(compute_);
    }

    void run(const Profile& profile) {
        const Workload workload{.volume = volume_, .compute = compute_, .grain = grain_};
        ours_ = lapwing::plan(profile, workload);
        paper_ = lapwing::plan(profile, workload, Method::paper);
        trial_.blocking();  // first: the others are compared with its result
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            report(0.05 + 0.75 * static_cast<double>(i) / static_cast<double>(cells_.size()),
                   "template E, " + std::to_string(cells_[i].message) + " bytes, burst " +
                       std::to_string(cells_[i].burst));
            time(cells_[i]);
        }
        in_turn();
    }

    [[nodiscard]] Json result() const {
        const double T_blocking = estimate(blocking_).median;
        const double T_computation = estimate(computation_).median;
        const double T_plan = estimate(ours_seconds_).median;
        Json plan = Json::parse(to_json(ours_));
        Json predicted = plan["predicted"];
        plan.erase("predicted");
        plan.update(time_json(ours_seconds_));
        plan["predicted"] = predicted;
        Json paper = {{"template", "E"},
                      {"message", paper_.messages.runs().front().size},
                      {"burst", paper_.burst}};
        paper.update(time_json(paper_seconds_));
        paper["predicted"] = {{"seconds", paper_.predicted}};

        Json json = {{"volume", volume_}, {"ratio", ratio_}, {"grain", grain_}};
        json["blocking"] = time_json(blocking_);
        json["computation"] = time_json(computation_);
        // Two runs of a disturbed machine may differ by less than nothing.
        double T_communication = std::max(0.0, T_blocking - T_computation);
        if (!cells_.empty()) {
            const auto& least =
                *std::min_element(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) {
                    return estimate(a.communication).median < estimate(b.communication).median;
                });
            T_communication = estimate(least.communication).median;
            json["communication"] = time_json(least.communication);
        } else {
            json["communication"] = {{"seconds", T_communication}};
        }
        json["limit"] = {{"seconds", ours_.limit}};
        json["cells"] = Json::array();
        for (const auto& cell : cells_) json["cells"].push_back(cell_json(cell));
        if (!cells_.empty()) json["best"] = cell_json(cells_[best_]);
        json["paper"] = paper;
        json["plan"] = plan;
        const double hideable = std::min(T_computation, T_communication);
        const auto hidden = [&](double seconds) {
            return hideable > 0 ? Json((T_blocking - seconds) / hideable) : Json(nullptr);
        };
        json["hidden"] = hidden(T_plan);
        if (!cells_.empty()) {
            const double T_best = cells_[best_].quickest();
            json["best"]["hidden"] = hidden(T_best);
            json["loss"] = (T_plan - T_best) / T_blocking;
            json["paper"]["loss"] = (estimate(paper_seconds_).median - T_best) / T_blocking;
        }
        json["paper"]["hidden"] = hidden(estimate(paper_seconds_).median);
        json["efficiency"] = ours_.limit / T_plan;
        return json;
    }

  private:
    void report(double share, const std::string& what) {
        if (pair_.first()) report_progress(share, what);
    }
    template <class Run>
    double repeated(Run&& run) {
        std::vector<double> samples;
        samples.reserve(static_cast<std::size_t>(repetitions_));
        for (int i = 0; i < repetitions_; ++i) samples.push_back(run());
        return estimate(samples).median;
    }
    void time(Cell& cell) {
        for (int i = 0; i < repetitions_; ++i)
            cell.seconds.push_back(trial_.uniform(Schedule::E, cell.message, cell.burst));
    }
    void communication_only() {
        report(0, "communication alone");
        for (auto& cell : cells_)
            for (int i = 0; i < repetitions_; ++i)
                cell.communication.push_back(trial_.uniform(Schedule::E, cell.message, cell.burst));
    }

    /// What is compared is timed in turn, so that a machine whose speed drifts is as fast for each:
    /// the blocking run, both plans, and the best cells once more before one is called the best.
    void in_turn() {
        constexpr std::size_t finalists = 5;
        std::vector<std::size_t> order(cells_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return cells_[a].quickest() < cells_[b].quickest();
        });
        order.resize(std::min(order.size(), finalists));
        // Both ranks have the same times, so they agree on the order.
        const int rounds = simulated_time ? 1 : std::max(5, 2 * repetitions_ + 1);
        if (!simulated_time)
            for (const std::size_t i : order) cells_[i].seconds.clear();
        for (int round = 0; round < rounds; ++round) {
            report(0.85 + 0.15 * round / rounds, "plan and best cells in turn");
            blocking_.push_back(trial_.blocking());
            ours_seconds_.push_back(trial_.planned(ours_));
            computation_.push_back(trial_.computation());
            paper_seconds_.push_back(
                trial_.uniform(Schedule::E, paper_.messages.runs().front().size, paper_.burst));
            if (!simulated_time) {
                for (const std::size_t i : order)
                    cells_[i].seconds.push_back(
                        trial_.uniform(Schedule::E, cells_[i].message, cells_[i].burst));
            }
        }
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t i : order) {
            if (const double seconds = cells_[i].quickest(); seconds < least) {
                least = seconds;
                best_ = i;
            }
        }
    }

    Pair<T>& pair_;
    StreamTrial<T> trial_;
    std::uint64_t volume_;
    std::uint64_t grain_;
    int repetitions_;
    double compute_ = 0;
    double ratio_ = 0;
    Plan ours_;
    Plan paper_;
    std::vector<Cell> cells_;
    std::size_t best_ = 0;
    std::vector<double> blocking_;
    std::vector<double> computation_;
    std::vector<double> ours_seconds_;
    std::vector<double> paper_seconds_;
};

}  // namespace

void SweepCommand::run() const {
    if (volume_ % sizeof(double) != 0 || grain_ % sizeof(double) != 0)
        throw std::invalid_argument("volume and grain must be multiples of 8 bytes, a double");
    const Profile profile = load_profile(profile_);
    const std::string stale = staleness(profile, MachineDescription().fields());
    const int repetitions = repetitions_ > 0 ? repetitions_ : simulated_time ? 1 : 3;
    with_pair(find_nodes(MPI_COMM_WORLD).main_pair(), [&](auto& pair, MPI_Comm) {
        auto cells = plan_only_ ? std::vector<Cell>{} : all_cells(volume_, grain_);
        Sweep sweep(pair, volume_, grain_, repetitions, std::move(cells));
        sweep.set_computation(ratio_, compute_);
        sweep.run(profile);
        if (!pair.first()) return;
        Json result = sweep.result();
        if (!stale.empty()) result["warnings"] = {stale};
        write_file(output_, result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    });
    quiet_barrier(MPI_COMM_WORLD);
}

}  // namespace lapwing::tools
