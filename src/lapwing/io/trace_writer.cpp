#include "lapwing/io/trace_writer.hpp"

#include <utility>

namespace lapwing {
namespace {

constexpr const char* opening = R"({"lapwing":"trace","displayTimeUnit":"ns","traceEvents":[)";

}  // namespace

void TraceWriter::process(std::uint64_t process, const std::string& name) {
    append({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}});
    append({{"name", "process_sort_index"},
            {"ph", "M"},
            {"pid", process},
            {"args", {{"sort_index", process}}}});
}

void TraceWriter::thread(std::uint64_t process, std::uint64_t thread, const std::string& name) {
    append({{"name", "thread_name"},
            {"ph", "M"},
            {"pid", process},
            {"tid", thread},
            {"args", {{"name", name}}}});
    append({{"name", "thread_sort_index"},
            {"ph", "M"},
            {"pid", process},
            {"tid", thread},
            {"args", {{"sort_index", thread}}}});
}

void TraceWriter::busy(const std::string& name, std::uint64_t process, std::uint64_t thread,
                       double start, double length, Json arguments) {
    append({{"name", name},
            {"ph", "X"},
            {"pid", process},
            {"tid", thread},
            {"ts", start},
            {"dur", length},
            {"args", std::move(arguments)}});
}

std::string TraceWriter::take() {
    if (text_.empty()) text_ = opening;
    text_ += "\n]}\n";
    return std::exchange(text_, {});
}

void TraceWriter::append(const Json& event) {
    text_ += text_.empty() ? opening : ",";
    text_ += '\n';
    text_ += event.dump();
}

}  // namespace lapwing
