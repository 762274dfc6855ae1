#include "support/run_description.hpp"

#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "lapwing/compute/charge.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace lapwing::tools {
namespace {

/// The host and the processors of one rank, in a form that MPI can gather.
struct Place {
    std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
    std::array<char, 128>
        processors{};  ///< numbers of the processors it may run on, with blanks between
};

Place this_place() {
    Place place;
    int length = 0;
    MPI_Get_processor_name(place.host.data(), &length);
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return place;
    std::string list;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (!CPU_ISSET(i, &allowed)) continue;
        const std::string next = (list.empty() ? "" : " ") + std::to_string(i);
        if (list.size() + next.size() + 4 > place.processors.size()) {
            list += " …";
            break;
        }
        list += next;
    }
    std::memcpy(place.processors.data(), list.data(), list.size());
    return place;
}

std::string processor_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

/// How many programs run or wait for a processor on this host, our ranks included.
int running_now() {
    std::ifstream file("/proc/loadavg");
    std::string skipped;
    int running = 0;
    file >> skipped >> skipped >> skipped >> running;
    return running;
}

/// Whether a setting says nothing about the machine: it is what a launcher passes to its ranks, or
/// a folder, which changes from run to run.
bool incidental(std::string_view setting) {
    constexpr std::array<std::string_view, 5> of_launchers = {
        "OMPI_MCA_ess", "OMPI_MCA_orte", "OMPI_MCA_initial", "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
        "I_MPI_HYDRA_"};
    const auto name = setting.substr(0, setting.find('='));
    return std::any_of(of_launchers.begin(), of_launchers.end(),
                       [&](auto prefix) { return name.starts_with(prefix); }) ||
           name.ends_with("dir") || name.ends_with("directory") || name.ends_with("tmpdir_base");
}

/// The settings that change how MPI moves bytes.
std::string mpi_environment() {
    constexpr std::array<std::string_view, 9> prefixes = {
        "OMPI_MCA_", "PMIX_MCA_", "UCX_", "MPICH_", "MPIR_CVAR_", "FI_", "I_MPI_", "MV2_", "PSM"};
    std::set<std::string> settings;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view setting = *entry;
        if (std::any_of(prefixes.begin(), prefixes.end(),
                        [&](auto prefix) { return setting.starts_with(prefix); }) &&
            !incidental(setting))
            settings.emplace(setting);
    }
    std::string all;
    for (const auto& setting : settings) all += (all.empty() ? "" : " ") + setting;
    return all;
}

std::string mpi_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string_view all(text.data());
    const auto end = std::min(all.find_first_of("\n,"), all.find(". "));
    std::string version(all.substr(0, end));
    // MPICH writes "MPICH Version:" and a tab.
    if (const auto word = version.find(" Version:"); word != std::string::npos) {
        const auto number = version.find_first_not_of(" \t", word + std::strlen(" Version:"));
        version.replace(word, number == std::string::npos ? number : number - word, " ");
    }
    return version;
}

/// The first line of a file; empty if it cannot be read.
std::string first_line(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// The network interfaces that are up, with MTU and speed. Leaves out the loopback and virtual
/// interfaces: tunnels, bridges and links to containers.
std::string network_interfaces() {
    constexpr std::array<std::string_view, 2> networks = {"1", "32"};  // Ethernet, InfiniBand
    std::set<std::string> all;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/sys/class/net", none)) {
        const auto& folder = entry.path();
        if (std::find(networks.begin(), networks.end(), first_line(folder / "type")) ==
                networks.end() ||
            first_line(folder / "operstate") == "down" ||
            std::filesystem::exists(folder / "bridge", none) ||
            std::filesystem::exists(folder / "brport", none))
            continue;
        std::string what = folder.filename().string() + " mtu " + first_line(folder / "mtu");
        const auto speed = first_line(folder / "speed");  // -1 if unknown
        if (!speed.empty() && !speed.starts_with('-')) what += " " + speed + " Mbit/s";
        all.insert(what);
    }
    std::string text;
    for (const auto& one : all) text += (text.empty() ? "" : ", ") + one;
    return text;
}

std::string date() {
    const std::time_t time = std::time(nullptr);
    std::array<char, 32> text{};
    std::tm parts{};
    gmtime_r(&time, &parts);
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

RunDescription::RunDescription() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Place mine = this_place();
    std::vector<Place> places(static_cast<std::size_t>(ranks));
    // Not MPI_Allgather: with hundreds of simulated ranks it takes a minute.
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, places.data(), sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    MPI_Bcast(places.data(), ranks * static_cast<int>(sizeof mine), MPI_BYTE, 0, MPI_COMM_WORLD);

    std::string hosts;
    std::string binding;
    std::map<std::string, int> ranks_on;
    std::map<std::string, std::set<std::string>> processors_on;
    for (const auto& place : places) {
        const std::string host = place.host.data();
        if (++ranks_on[host] == 1) hosts += (hosts.empty() ? "" : " ") + host;
        if (!binding.empty()) binding += "; ";
        binding += place.processors.data();
        std::istringstream numbers(place.processors.data());
        for (std::string number; numbers >> number;) processors_on[host].insert(number);
    }
    fields_ = {
        {"target", environment("LAPWING_TARGET")},
        {"mpi", mpi_version()},
        {"environment", mpi_environment()},
        {"ranks", std::to_string(ranks)},
        {"hosts", hosts},
        {"processor", simulated_time ? "simulated" : processor_model()},
        {"cores", simulated_time ? "simulated" : std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
        {"binding", simulated_time ? "simulated" : binding},
        {"date", date()},
        {"command", environment("LAPWING_COMMAND")}};
    if (simulated_time) {
        fields_.emplace_back("cluster", environment("LAPWING_CLUSTER"));
        return;
    }
    fields_.emplace_back("interfaces", network_interfaces());

    for (const auto& [host, count] : ranks_on) {
        const auto processors = processors_on[host].size();
        if (processors > 0 && static_cast<std::size_t>(count) > processors)
            warnings_.push_back(host + " is oversubscribed: " + std::to_string(count) +
                                " ranks share " + std::to_string(processors) +
                                " processors; timings are not to be trusted");
    }
    const int others = running_now() - ranks_on[mine.host.data()];
    if (others > 0)
        warnings_.push_back("other programs were running on " + std::string(mine.host.data()) +
                            " (" + std::to_string(others) + " at the start)");
}

void add_warnings(Profile& profile, const NoiseCounts& noise, const SamplingGoal& goal) {
    const auto percent = [](double share) {
        return std::to_string(std::lround(share * 100)) + " %";
    };
    const double share =
        noise.samples > 0 ? static_cast<double>(noise.dropped) / static_cast<double>(noise.samples)
                          : 0;
    // On a quiet machine the kernel's own threads take a few per cent.
    if (noise.preempted > 0.05)
        profile.warnings.push_back("other programs took " + percent(noise.preempted) +
                                   " of a rank's processor while it measured: stop them, or bind "
                                   "the ranks to free cores, and calibrate again");
    if (share > 0.1)
        profile.warnings.push_back(
            percent(share) + " of the samples were disturbed and dropped: the machine is busy");
    if (noise.missed > 0)
        profile.warnings.push_back(std::to_string(noise.missed) +
                                   " quantities did not reach a relative error of " +
                                   percent(goal.accuracy) + " in the time allowed");
}

}  // namespace lapwing::tools
