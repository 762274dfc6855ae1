#include "window.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <map>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace lapwing::interfaces {

namespace {

std::unordered_map<MPI_Win, std::unique_ptr<Window>> windows;

/// The ranks of a communicator, as those of MPI_COMM_WORLD.
std::vector<int> members_of(MPI_Comm comm) {
    MPI_Group some = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &some);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int size = 0;
    PMPI_Group_size(some, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::vector<int> members(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    PMPI_Group_translate_ranks(some, size, ranks.data(), world, members.data());
    PMPI_Group_free(&some);
    PMPI_Group_free(&world);
    return members;
}

}  // namespace

Window::Window(MPI_Comm ranks, Part part) {
    // Making a window is collective and waits: ranks make those that they share in the same order.
    struct Shared {
        std::vector<std::size_t> made;  ///< windows, by rank
        std::map<std::size_t, std::pair<std::shared_ptr<Parts>, std::size_t>> entered;
    };
    static std::map<std::vector<int>, Shared> all;
    const std::vector<int> members = members_of(ranks);
    PMPI_Comm_rank(ranks, &rank_);
    Shared& shared = all[members];
    shared.made.resize(members.size());
    const std::size_t number = shared.made[static_cast<std::size_t>(rank_)]++;
    auto& [parts, entered] = shared.entered[number];
    if (parts == nullptr) parts = std::make_shared<Parts>(members.size());
    parts_ = parts;
    part.host = simgrid::s4u::this_actor::get_host();
    (*parts_)[static_cast<std::size_t>(rank_)] = part;
    if (++entered == members.size()) shared.entered.erase(number);
    pending_.resize(members.size());
}

Window* Window::of(MPI_Win handle) {
    const auto found = windows.find(handle);
    return found == windows.end() ? nullptr : found->second.get();
}

void Window::insert(MPI_Win handle, std::unique_ptr<Window> window) {
    windows[handle] = std::move(window);
}

void Window::erase(MPI_Win handle) { windows.erase(handle); }

void Window::end(int target) {
    --pending_[static_cast<std::size_t>(target)];
    ended_->notify_all();
}

void Window::flush(int target) {
    std::unique_lock lock(*mutex_);
    ended_->wait(lock, [&] { return pending_[static_cast<std::size_t>(target)] == 0; });
}

void Window::flush_all() {
    for (int target = 0; target < size(); ++target) flush(target);
}

}  // namespace lapwing::interfaces
