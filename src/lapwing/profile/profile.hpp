#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapwing {

/// The LogGP parameters of one pair of ranks (Culler 1993, Alexandrov 1997). All in seconds,
/// G in seconds per byte. `o_s` and `o_r` are those of a message of at most 8 bytes.
struct LogGP {
    double L = 0;    ///< wire latency, one way
    double o_s = 0;  ///< processor overhead of a send
    double o_r = 0;  ///< processor overhead of a receive
    double g = 0;    ///< least time between two short messages
    double G = 0;    ///< time per byte of a long message
};

/// How a network interface treats several messages under way at once.
enum class Nic {
    serialising,  ///< one after another, in the order they were sent
    sharing,      ///< all together, each at a share of the bandwidth
};

/// Initiation and completion overhead against message size and burst (Iancu 2.1, figures 1 and 2).
struct Overhead {
    std::vector<std::uint64_t> sizes;       ///< bytes, increasing
    std::vector<int> bursts;                ///< messages initiated back to back, increasing
    std::vector<std::vector<double>> send;  ///< o_s(S, b), seconds a message: [size][burst]
    std::vector<double> receive;            ///< o_r(S), seconds a message: [size]
};

/// Bandwidth against message size, bytes a second (Iancu 2.1, figure 3).
struct Bandwidth {
    std::vector<std::uint64_t> sizes;    ///< bytes, increasing
    std::vector<double> unidirectional;  ///< a flood one way
    std::vector<double> bidirectional;   ///< both ways at once, the sum of the two
};

/// Does a message advance while the program computes and calls nothing? Measured on streams with as
/// much computation as communication, against what the LogGP parameters say they would take.
struct Progress {
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing
    std::vector<double> unattended;    ///< share of the transfer hidden without a call: 0 … 1
    std::vector<double> polled;        ///< the same with the transport polled meanwhile
    std::vector<int> window;           ///< messages in flight that hid most, unattended
    double poll_interval = 0;          ///< seconds between the polls
};

/// What a machine measured like: everything the planner and the models need, and where, how and
/// how well it was measured.
struct Profile {
    static constexpr int schema_version = 1;

    /// Where and how it was measured: free text by name (mpi, hosts, cores, date, command …).
    std::vector<std::pair<std::string, std::string>> machine;
    LogGP loggp;
    /// Relative error of each LogGP parameter, in the same places (0.01 is one per cent).
    LogGP error;
    Overhead overhead;
    Bandwidth bandwidth;
    Progress progress;
    Nic nic = Nic::serialising;
    std::optional<int> queue_depth;  ///< messages outstanding before initiation blocks
    std::string queue_depth_reason;  ///< why there is none
    std::vector<std::string> warnings;
};

/// Checks what every reader relies on: finite, non-negative parameters, tables of matching shape
/// with increasing sizes. Throws `std::invalid_argument` naming the first field that is wrong.
void validate(const Profile& profile);

}  // namespace lapwing
