// Recordings of what each rank of a program does.

#include "record.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "lapwing/record/encoder.hpp"
#include "lapwing/record/recording.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using record::Kind;
using record::Record;
using record::Recording;

constexpr std::array<const char*, record::kinds> kind_names{
    "none",         "communicator",     "finish",        "send", "receive",
    "send_receive", "start_send",       "start_receive", "wait", "forget",
    "collective",   "start_collective", "other"};
constexpr std::array<const char*, record::collectives> collective_names{"barrier",
                                                                        "bcast",
                                                                        "reduce",
                                                                        "allreduce",
                                                                        "scan",
                                                                        "exscan",
                                                                        "gather",
                                                                        "gatherv",
                                                                        "scatter",
                                                                        "scatterv",
                                                                        "allgather",
                                                                        "allgatherv",
                                                                        "alltoall",
                                                                        "alltoallv",
                                                                        "reduce_scatter",
                                                                        "reduce_scatter_block",
                                                                        "create_communicator"};

nb::list list_of(std::span<const std::uint64_t> items) {
    nb::list list;
    for (const std::uint64_t item : items) list.append(item);
    return list;
}

nb::dict message_of(const record::Message& message) {
    nb::dict made;
    made["peer"] = message.peer;
    made["tag"] = message.tag;
    made["bytes"] = message.bytes;
    return made;
}

void add_communicator(nb::dict& made, const Record& record) {
    nb::list runs;
    for (const record::Run& run : record.members)
        runs.append(nb::make_tuple(run.first, run.stride, run.count));
    made["communicator"] = record.communicator;
    made["context"] = record.context;
    made["members"] = runs;
}

void add_call(nb::dict& made, const Record& record) {
    const Kind kind = record.kind;
    const bool collective = kind == Kind::collective || kind == Kind::start_collective;
    const bool sends = record::sends(kind);
    const bool receives = record::receives(kind);
    made["duration"] = record.duration;
    made["site"] = record.site;
    if (sends || receives || collective) made["communicator"] = record.communicator;
    if (sends) made["sent"] = message_of(record.sent);
    if (receives) made["received"] = message_of(record.received);
    if (collective) {
        made["collective"] = name_of(record.collective);
        made["root"] = record.root;
        made["bytes"] = record.bytes;
        if (!record.blocks.empty()) made["blocks"] = list_of(record.blocks);
    }
    if (kind == Kind::wait) made["requests"] = list_of(record.requests);
    if (has_request(kind)) made["request"] = record.request;
}

/// The records of a rank, one after the other.
struct Records {
    record::Decoder decoder;

    nb::dict next() {
        Record record;
        try {
            if (!decoder.next(record)) throw nb::stop_iteration();
        } catch (const record::BadRecord& error) {
            throw nb::value_error(error.what());
        }
        nb::dict made;
        made["kind"] = kind_names[static_cast<std::size_t>(record.kind)];
        if (record.kind == Kind::communicator) {
            add_communicator(made, record);
            return made;
        }
        made["computed"] = record.computed;
        if (record.kind != Kind::finish) add_call(made, record);
        return made;
    }
};

/// The member of a record, or what it is if it is not there.
template <class Value>
Value member(const nb::dict& made, const char* name, Value otherwise) {
    return made.contains(name) ? nb::cast<Value>(made[name]) : otherwise;
}

template <class Names>
std::uint8_t number_of(std::string_view name, const Names& names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw nb::value_error(("a record says '" + std::string(name) + "'").c_str());
    return static_cast<std::uint8_t>(found - names.begin());
}

record::Message message_in(const nb::dict& made, const char* name) {
    if (!made.contains(name)) return {};
    const auto message = nb::cast<nb::dict>(made[name]);
    return {.peer = nb::cast<std::int64_t>(message["peer"]),
            .tag = nb::cast<std::int64_t>(message["tag"]),
            .bytes = nb::cast<std::uint64_t>(message["bytes"])};
}

