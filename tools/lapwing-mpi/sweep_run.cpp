#include "sweep_run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "command.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/plan/words.hpp"
#include "time_json.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string words(const Cell& cell) {
    std::string said = std::to_string(cell.message) + " bytes, ";
    said += cell.burst > 0 ? "burst " + std::to_string(cell.burst)
                           : "window " + std::to_string(cell.window);
    if (cell.packing != Packing::none) said += ", packing " + std::string(name(cell.packing));
    return said + (cell.staggered ? ", " : ", same order, ") + std::string(name(cell.order));
}

Json cell_json(const Cell& cell, const std::vector<double>& seconds) {
    Json json = {{"template", cell.burst > 0 ? "E" : "pipeline"},
                 {"message", cell.message},
                 {"burst", cell.burst > 0 ? Json(cell.burst) : Json(nullptr)},
                 {"window", cell.window},
                 {"order", name(cell.order)},
                 {"staggered", cell.staggered}};
    if (cell.packing != Packing::none) json["packing"] = name(cell.packing);
    json.update(time_json(seconds));
    return json;
}

/// The one size of a uniform plan.
Cell cell_of(const Plan& plan) {
    return {.message = plan.messages.runs().front().size,
            .burst = plan.burst,
            .window = plan.window,
            .order = plan.order,
            .staggered = plan.staggered,
            .packing = plan.packing};
}

double median(const std::vector<double>& seconds) { return estimate(seconds).median; }

/// Share of what could be hidden; null where nothing can be.
Json hidden(double blocking, double seconds, double hideable) {
    return hideable > 0 ? Json((blocking - seconds) / hideable) : Json(nullptr);
}

}  // namespace

double TimedCell::quickest() const { return median(seconds); }

Sweep::Sweep(Trial& trial, int repetitions, const std::vector<Cell>& cells)
    : trial_(trial), repetitions_(repetitions) {
    for (const Cell& cell : cells) cells_.push_back({cell, {}, {}});
    report(0, "communication alone");
    for (TimedCell& timed : cells_)
        for (int i = 0; i < repetitions_; ++i)
            timed.communication.push_back(trial_.uniform(timed.cell));
}

double Sweep::set_computation(double ratio, double compute) {
    trial_.blocking();  // opens what has to be opened
    const double communication = repeated([&] { return trial_.blocking(); });
    compute_ = compute >= 0 ? compute : ratio * communication;
    ratio_ = compute_ / communication;
    trial_.set_computation(compute_);
    return compute_;
}

void Sweep::run(const std::optional<Plan>& ours, const std::optional<Plan>& paper, Trial& planned) {
    ours_ = ours;
    paper_ = paper;
    trial_.blocking();  // first: the others are compared with its result
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        report(0.05 + 0.75 * static_cast<double>(i) / static_cast<double>(cells_.size()),
               words(cells_[i].cell));
        for (int k = 0; k < repetitions_; ++k)
            cells_[i].seconds.push_back(trial_.uniform(cells_[i].cell));
    }
    sample_interleaved(planned);
}

Json Sweep::result() const {
    const double T_blocking = median(blocking_);
    const double T_computation = median(computation_);
    Json json = {{"ratio", ratio_}};
    json["blocking"] = time_json(blocking_);
    json["computation"] = time_json(computation_);
    // Two runs of a disturbed machine may differ by less than nothing.
    double T_communication = std::max(0.0, T_blocking - T_computation);
    if (!cells_.empty()) {
        const auto& least = *std::min_element(
            cells_.begin(), cells_.end(), [](const TimedCell& a, const TimedCell& b) {
                return median(a.communication) < median(b.communication);
            });
        T_communication = median(least.communication);
        json["communication"] = time_json(least.communication);
    } else {
        json["communication"] = {{"seconds", T_communication}};
    }
    if (ours_) json["limit"] = {{"seconds", ours_->limit}};
    json["cells"] = Json::array();
    for (const auto& timed : cells_) json["cells"].push_back(cell_json(timed.cell, timed.seconds));
    const double hideable = std::min(T_computation, T_communication);
    if (best() != nullptr) {
        json["best"] = cell_json(best()->cell, best()->seconds);
        json["best"]["hidden"] = hidden(T_blocking, best()->quickest(), hideable);
    }
    if (paper_) add_paper(json, hideable);
    if (ours_) add_plan(json, hideable);
    if (ours_) json["reached"] = std::max(T_computation, T_communication) / median(ours_seconds_);
    return json;
}

void Sweep::add_paper(Json& json, double hideable) const {
    const double T_blocking = median(blocking_);
    const double T_paper = median(paper_seconds_);
    Json& paper = json["paper"] = cell_json(cell_of(*paper_), paper_seconds_);
    paper["predicted"] = {{"seconds", paper_->predicted}};
    if (best() != nullptr) paper["loss"] = (T_paper - best()->quickest()) / T_blocking;
    paper["hidden"] = hidden(T_blocking, T_paper, hideable);
}

void Sweep::add_plan(Json& json, double hideable) const {
    const double T_blocking = median(blocking_);
    const double T_plan = median(ours_seconds_);
    Json plan = Json::parse(to_json(*ours_));
    const Json predicted = plan["predicted"];
    plan.erase("predicted");
    plan.update(time_json(ours_seconds_));
    plan["predicted"] = predicted;
    json["plan"] = plan;
    json["hidden"] = hidden(T_blocking, T_plan, hideable);
    if (best() != nullptr) json["loss"] = (T_plan - best()->quickest()) / T_blocking;
    json["efficiency"] = ours_->limit / T_plan;
}

void Sweep::report(double share, const std::string& what) const {
    if (trial_.first()) report_progress(share, what);
}

template <class Run>
double Sweep::repeated(Run&& run) {
    std::vector<double> samples;
    samples.reserve(static_cast<std::size_t>(repetitions_));
    for (int i = 0; i < repetitions_; ++i) samples.push_back(run());
    return median(samples);
}

/// What is compared is timed in turn, so that a machine whose speed drifts is as fast for each: the
/// blocking run, both plans, and the best cells once more before one is called the best.
void Sweep::sample_interleaved(Trial& planned) {
    constexpr std::size_t finalists = 5;
    constexpr double budget = 1;  // seconds, of short ones
    constexpr int most = 31;
    std::vector<std::size_t> order(cells_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return cells_[a].quickest() < cells_[b].quickest();
    });
    order.resize(std::min(order.size(), finalists));
    // All ranks have the same times, so they agree on the order, and on how often: the best of some
    // that are known badly looks better than it is, so that short ones are timed more often.
    double once = 0;
    for (const std::size_t i : order) once += 2 * cells_[i].quickest();
    const int fewest = std::max(5, 2 * repetitions_ + 1);
    const int often = order.empty() ? 1 : repetitions(once, budget, most);
    const int rounds = simulated_time ? 1 : std::max(fewest, often);
    if (!simulated_time)
        for (const std::size_t i : order) cells_[i].seconds.clear();
    for (int round = 0; round < rounds; ++round) {
        report(0.85 + 0.15 * round / rounds, "plan and best cells in turn");
        blocking_.push_back(trial_.blocking());
        if (ours_) ours_seconds_.push_back(planned.planned(*ours_));
        computation_.push_back(trial_.computation());
        if (paper_) paper_seconds_.push_back(trial_.uniform(cell_of(*paper_)));
        if (!simulated_time) {
            for (const std::size_t i : order)
                cells_[i].seconds.push_back(trial_.uniform(cells_[i].cell));
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

}  // namespace lapwing::tools
