#include "communicators.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "call_description.hpp"
#include "handle_number.hpp"

namespace lapwing::observe {
namespace {

/// The ranks of a group in MPI_COMM_WORLD; MPI_UNDEFINED for those that are not there. Frees it.
std::vector<int> world_ranks(MPI_Group group) {
    int size = 0;
    MPI_Group all{};
    PMPI_Group_size(group, &size);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    std::vector<int> own(static_cast<std::size_t>(size));
    std::vector<int> world(own.size());
    std::iota(own.begin(), own.end(), 0);
    PMPI_Group_translate_ranks(group, size, own.data(), all, world.data());
    PMPI_Group_free(&all);
    PMPI_Group_free(&group);
    return world;
}

NumberedCommunicator members_of(MPI_Comm comm) {
    NumberedCommunicator made{.between = is_between(comm)};
    MPI_Group group{};
    PMPI_Comm_group(comm, &group);
    made.members = made.peers = world_ranks(group);
    if (made.between) {
        PMPI_Comm_remote_group(comm, &group);
        made.peers = world_ranks(group);
        // Both groups see the same order.
        std::vector<int> other = made.peers;
        if (other < made.members) std::swap(other, made.members);
        made.members.insert(made.members.end(), other.begin(), other.end());
    }
    made.known =
        std::find(made.members.begin(), made.members.end(), MPI_UNDEFINED) == made.members.end();
    return made;
}

/// Spreads the bits of a number, as in SplitMix64.
std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ value >> 27U) * 0x94d049bb133111ebULL;
    return value ^ value >> 31U;
}

std::uint64_t hash_of(const NumberedCommunicator& made, bool created) {
    std::uint64_t hash = (made.between ? 2U : 0U) + (created ? 1U : 0U);
    for (const int rank : made.members)
        hash = mixed(hash + 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(rank));
    return hash;
}

}  // namespace

Communicators::Communicators() {
    known_[handle_number(MPI_COMM_WORLD)] = members_of(MPI_COMM_WORLD);
}

const NumberedCommunicator* Communicators::find(MPI_Comm comm) {
    const std::uint64_t handle = handle_number(comm);
    if (last_ && handle == last_handle_) return last_;
    const auto found = known_.find(handle);
    if (found == known_.end()) return nullptr;
    last_handle_ = handle;
    last_ = &found->second;
    return last_;
}

const NumberedCommunicator& Communicators::enter(MPI_Comm comm, bool created) {
    return number(comm, members_of(comm), created);
}

const NumberedCommunicator& Communicators::enter_copy(MPI_Comm copy, MPI_Comm original) {
    return number(copy, members_of(original), true);
}

const NumberedCommunicator& Communicators::number(MPI_Comm comm, NumberedCommunicator made,
                                                  bool created) {
    erase(comm);
    const std::uint64_t hash = hash_of(made, created);
    made.context = mixed(hash + ++seen_[hash]);
    const auto free = std::find(numbers_.begin(), numbers_.end(), false);
    made.number = static_cast<std::uint64_t>(free - numbers_.begin());
    if (free == numbers_.end())
        numbers_.push_back(true);
    else
        *free = true;
    return known_[handle_number(comm)] = std::move(made);
}

void Communicators::erase(MPI_Comm comm) {
    const auto found = known_.find(handle_number(comm));
    if (found == known_.end() || found->second.number == 0) return;
    numbers_[found->second.number] = false;
    last_ = nullptr;
    known_.erase(found);
}

void append_runs(std::span<const int> ranks, std::vector<record::Run>& runs) {
    for (std::size_t i = 0; i < ranks.size();) {
        record::Run run{.first = static_cast<std::uint64_t>(ranks[i]), .stride = 1, .count = 1};
        if (i + 1 < ranks.size()) run.stride = ranks[i + 1] - ranks[i];
        while (i + run.count < ranks.size() &&
               ranks[i + run.count] - ranks[i + run.count - 1] == run.stride)
            ++run.count;
        i += run.count;
        runs.push_back(run);
    }
}

}  // namespace lapwing::observe
