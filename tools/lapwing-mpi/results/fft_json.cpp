#include "results/fft_json.hpp"

#include <algorithm>

#include "results/fft_options_json.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

/// By `fft::Phase`.
constexpr std::array phase_names = {"computation", "packing", "initiation", "completion",
                                    "waiting"};

Json way_json(const TimedTransform& way) {
    const auto [fastest, slowest] = std::minmax_element(way.seconds.begin(), way.seconds.end());
    Json json = options_json(way.options);
    json.update({{"time", time_json(way.seconds)},
                 {"fastest", {{"seconds", *fastest}}},
                 {"slowest", {{"seconds", *slowest}}},
                 {"messages", way.messages},
                 {"phases", Json::object()}});
    for (std::size_t i = 0; i < fft::phases; ++i)
        json["phases"][phase_names[i]] = time_json(way.phases[i]);
    if (way.verified) json["verified"] = *way.verified;
    return json;
}

}  // namespace

std::string fft_json(const FftResult& result) {
    Json json = {{"lapwing", "fft"},
                 {"size", result.size},
                 {"real", result.real},
                 {"batch", result.batch},
                 {"decomposition", result.decomposition},
                 {"grid", {result.grid.rows, result.grid.columns}},
                 {"order", result.order},
                 {"ranks", result.ranks},
                 {"repetitions", result.repetitions},
                 {"data", result.data},
                 {"ways", Json::array()}};
    for (const TimedTransform& way : result.ways) json["ways"].push_back(way_json(way));
    return text_of(json);
}

}  // namespace lapwing::tools
