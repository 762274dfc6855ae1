#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "lapwing/io/plan_json.hpp"
#include "lapwing/plan/words.hpp"

namespace lapwing {
namespace {

using Json = nlohmann::ordered_json;

/// A text that lives for as long as the program: plans refer to words that they do not own.
std::string_view kept(const std::string& text) {
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard lock(mutex);
    return *texts.insert(text).first;
}

double seconds(const Json& object) {
    const auto value = object.at("seconds").get<double>();
    if (!std::isfinite(value) || value < 0)
        throw std::invalid_argument("a time must be a finite number of seconds, 0 or more");
    return value;
}

Workload workload(const Json& document) {
    Workload workload;
    workload.volume = document.at("volume").get<std::uint64_t>();
    workload.compute = seconds(document.at("compute"));
    workload.grain = document.at("grain").get<std::uint64_t>();
    workload.pattern = pattern_named(document.at("pattern").get<std::string>());
    workload.direction = direction_named(document.at("direction").get<std::string>());
    workload.dependence = dependence_named(document.at("dependence").get<std::string>());
    workload.ranks = document.at("ranks").get<std::uint64_t>();
    workload.peers = document.at("peers").get<std::uint64_t>();
    workload.balanced = document.at("balanced").get<bool>();
    workload.block = document.at("block").get<std::uint64_t>();
    workload.stride = document.at("stride").get<std::uint64_t>();
    workload.uncertainty = document.at("uncertainty").get<double>();
    workload.sizes_known = document.at("sizes_known").get<bool>();
    return workload;
}

Messages messages(const Json& compact) {
    Messages messages(compact.at("grain").get<std::uint64_t>());
    for (const Json& run : compact.at("runs")) {
        const auto size = run.at(0).get<std::uint64_t>();
        const auto count = run.at(1).get<std::uint64_t>();
        if (size == 0 || count == 0) throw std::invalid_argument("a message must not be empty");
        messages.append(size, count);
    }
    if (messages.count() == 0 || messages.grain() == 0)
        throw std::invalid_argument("needs messages, and a grain above 0");
    return messages;
}

Plan plan(const Json& document) {
    Plan plan;
    plan.workload = workload(document);
    plan.method = method_named(document.at("method").get<std::string>());
    plan.messages = messages(document.at("compact"));
    plan.window = document.at("window").get<int>();
    if (plan.window < 1) throw std::invalid_argument("window must be at least 1");
    const Json& burst = document.at("burst");
    plan.burst = burst.is_null() ? 0 : burst.get<int>();
    plan.pace = document.at("pace").get<double>();
    plan.order = order_named(document.at("order").get<std::string>());
    plan.staggered = document.at("staggered").get<bool>();
    plan.tile = document.at("tile").get<std::uint64_t>();
    plan.transport = kept(document.at("transport").get<std::string>());
    plan.packing = packing_named(document.at("packing").get<std::string>());
    plan.poll_interval = seconds(document.at("poll_interval"));
    plan.poll_reason = kept(document.at("poll_reason").get<std::string>());
    plan.predicted = seconds(document.at("predicted"));
    plan.limit = seconds(document.at("limit"));
    plan.blocking = seconds(document.at("blocking"));
    plan.bound = bound_named(document.at("bound").get<std::string>());
    if (const Json& next = document.at("runner_up"); !next.is_null())
        plan.runner_up = {next.at("what").get<std::string>(), seconds(next.at("predicted"))};
    return plan;
}

}  // namespace

Plan plan_from_json(const std::string& document) {
    try {
        return plan(Json::parse(document));
    } catch (const std::exception& error) {
        throw std::invalid_argument(std::string("no plan: ") + error.what());
    }
}

}  // namespace lapwing
