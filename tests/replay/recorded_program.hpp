#pragma once

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "lapwing/record/encoder.hpp"
#include "lapwing/record/recording.hpp"

namespace lapwing::tests {

/// A program that a test writes down, record by record, as if its ranks had been recorded.
class RecordedProgram {
  public:
    explicit RecordedProgram(std::size_t ranks) : ranks_(ranks) {}

    void add(std::size_t rank, const record::Record& record) {
        std::vector<std::uint8_t> room(record::Encoder::most_bytes(
            record.requests.size() + record.blocks.size() + record.members.size()));
        record::Encoder encoder(room);
        const auto bytes = encoder.write(record);
        ranks_[rank].insert(ranks_[rank].end(), bytes.begin(), bytes.end());
    }
    [[nodiscard]] std::size_t ranks() const { return ranks_.size(); }

    /// The content of its file.
    [[nodiscard]] std::string file() const {
        std::string text = "LWTRACE\n";
        append(text, record::Recording::version, 4);
        append(text, 0, 4);
        append(text, ranks_.size(), 8);
        append(text, 2, 8);
        text += "{}";
        for (const auto& bytes : ranks_) {
            append(text, bytes.size(), 8);
            text.append(bytes.begin(), bytes.end());
        }
        return text;
    }
    /// It, read from a file.
    [[nodiscard]] record::Recording recording() const { return read(file()); }

    static record::Recording read(const std::string& content) {
        std::string path = "/tmp/lapwing-recording-XXXXXX";
        const int file = mkstemp(path.data());
        if (file < 0) std::abort();
        close(file);
        std::ofstream(path, std::ios::binary) << content;
        struct Removed {
            const std::string& path;
            ~Removed() { std::remove(path.c_str()); }
        } const removed{path};
        return record::Recording(path);
    }

  private:
    static void append(std::string& text, std::uint64_t value, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
    }

    std::vector<std::vector<std::uint8_t>> ranks_;
};

}  // namespace lapwing::tests
