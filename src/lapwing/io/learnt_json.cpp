#include "lapwing/io/learnt_json.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "lapwing/io/file.hpp"
#include "lapwing/io/plan_parts_json.hpp"
#include "lapwing/io/section_json.hpp"
#include "lapwing/plan/words.hpp"

namespace lapwing {
namespace {

constexpr int schema_version = 1;

Json document_of(const Workload& workload) {
    Json document = {
        {"volume", workload.volume}, {"compute", workload.compute}, {"grain", workload.grain}};
    append_pattern(document, workload);
    return document;
}

/// The members of the object `json`, each by its name.
class Reader {
  public:
    Reader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

    template <class Value>
    void operator()(const char* name, Value& value) const {
        from_document(require_field(json_, place_, name), name, value);
    }
    /// One of several words.
    template <class Enumeration>
    void word(const char* name, Enumeration& value, Enumeration (*named)(std::string_view)) const {
        std::string text;
        (*this)(name, text);
        value = named(text);
    }
    [[nodiscard]] Reader object(const char* name) const {
        return {require_field(json_, place_, name), name};
    }

  private:
    const Json& json_;
    std::string place_;
};

Workload workload_of(const Reader& read) {
    Workload workload;
    read("volume", workload.volume);
    read("compute", workload.compute);
    read("grain", workload.grain);
    read.word("pattern", workload.pattern, &pattern_named);
    read.word("direction", workload.direction, &direction_named);
    read.word("dependence", workload.dependence, &dependence_named);
    read("ranks", workload.ranks);
    read("peers", workload.peers);
    read("balanced", workload.balanced);
    read("block", workload.block);
    read("stride", workload.stride);
    read("sizes_known", workload.sizes_known);
    return complete(workload);
}

Messages messages_of(const Reader& read, std::uint64_t grain, std::uint64_t most) {
    std::vector<std::vector<std::uint64_t>> runs;
    read("messages", runs);
    Messages messages(grain);
    for (const auto& run : runs) {
        if (run.size() != 2 || run[0] == 0 || run[1] == 0)
            refuse_document("messages must be pairs of a size and a count, above 0");
        if (run[0] > most || run[1] > (most - messages.volume()) / run[0])
            refuse_document("messages have more bytes than the workload");
        messages.append(run[0], run[1]);
    }
    return messages;
}

Learnt read_learnt(const Json& document) {
    const Reader read(document, "document");
    int version = 0;
    read("schema_version", version);
    if (version != schema_version)
        refuse_document("schema_version is " + std::to_string(version) + ", this Lapwing reads " +
                        std::to_string(schema_version));
    Learnt learnt;
    learnt.workload = workload_of(read.object("workload"));
    read("fingerprint", learnt.fingerprint);
    read("wire", learnt.wire);
    read("blocking", learnt.blocking);
    read("step", learnt.step);
    learnt.messages = messages_of(read, learnt.workload.grain, learnt.workload.volume);
    read("window", learnt.window);
    read("poll_interval", learnt.poll_interval);
    return learnt;
}

}  // namespace

std::string to_json(const Learnt& learnt) {
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

Learnt learnt_from_json(std::string_view document) {
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

Learnt load_learnt(const std::string& path) {
    const std::string document = read_file(path);
    try {
        return learnt_from_json(document);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

void save_learnt(const std::string& path, const Learnt& learnt) {
    write_file(path, to_json(learnt));
}

}  // namespace lapwing
