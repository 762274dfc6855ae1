#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lapwing/record/decoder.hpp"
#include "lapwing/record/mapped_file.hpp"

namespace lapwing::record {

/// A file of all ranks' records, mapped into memory.
///
/// The file begins with "LWTRACE\n", four bytes with its version and four that are 0. Then come the
/// number of ranks and the bytes of a description, eight bytes each, and the description, JSON. For
/// each rank eight bytes follow, how many bytes of records it has, and these records. Numbers are
/// little-endian.
class Recording {
  public:
    static constexpr std::uint32_t version = 1;

    /// Throws `std::runtime_error` with the file's name: if it cannot be read, is no recording, is
    /// of another version, or is shorter than it says.
    explicit Recording(const std::string& path);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t ranks() const { return ranks_.size(); }
    /// JSON: where from and when it is, and the call sites.
    [[nodiscard]] std::string_view description() const { return description_; }
    /// Reads the records of a rank from the beginning.
    [[nodiscard]] Decoder rank(std::uint64_t rank) const {
        return {ranks_[rank], rank, ranks_.size()};
    }

  private:
    void read_header();

    std::string path_;
    MappedFile file_;
    std::string_view description_;
    std::vector<std::span<const std::uint8_t>> ranks_;
};

}  // namespace lapwing::record
