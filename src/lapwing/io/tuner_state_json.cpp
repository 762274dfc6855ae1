#include "lapwing/io/tuner_state_json.hpp"

#include <stdexcept>
#include <string>

#include "lapwing/io/document_reader.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/plan_parts_json.hpp"

namespace lapwing {
namespace {

constexpr int schema_version = 1;

Json document_of(const Workload& workload) {
    Json document = {
        {"volume", workload.volume}, {"compute", workload.compute}, {"grain", workload.grain}};
    append_pattern(document, workload);
    document["transport"] = name(workload.transport);
    return document;
}

Workload workload_of(const DocumentReader& read) {
    Workload workload;
    read("volume", workload.volume);
    read("compute", workload.compute);
    read("grain", workload.grain);
    read_pattern(read, workload);
    if (read.has("transport")) read.word("transport", workload.transport, &transport_named);
    return complete(workload);
}

TunerState read_learnt(const Json& document) {
    const DocumentReader read(document, "document");
    int version = 0;
    read("schema_version", version);
    if (version != schema_version)
        refuse_document("schema_version is " + std::to_string(version) + ", this Lapwing reads " +
                        std::to_string(schema_version));
    TunerState learnt;
    learnt.workload = workload_of(read.object("workload"));
    read("fingerprint", learnt.fingerprint);
    read("wire", learnt.wire);
    read("blocking", learnt.blocking);
    read("step", learnt.step);
    learnt.messages = read_runs(read, "messages", learnt.workload.grain, learnt.workload.volume);
    read("window", learnt.window);
    read("poll_interval", learnt.poll_interval);
    return learnt;
}

}  // namespace

std::string to_json(const TunerState& learnt) {
    const Json document = {{"lapwing", "learnt"},
                           {"schema_version", schema_version},
                           {"workload", document_of(learnt.workload)},
                           {"fingerprint", learnt.fingerprint},
                           {"wire", learnt.wire},
                           {"blocking", to_document(learnt.blocking)},
                           {"step", to_document(learnt.step)},
                           {"messages", runs_document(learnt.messages)},
                           {"window", learnt.window},
                           {"poll_interval", learnt.poll_interval}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

TunerState tuner_state_from_json(std::string_view document) {
    const auto refuse = [](const std::exception& error) {
        throw std::runtime_error(std::string("what a tuner learnt: ") + error.what());
    };
    try {
        return read_learnt(parse_document(document));
    } catch (const std::runtime_error& error) {
        refuse(error);
    } catch (const std::invalid_argument& error) {
        refuse(error);
    }
    return {};
}

TunerState load_tuner_state(const std::string& path) {
    const std::string document = read_file(path);
    try {
        return tuner_state_from_json(document);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

void save_tuner_state(const std::string& path, const TunerState& learnt) {
    write_file(path, to_json(learnt));
}

}  // namespace lapwing
