#include "support/rank_placement.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "results/doctor_json.hpp"

namespace lapwing::tools {
namespace {

/// The positive number in a file of the kernel's, if there is one.
std::optional<long> number_in(const std::filesystem::path& file) {
    std::ifstream stream(file);
    long value = 0;
    if (stream >> value && value > 0) return value;
    return std::nullopt;
}

/// The network interfaces that are up, without the loopback.
std::vector<NetworkInterface> interfaces() {
    std::vector<NetworkInterface> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/sys/class/net", ignored)) {
        const std::string name = entry.path().filename();
        std::ifstream state(entry.path() / "operstate");
        std::string up;
        if (name == "lo" || !(state >> up) || up == "down") continue;
        NetworkInterface interface { name, {}, number_in(entry.path() / "mtu") };
        // The speed that a virtual interface reports was never measured.
        if (std::filesystem::exists(entry.path() / "device", ignored))
            if (const auto megabits = number_in(entry.path() / "speed"))
                interface.bits_per_second = static_cast<double>(*megabits) * 1e6;
        found.push_back(interface);
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
}

std::vector<int> processors() {
    std::vector<int> allowed;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &set)) allowed.push_back(i);
    return allowed;
}

RankPlace this_rank() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    int length = 0;
    MPI_Get_processor_name(host.data(), &length);
    std::error_code ignored;
    const auto network = std::filesystem::read_symlink("/proc/self/ns/net", ignored);
    return {host.data(), network.string(), processors(), interfaces()};
}

}  // namespace

std::vector<std::string> gather_places() {
    std::vector<std::string> places;
    if (simulated_time) return places;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string mine = place_json(this_rank());
    const auto length = static_cast<int>(mine.size());
    std::vector<int> lengths(static_cast<std::size_t>(ranks));
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::vector<int> offsets(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
    std::string all(static_cast<std::size_t>(offsets.back() + lengths.back()), ' ');
    MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
                0, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) return places;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        places.push_back(
            all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
    return places;
}

}  // namespace lapwing::tools
