// MPI's one-sided calls as an interface with remote access to memory does them: the initiator pays
// the overhead of a message to send, the target's processor nothing. A put takes its data one way
// and is complete when the acknowledgement is back. A get is a request, and its data on the way
// back.

#include <mpi.h>
#include <simgrid/s4u/Actor.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "completion.hpp"
#include "interface.hpp"
#include "network.hpp"
#include "window.hpp"
#include "workers.hpp"

namespace lapwing::interfaces {

namespace {

/// Elements in memory.
struct Elements {
    void* address;
    int count;
    MPI_Datatype type;

    [[nodiscard]] std::size_t bytes() const {
        int size = 0;
        PMPI_Type_size(type, &size);
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
    }
    [[nodiscard]] bool contiguous() const {
        MPI_Aint first = 0;
        MPI_Aint extent = 0;
        int size = 0;
        PMPI_Type_get_extent(type, &first, &extent);
        PMPI_Type_size(type, &size);
        return first == 0 && extent == size;
    }
};

using Packed = std::vector<std::byte>;

Packed pack(const Elements& from) {
    Packed packed(from.bytes());
    if (packed.empty()) return packed;
    if (from.contiguous()) {
        std::memcpy(packed.data(), from.address, packed.size());
    } else {
        int place = 0;
        PMPI_Pack(from.address, from.count, from.type, packed.data(),
                  static_cast<int>(packed.size()), &place, MPI_COMM_WORLD);
    }
    return packed;
}
void unpack(const Packed& packed, const Elements& into) {
    if (packed.empty()) return;
    if (into.contiguous()) {
        std::memcpy(into.address, packed.data(), packed.size());
    } else {
        int place = 0;
        PMPI_Unpack(packed.data(), static_cast<int>(packed.size()), &place, into.address,
                    into.count, into.type, MPI_COMM_WORLD);
    }
}
/// Copies elements whose bytes are as many.
void copy(const Elements& from, const Elements& into) {
    if (from.contiguous() && into.contiguous()) {
        if (from.bytes() > 0) std::memmove(into.address, from.address, from.bytes());
    } else {
        unpack(pack(from), into);
    }
}

enum class Direction { put, get };

/// What the target of a put is told. Of no bytes, it is a packet without data.
struct Notice {
    int tag;
};

/// Moves elements between this rank and a target. `request`: null, or where to put the request.
/// That of a put with a notice is complete when the put is.
int move(Direction direction, Elements local, int target, MPI_Aint displacement, Elements remote,
         Window& window, MPI_Request* request, std::optional<Notice> notice = {}) {
    if (request != nullptr) *request = MPI_REQUEST_NULL;
    if (target == MPI_PROC_NULL) return MPI_SUCCESS;
    if (target < 0 || target >= window.size()) return MPI_ERR_RANK;
    const std::size_t bytes = local.bytes();
    if (bytes != remote.bytes()) return MPI_ERR_ARG;
    const Part& part = window.part(target);
    const std::size_t offset =
        static_cast<std::size_t>(displacement) * static_cast<std::size_t>(part.unit);
    if (displacement < 0 || offset > part.bytes || bytes > part.bytes - offset)
        return MPI_ERR_RMA_RANGE;
    remote.address = part.base + offset;
    if (target == window.rank()) {
        direction == Direction::put ? copy(local, remote) : copy(remote, local);
        if (notice) part.notices->arrived(target, notice->tag);
        return MPI_SUCCESS;
    }
    auto* const here = simgrid::s4u::this_actor::get_host();
    auto* const there = part.host;
    const auto size = static_cast<double>(bytes);
    const double overhead = initiation("smpi/ois", *here, size);
    if (overhead > 0) simgrid::s4u::this_actor::sleep_for(overhead);
    Interface& interface = Interface::of(*here);
    interface.begin(size);
    window.begin(target);
    std::shared_ptr<Completion> completion;
    if (request != nullptr) completion = std::make_shared<Completion>(*request);
    if (direction == Direction::get) {
        run_beside([=, &interface, &window] {
            wait_beside(packet_time(*here, *there));
            transfer(*there, *here, size, interface);
            copy(remote, local);
            interface.end(size);
            window.end(target);
            if (completion != nullptr) completion->complete();
        });
        return MPI_SUCCESS;
    }
    // Like a message of SMPI, a put with a request is buffered: its request is complete at once.
    std::shared_ptr<const Packed> buffered;
    if (request != nullptr && !notice) buffered = std::make_shared<const Packed>(pack(local));
    run_beside([=, &interface, &window, notices = part.notices, origin = window.rank()] {
        if (completion != nullptr && !notice) completion->complete();
        if (notice && bytes == 0) {
            wait_beside(packet_time(*here, *there));
        } else {
            transfer(*here, *there, size, interface);
        }
        if (buffered != nullptr) {
            unpack(*buffered, remote);
        } else {
            copy(local, remote);
        }
        if (notice) notices->arrived(origin, notice->tag);
        wait_beside(packet_time(*there, *here));
        interface.end(size);
        window.end(target);
        if (completion != nullptr && notice) completion->complete();
    });
    return MPI_SUCCESS;
}

/// Memory that MPI_Win_allocate gave, by its window.
std::unordered_map<MPI_Win, void*> allocated;
constexpr std::size_t page = 4096;  // of memory, in bytes

int make_window(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
    const Settings& settings = Interface::of(*simgrid::s4u::this_actor::get_host()).settings();
    const auto size = static_cast<std::size_t>(bytes);
    const std::size_t pages = (size + page - 1) / page;
    const double registration =
        settings.registration_base + settings.registration_per_page * static_cast<double>(pages);
    if (registration > 0) simgrid::s4u::this_actor::sleep_for(registration);
    auto window = std::make_unique<Window>(comm, Part{static_cast<std::byte*>(base), size, unit,
                                                      nullptr, std::make_shared<Notices>()});
    const int code = PMPI_Win_create(base, bytes, unit, info, comm, win);
    if (code == MPI_SUCCESS) Window::insert(*win, std::move(window));
    return code;
}

/// Completes our operations, before SMPI's part of a call that completes operations.
void complete(MPI_Win win) {
    if (Window* const window = Window::of(win)) window->flush_all();
}
/// The same of those to one target.
void complete(MPI_Win win, int target) {
    Window* const window = Window::of(win);
    if (window != nullptr && target >= 0 && target < window->size()) window->flush(target);
}

}  // namespace

// What programs see of this library.
#pragma GCC visibility push(default)
extern "C" {

int MPI_Win_create(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* win) {
    return make_window(base, bytes, unit, info, comm, win);
}
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* win) {
    constexpr std::size_t line = 64;
    const std::size_t room = (static_cast<std::size_t>(bytes) + line) / line * line;
    void* const memory = std::aligned_alloc(line, room);
    if (memory == nullptr) return MPI_ERR_NO_MEM;
    *static_cast<void**>(base) = memory;
    const int code = make_window(memory, bytes, unit, info, comm, win);
    if (code == MPI_SUCCESS) allocated[*win] = memory;
    return code;
}
int MPI_Win_free(MPI_Win* win) {
    complete(*win);
    MPI_Win handle = *win;
    // It waits for the other ranks, so that none of their operations comes after it.
    const int code = PMPI_Win_free(win);
    Window::erase(handle);
    const auto memory = allocated.extract(handle);
    if (!memory.empty()) std::free(memory.mapped());
    return code;
}

int MPI_Put(const void* from, int count, MPI_Datatype type, int target, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win win) {
    Window* const window = Window::of(win);
    if (window == nullptr)
        return PMPI_Put(from, count, type, target, place, target_count, target_type, win);
    return move(Direction::put, {const_cast<void*>(from), count, type}, target, place,
                {nullptr, target_count, target_type}, *window, nullptr);
}
int MPI_Get(void* into, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Win win) {
    Window* const window = Window::of(win);
    if (window == nullptr)
        return PMPI_Get(into, count, type, target, place, target_count, target_type, win);
    return move(Direction::get, {into, count, type}, target, place,
                {nullptr, target_count, target_type}, *window, nullptr);
}
int MPI_Rput(const void* from, int count, MPI_Datatype type, int target, MPI_Aint place,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
    Window* const window = Window::of(win);
    if (window == nullptr)
        return PMPI_Rput(from, count, type, target, place, target_count, target_type, win, request);
    return move(Direction::put, {const_cast<void*>(from), count, type}, target, place,
                {nullptr, target_count, target_type}, *window, request);
}
int MPI_Rget(void* into, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
    Window* const window = Window::of(win);
    if (window == nullptr)
        return PMPI_Rget(into, count, type, target, place, target_count, target_type, win, request);
    return move(Direction::get, {into, count, type}, target, place,
                {nullptr, target_count, target_type}, *window, request);
}

// Notified access: see lapwing/transport/rma/notified_access.hpp.
int lapwing_rput_notified(const void* from, std::size_t bytes, int target, MPI_Aint place,
                          MPI_Win win, int tag, MPI_Request* request) {
    Window* const window = Window::of(win);
    if (window == nullptr) return MPI_ERR_WIN;
    const Elements data{const_cast<void*>(from), static_cast<int>(bytes), MPI_BYTE};
    return move(Direction::put, data, target, place, data, *window, request, Notice{tag});
}
int lapwing_notice(int origin, MPI_Win win, int tag, MPI_Request* request) {
    Window* const window = Window::of(win);
    if (window == nullptr) return MPI_ERR_WIN;
    window->part(window->rank()).notices->await(origin, tag, *request);
    return MPI_SUCCESS;
}
int lapwing_arrivals(int origin, MPI_Win win, int tag, int* count) {
    Window* const window = Window::of(win);
    if (window == nullptr) return MPI_ERR_WIN;
    *count = window->part(window->rank()).notices->count(origin, tag);
    return MPI_SUCCESS;
}

int MPI_Win_flush(int target, MPI_Win win) {
    complete(win, target);
    return PMPI_Win_flush(target, win);
}
int MPI_Win_flush_local(int target, MPI_Win win) {
    complete(win, target);
    return PMPI_Win_flush_local(target, win);
}
int MPI_Win_flush_all(MPI_Win win) {
    complete(win);
    return PMPI_Win_flush_all(win);
}
int MPI_Win_flush_local_all(MPI_Win win) {
    complete(win);
    return PMPI_Win_flush_local_all(win);
}
int MPI_Win_fence(int assertion, MPI_Win win) {
    complete(win);
    return PMPI_Win_fence(assertion, win);
}
int MPI_Win_unlock(int target, MPI_Win win) {
    complete(win);
    return PMPI_Win_unlock(target, win);
}
int MPI_Win_unlock_all(MPI_Win win) {
    complete(win);
    return PMPI_Win_unlock_all(win);
}
int MPI_Win_complete(MPI_Win win) {
    complete(win);
    return PMPI_Win_complete(win);
}

}  // extern "C"
#pragma GCC visibility pop

}  // namespace lapwing::interfaces
