#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace lapwing {

/// A JSON document in the trace event format, which Perfetto and Chrome's tracing show: processes
/// with threads, and on each thread what it was busy with. Made event by event: a document of a
/// long run held as JSON values would need many times its length.
class TraceWriter {
  public:
    using Json = nlohmann::ordered_json;

    /// A process is called `name`, and stands at its number's place.
    void process(std::uint64_t process, const std::string& name);
    /// A thread of it is called `name`, likewise.
    void thread(std::uint64_t process, std::uint64_t thread, const std::string& name);
    /// A thread was busy with `name` from `start` on for `length`, both in microseconds.
    void busy(const std::string& name, std::uint64_t process, std::uint64_t thread, double start,
              double length, Json arguments);

    /// All of it; the writer is empty then.
    [[nodiscard]] std::string take();

  private:
    void append(const Json& event);

    std::string text_;
};

}  // namespace lapwing
