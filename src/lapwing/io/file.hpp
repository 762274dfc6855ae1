#pragma once

#include <string>
#include <string_view>

namespace lapwing {

/// All of the file at `path`. Throws `std::runtime_error` with the path and the system's reason.
[[nodiscard]] std::string read_file(const std::string& path);

/// Writes `content` to `path` so that the file appears under its name only when whole: a reader
/// never sees half of it, and what was there before stays if writing fails. Throws as `read_file`.
void write_file(const std::string& path, std::string_view content);

}  // namespace lapwing
