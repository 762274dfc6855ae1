#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/record/record.hpp"

namespace lapwing::replay {

/// A record with its lists, which others only lend.
class KeptRecord {
  public:
    explicit KeptRecord(const record::Record& record)
        : record_(record),
          requests_(record.requests.begin(), record.requests.end()),
          blocks_(record.blocks.begin(), record.blocks.end()),
          members_(record.members.begin(), record.members.end()) {
        record_.requests = {};
        record_.blocks = {};
        record_.members = {};
    }

    [[nodiscard]] record::Record& operator*() { return record_; }
    [[nodiscard]] record::Record* operator->() { return &record_; }
    [[nodiscard]] const record::Record& operator*() const { return record_; }
    [[nodiscard]] const record::Record* operator->() const { return &record_; }
    [[nodiscard]] std::vector<std::uint64_t>& requests() { return requests_; }
    [[nodiscard]] const std::vector<std::uint64_t>& requests() const { return requests_; }
    [[nodiscard]] std::vector<std::uint64_t>& blocks() { return blocks_; }

    /// The record, which lends its lists as long as this is there.
    [[nodiscard]] record::Record lent() const {
        record::Record record = record_;
        record.requests = requests_;
        record.blocks = blocks_;
        record.members = members_;
        return record;
    }

  private:
    record::Record record_;
    std::vector<std::uint64_t> requests_;
    std::vector<std::uint64_t> blocks_;
    std::vector<record::Run> members_;
};

}  // namespace lapwing::replay
