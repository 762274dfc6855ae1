#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/io/document_reader.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/io/plan_parts_json.hpp"

namespace lapwing {
namespace {

/// A copy of `text` that lives as long as the program: plans refer to texts that they do not own.
std::string_view kept(const std::string& text) {
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard lock(mutex);
    return *texts.insert(text).first;
}

std::string_view kept(const DocumentReader& read, const char* name) {
    std::string text;
    read(name, text);
    return kept(text);
}

Workload workload(const DocumentReader& read) {
    Workload workload;
    read("volume", workload.volume);
    read.time("compute", workload.compute);
    read("grain", workload.grain);
    read("uncertainty", workload.uncertainty);
    read_pattern(read, workload);
    return workload;
}

Messages messages(const DocumentReader& read) {
    std::uint64_t volume = 0;
    std::uint64_t grain = 0;
    read("volume", volume);
    read("grain", grain);
    Messages messages = read_runs(read, "runs", grain, volume);
    if (messages.count() == 0 || grain == 0) refuse_document("needs messages, and a grain above 0");
    return messages;
}

Plan plan(const DocumentReader& read) {
    Plan plan;
    plan.workload = workload(read);
    read.word("method", plan.method, &method_named);
    plan.messages = messages(read.object("compact"));
    read("window", plan.window);
    if (plan.window < 1) refuse_document("window must be at least 1");
    if (!read.null("burst")) read("burst", plan.burst);
    read("pace", plan.pace);
    read.word("order", plan.order, &order_named);
    read("staggered", plan.staggered);
    read("tile", plan.tile);
    plan.transport = kept(read, "transport");
    if (read.has("transport_reason")) plan.transport_reason = kept(read, "transport_reason");
    read.word("packing", plan.packing, &packing_named);
    read.time("poll_interval", plan.poll_interval);
    plan.poll_reason = kept(read, "poll_reason");
    read.time("predicted", plan.predicted);
    read.time("limit", plan.limit);
    read.time("blocking", plan.blocking);
    read.word("bound", plan.bound, &bound_named);
    if (read.null("runner_up")) return plan;
    const DocumentReader next = read.object("runner_up");
    next("what", plan.runner_up.what);
    next.time("predicted", plan.runner_up.predicted);
    return plan;
}

}  // namespace

Plan plan_from_json(const std::string& document) {
    try {
        const Json parsed = parse_document(document);
        return plan(DocumentReader(parsed, "document"));
    } catch (const std::exception& error) {
        throw std::invalid_argument(std::string("no plan: ") + error.what());
    }
}

}  // namespace lapwing