std::vector<record::Run> runs_in(const nb::dict& made) {
    std::vector<record::Run> runs;
    if (!made.contains("members")) return runs;
    for (const auto item : nb::cast<nb::list>(made["members"])) {
        const auto run = nb::cast<nb::tuple>(item);
        runs.push_back({.first = nb::cast<std::uint64_t>(run[0]),
                        .stride = nb::cast<std::int64_t>(run[1]),
                        .count = nb::cast<std::uint64_t>(run[2])});
    }
    return runs;
}

nb::bytes encode(const nb::dict& made) {
    using Numbers = std::vector<std::uint64_t>;
    const auto blocks = member(made, "blocks", Numbers{});
    const auto requests = member(made, "requests", Numbers{});
    const auto members = runs_in(made);
    const auto number = [&](const char* name) { return member(made, name, std::uint64_t{0}); };
    const auto name = [&](const char* of) { return member(made, of, std::string()); };
    Record record{.kind = static_cast<Kind>(number_of(name("kind"), kind_names)),
                  .computed = number("computed"),
                  .duration = number("duration"),
                  .site = number("site"),
                  .communicator = number("communicator"),
                  .sent = message_in(made, "sent"),
                  .received = message_in(made, "received"),
                  .request = number("request"),
                  .requests = requests,
                  .root = number("root"),
                  .bytes = number("bytes"),
                  .blocks = blocks,
                  .context = number("context"),
                  .members = members};
    if (made.contains("collective"))
        record.collective =
            static_cast<record::Collective>(number_of(name("collective"), collective_names));
    std::vector<std::uint8_t> room(
        record::Encoder::most_bytes(blocks.size() + requests.size() + members.size()));
    const auto bytes = record::Encoder(room).write(record);
    return nb::bytes(bytes.data(), bytes.size());
}

/// The bytes of a record, given as `Records` reads it.
nb::bytes encode_record(const nb::dict& made) {
    try {
        return encode(made);
    } catch (const std::bad_cast&) {
        throw nb::value_error("a record has a number that is negative, not whole or too large");
    }
}

}  // namespace

const char* name_of(record::Collective collective) {
    return collective_names[static_cast<std::size_t>(collective)];
}

void bind_record(nb::module_& module) {
    nb::class_<Records>(module, "Records", "The records of a rank, read one after the other.")
        .def(
            "__iter__", [](nb::object self) { return self; },
            nb::sig("def __iter__(self) -> Records"))
        .def("__next__", &Records::next, nb::sig("def __next__(self) -> dict[str, typing.Any]"),
             "The next record: its members by their names in src/lapwing/record/record.hpp. Raises "
             "ValueError if it is malformed.");
    nb::class_<Recording>(module, "Recording", "What each rank of a program did.")
        .def(
            "__init__",
            [](Recording* self, const std::string& path) {
                try {
                    new (self) Recording(path);
                } catch (const std::runtime_error& error) {
                    throw nb::value_error(error.what());
                }
            },
            "path"_a, "The recording in a file. Raises ValueError if it is none.")
        .def_prop_ro("path", &Recording::path, "Its file.")
        .def_prop_ro("ranks", &Recording::ranks, "The number of ranks.")
        .def_prop_ro("description", &Recording::description, "What it says of the run, JSON.")
        .def(
            "records",
            [](const Recording& self, std::uint64_t rank) {
                if (rank >= self.ranks())
                    throw nb::index_error(("there is no rank " + std::to_string(rank)).c_str());
                return Records{self.rank(rank)};
            },
            "rank"_a, nb::keep_alive<0, 1>(), "What a rank did.");
    module.def("encode_record", &encode_record, "record"_a,
               nb::sig("def encode_record(record: dict[str, typing.Any]) -> bytes"),
               "The bytes of a record in a file, from its members as `Records` has them; those "
               "that are left out are 0 or empty. Raises ValueError for a kind that is "
               "unknown, or a number that a record cannot have.");
}

}  // namespace lapwing::python
