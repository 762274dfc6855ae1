#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace lapwing {

/// Writes a JSON document in the trace event format of Perfetto and Chrome's tracing: processes
/// with threads, and the intervals in which each thread was busy. Keeps the text, not JSON values,
/// which would take many times its length.
class TraceWriter {
  public:
    using Json = nlohmann::ordered_json;

    /// Names a process, and has it shown in the order of the numbers.
    void process(std::uint64_t process, const std::string& name);
    /// Names a thread of a process, likewise.
    void thread(std::uint64_t process, std::uint64_t thread, const std::string& name);
    /// Adds an interval called `name` to a thread: `start` and `length` in microseconds.
    void busy(const std::string& name, std::uint64_t process, std::uint64_t thread, double start,
              double length, Json arguments);

    /// Takes the whole document; the writer is empty afterwards.
    [[nodiscard]] std::string take();

  private:
    void append(const Json& event);

    std::string text_;
};

}  // namespace lapwing
