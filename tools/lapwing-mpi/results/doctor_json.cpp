#include "results/doctor_json.hpp"

#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

template <class T>
Json json_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json share_json(const OverlapShare& share) {
    Json json = {{"communication", time_json(share.communication)},
                 {"computation", time_json(share.computation)},
                 {"both", time_json(share.both(), share.together.error)},
                 {"hidden", share.share()},
                 {"error", share.error()}};
    if (share.poll_interval > 0) json["poll_interval"] = {{"seconds", share.poll_interval}};
    return json;
}

Json overlap_json(const OverlapMeasurement& measured) {
    Json json = {{"transport", measured.transport},
                 {"operation", measured.operation},
                 {"computes", measured.computes},
                 {"size", measured.size},
                 {"messages", measured.messages}};
    for (const auto& [mode, share] : measured.shares) json[mode] = share_json(share);
    return json;
}

Json both_ways_json(const BothWaysMeasurement& measured) {
    return {{"size", measured.size},
            {"messages", measured.messages},
            {"in_flight", measured.in_flight},
            {"one_way", time_json(measured.one_way)},
            {"both_ways", time_json(measured.both, measured.slowdown.error)},
            {"slowdown", measured.slowdown.median},
            {"error", measured.slowdown.error * measured.slowdown.median}};
}

}  // namespace

std::string place_json(const RankPlace& place) {
    Json json = {{"host", place.host},
                 {"network", place.network},
                 {"processors", place.processors},
                 {"interfaces", Json::array()}};
    for (const auto& interface : place.interfaces)
        json["interfaces"].push_back({{"name", interface.name},
                                      {"bits_per_second", json_or_null(interface.bits_per_second)},
                                      {"mtu", json_or_null(interface.mtu)}});
    return json.dump();
}

std::string doctor_json(const DoctorResult& result) {
    Json json = {{"machine", Json::object()}, {"places", Json::array()}};
    for (const auto& place : result.places) json["places"].push_back(Json::parse(place));
    for (const auto& [name, value] : result.machine) json["machine"][name] = value;
    json["warnings"] = result.warnings;
    json["samples"] = result.samples;
    json["dropped"] = result.dropped;
    json["measurements"] = Json::array();
    for (const auto& each : result.measurements) json["measurements"].push_back(overlap_json(each));
    json["both_ways"] = Json::array();
    for (const auto& each : result.both_ways) json["both_ways"].push_back(both_ways_json(each));
    return text_of(json);
}

}  // namespace lapwing::tools
