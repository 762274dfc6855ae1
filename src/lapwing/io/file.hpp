#pragma once

#include <string>
#include <string_view>

namespace lapwing {

/// The content of the file at `path`. Throws `std::runtime_error` with the path and the system's
/// reason.
[[nodiscard]] std::string read_file(const std::string& path);

/// Writes `content` to the file at `path`, all or nothing: a reader never sees half of it, and an
/// existing file stays as it is if writing fails. A pipe or a character device is written into.
/// Throws as `read_file`.
void write_file(const std::string& path, std::string_view content);

}  // namespace lapwing
