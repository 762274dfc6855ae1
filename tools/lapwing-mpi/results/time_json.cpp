#include "results/time_json.hpp"

namespace lapwing::tools {

Json time_json(double seconds, double error) { return {{"seconds", seconds}, {"error", error}}; }

Json time_json(const Estimate& estimate) { return time_json(estimate.median, estimate.error); }

Json time_json(const std::vector<double>& samples) { return time_json(estimate(samples)); }

double median_of(const std::vector<double>& samples) { return estimate(samples).median; }

std::string text_of(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lapwing::tools
