#include "lapwing/profile/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <sstream>
#include <string_view>

#include "lapwing/profile/stable_hash.hpp"

namespace lapwing {
namespace {

/// The entries of `Profile::machine` that a fingerprint covers.
constexpr std::array<const char*, 8> parts = {"target",    "cluster", "mpi",   "environment",
                                              "processor", "cores",   "hosts", "interfaces"};

std::string entry(const MachineDescription& machine, std::string_view name) {
    for (const auto& [key, value] : machine)
        if (key == name) return value;
    return "";
}

/// A target without its number of ranks: "mpi", "net:1gbit", "sim:ib4x".
std::string without_ranks(const std::string& target) {
    const auto end = target.rfind(':');
    if (end == std::string::npos ||
        target.find_first_not_of("0123456789", end + 1) != std::string::npos)
        return target;
    return target.substr(0, end);
}

std::set<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::set<std::string> all;
    for (std::string word; stream >> word;) all.insert(word);
    return all;
}

/// The part of an entry that a fingerprint covers.
std::string covered_part(const MachineDescription& machine, std::string_view name) {
    std::string value = entry(machine, name);
    if (name == "target") {
        std::string where = without_ranks(value);
        // A simulated cluster is identified by its description, not by the name of its file.
        return where.starts_with("sim:") && !entry(machine, "cluster").empty() ? "sim" : where;
    }
    // One host has shared memory, several have a network; which hosts they are does not matter.
    if (name == "hosts" && !value.empty()) return words(value).size() > 1 ? "several" : "one";
    return value;
}

/// The words of `a` that are not in `b`, or "none".
std::string words_only_in(const std::string& a, const std::string& b) {
    std::string all;
    const auto known = words(b);
    for (const auto& word : words(a))
        if (known.count(word) == 0) all += (all.empty() ? "" : " ") + word;
    return all.empty() ? "none" : all;
}

}  // namespace

std::string fingerprint(const MachineDescription& machine) {
    std::string covered;
    for (const char* const name : parts)
        covered.append(name).append("=").append(covered_part(machine, name)).append("\n");
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(stable_hash(covered)));
    return digits.data();
}

std::string difference(const MachineDescription& measured, const MachineDescription& here) {
    const auto differs = [&](std::string_view name) {
        // An empty environment means no settings; any other entry that is empty is unknown.
        const bool known = name == "environment"
                               ? !entry(measured, "mpi").empty() && !entry(here, "mpi").empty()
                               : !entry(measured, name).empty() && !entry(here, name).empty();
        return known && covered_part(measured, name) != covered_part(here, name);
    };
    if (differs("target") || differs("cluster")) {
        const auto there = without_ranks(entry(measured, "target"));
        const auto now = without_ranks(entry(here, "target"));
        return there != now ? "on " + there + ", not on " + now
                            : "on " + now + " as it was described then";
    }
    if (differs("mpi")) return "with " + entry(measured, "mpi") + ", this is " + entry(here, "mpi");
    std::string all;
    const auto add = [&](const std::string& what) { all += (all.empty() ? "" : "; ") + what; };
    for (const char* const name : {"processor", "cores", "interfaces"})
        if (differs(name))
            add("with " + std::string(name) + " " + entry(measured, name) + ", here " +
                entry(here, name));
    if (differs("hosts"))
        add("on " + covered_part(measured, "hosts") + " host" +
            (covered_part(measured, "hosts") == "one" ? "" : "s") + ", here on " +
            covered_part(here, "hosts"));
    if (differs("environment")) {
        const auto there = entry(measured, "environment");
        const auto now = entry(here, "environment");
        add("with MPI settings " + words_only_in(there, now) + ", here " +
            words_only_in(now, there));
    }
    return all;
}

std::string difference(const Profile& a, const Profile& b) {
    auto what = difference(a.machine, b.machine);
    if (a.fingerprint.empty() || b.fingerprint.empty()) return what;
    if (a.fingerprint == b.fingerprint) return "";
    return what.empty() ? "on another machine" : what;
}

std::string staleness(const Profile& profile, const MachineDescription& here) {
    if (profile.fingerprint.empty() || profile.fingerprint == fingerprint(here)) return "";
    const auto what = difference(profile.machine, here);
    return "the profile was measured " + (what.empty() ? "on another machine" : what) +
           ": calibrate again";
}

}  // namespace lapwing
