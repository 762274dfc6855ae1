#include "results/triangulation_json.hpp"

#include <cstdio>

#include "apps/triangulation/schedules.hpp"
#include "lapwing/plan/names.hpp"
#include "results/rank_share_json.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

/// How borders were exchanged; in blocking runs in one message to each neighbour.
Json exchange_json(const triangulation::Job& job, const triangulation::Result& result) {
    const Plan& plan = result.plan;
    const bool whole = result.schedule == triangulation::Schedule::blocking;
    Json messages = Json::array();
    if (whole && plan.messages.volume() > 0)
        messages.push_back({{"size", plan.messages.volume()}, {"count", 1}});
    for (const auto& run : plan.messages.runs())
        if (!whole) messages.push_back({{"size", run.size}, {"count", run.count}});
    Json json = {{"messages", messages},
                 {"window", plan.window},
                 {"poll_interval", {{"seconds", plan.poll_interval}}},
                 {"poll_reason", plan.poll_reason}};
    if (job.profile && !job.message_size && !job.window && result.border > 0) {
        json["predicted"] = {{"seconds", plan.predicted}};
        json["blocking"] = {{"seconds", plan.blocking}};
        json["limit"] = {{"seconds", plan.limit}};
    }
    return json;
}

}  // namespace

std::string triangulation_json(const triangulation::Job& job, const triangulation::Result& result,
                               int ranks) {
    const auto phase = [&](Activity activity) {
        return rank_share_json(result.phases[static_cast<std::size_t>(activity)]);
    };
    char sum[17];
    std::snprintf(sum, sizeof sum, "%016llx", static_cast<unsigned long long>(result.checksum.sum));
    Json json = {{"lapwing", "triangulation"},
                 {"points", result.points},
                 {"places", result.places},
                 {"triangles", result.checksum.triangles},
                 {"checksum", sum},
                 {"ranks", ranks},
                 {"schedule", name(result.schedule)},
                 {"transport", name(job.transport)},
                 {"seconds", result.seconds},
                 {"phases",
                  {{"computation", phase(Activity::computation)},
                   {"consumption", phase(Activity::consumption)},
                   {"initiation", phase(Activity::initiation)},
                   {"wait", phase(Activity::wait)},
                   {"poll", phase(Activity::poll)}}},
                 {"insertion", {{"seconds", result.insertion}}},
                 {"border", result.border},
                 {"exchange", exchange_json(job, result)},
                 {"fetched", {{"points", result.fetched.mean}, {"most", result.fetched.most}}},
                 {"bytes", result.bytes},
                 {"questions", result.questions},
                 {"rounds", result.rounds}};
    if (result.verified) json["verified"] = *result.verified;
    return text_of(json);
}

}  // namespace lapwing::tools
