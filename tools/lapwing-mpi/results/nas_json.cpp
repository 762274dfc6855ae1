#include "results/nas_json.hpp"

#include <array>

#include "results/rank_share_json.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

constexpr std::array<const char*, activities> names{"initiation", "wait", "computation", "poll",
                                                    "consumption"};

Json options_json(const nas::Options& options, const nas::BenchmarkOptions& benchmark) {
    Json json = {{"schedule", name(options.schedule)}, {"transport", options.transport}};
    Json& settings = json["settings"] = Json::object();
    for (std::size_t i = 0; i < benchmark.settings.size(); ++i)
        settings[benchmark.settings[i].name] = options.settings[i];
    return json;
}

}  // namespace

std::string nas_json(const nas::Result& result, const nas::BenchmarkOptions& benchmark) {
    Json json = {{"lapwing", "nas"},
                 {"benchmark", result.benchmark},
                 {"class", std::string(1, result.problem)},
                 {"size", result.size},
                 {"iterations", result.iterations},
                 {"ranks", result.ranks}};
    json.update(options_json(result.options, benchmark));
    json.update({{"planned", result.planned},
                 {"verified", result.verification.verified},
                 {"found", result.verification.found},
                 {"expected", result.verification.expected},
                 {"seconds", result.seconds},
                 {"mops", result.mops},
                 {"preparation", {{"seconds", result.preparation}}}});
    for (std::size_t i = 0; i < activities; ++i)
        if (static_cast<Activity>(i) != Activity::consumption)
            json["phases"][names[i]] = rank_share_json(result.phases[i]);
    for (const auto& [kernel, time, elements] : result.kernels) {
        json["kernels"][kernel] = rank_share_json(time);
        json["kernels"][kernel]["elements"] = elements;
    }
    json["forecasts"] = Json::array();
    for (const nas::Forecast& forecast : result.forecasts) {
        Json& each = json["forecasts"].emplace_back(options_json(forecast.options, benchmark));
        each["seconds"] = forecast.seconds;
    }
    return text_of(json);
}

}  // namespace lapwing::tools
