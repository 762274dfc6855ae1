#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// A log of another benchmark.
struct ImportedLog {
    std::string file;     ///< its path, as it was given
    std::string tool;     ///< that wrote it
    std::string version;  ///< of the tool; empty if the log does not say

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("file", self.file, fields::Free{});
        visit("tool", self.tool, fields::Free{});
        visit("version", self.version, fields::Free{});
    }
};

/// Where a table of a profile comes from that was not measured but imported from logs, and how far
/// these differ. The table has the median of their values at each size.
struct ImportedTable {
    std::string table;                 ///< its place: "latency.half_round_trip"
    std::vector<ImportedLog> logs;     ///< that have it
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing
    std::vector<int> values;           ///< how many values there were [size]
    std::vector<double> low;           ///< the least of them [size]
    std::vector<double> high;          ///< the greatest of them [size]

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("table", self.table, fields::Free{});
        visit("logs", self.logs, fields::OptionalSections{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("values", self.values, fields::Counts{self.sizes.size()});
        visit("low", self.low, fields::Column{self.sizes.size()});
        visit("high", self.high, fields::Column{self.sizes.size()});
    }
};

}  // namespace lapwing
