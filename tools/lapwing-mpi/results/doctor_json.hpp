#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/benchmarks/overlap_share.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing::tools {

/// A network interface as the kernel describes it.
struct NetworkInterface {
    std::string name;
    std::optional<double> bits_per_second;  ///< none if unknown, or if the interface is virtual
    std::optional<long> mtu;                ///< bytes
};

/// Where a rank is.
struct RankPlace {
    std::string host;
    std::string network;          ///< namespace
    std::vector<int> processors;  ///< those it may use
    std::vector<NetworkInterface> interfaces;
};

/// A place as text in one line, as ranks send it and `DoctorResult` has it.
[[nodiscard]] std::string place_json(const RankPlace& place);

/// Messages of one operation and size, while one side computes.
struct OverlapMeasurement {
    std::string transport;
    std::string operation;
    std::string computes;                                      ///< "initiator" or "target"
    std::uint64_t size = 0;                                    ///< bytes
    std::uint64_t messages = 0;                                ///< in a run
    std::vector<std::pair<std::string, OverlapShare>> shares;  ///< by the name of a `ProgressMode`
};

/// Messages in both directions at once.
struct BothWaysMeasurement {
    std::uint64_t size = 0;      ///< bytes
    std::uint64_t messages = 0;  ///< in a run, each way
    int in_flight = 0;
    Estimate one_way;   ///< seconds, of the slower direction
    double both = 0;    ///< seconds of both directions
    Estimate slowdown;  ///< both directions over one
};

/// What `doctor` found.
struct DoctorResult {
    std::vector<std::pair<std::string, std::string>> machine;  ///< name and value
    std::vector<std::string> places;                           ///< by rank, as text
    std::vector<std::string> warnings;
    std::size_t samples = 0;
    std::size_t dropped = 0;  ///< disturbed samples
    std::vector<OverlapMeasurement> measurements;
    std::vector<BothWaysMeasurement> both_ways;
};

/// The result as text.
[[nodiscard]] std::string doctor_json(const DoctorResult& result);

}  // namespace lapwing::tools
