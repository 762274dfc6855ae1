// Recordings of what each rank of a program does.

#include "record.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

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
constexpr std::array<const char*, record::collectives> collective_names{
    "barrier",  "bcast",     "reduce",         "allreduce",
    "scan",     "exscan",    "gather",         "gatherv",
    "scatter",  "scatterv",  "allgather",      "allgatherv",
    "alltoall", "alltoallv", "reduce_scatter", "reduce_scatter_block"};

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
    const bool swaps = kind == Kind::send_receive;
    const bool collective = kind == Kind::collective || kind == Kind::start_collective;
    const bool sends = swaps || kind == Kind::send || kind == Kind::start_send;
    const bool receives = swaps || kind == Kind::receive || kind == Kind::start_receive;
    made["duration"] = record.duration;
    made["site"] = record.site;
    if (sends || receives || collective) made["communicator"] = record.communicator;
    if (sends) made["sent"] = message_of(record.sent);
    if (receives) made["received"] = message_of(record.received);
    if (collective) {
        made["collective"] = collective_names[static_cast<std::size_t>(record.collective)];
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

}  // namespace

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
}

}  // namespace lapwing::python
