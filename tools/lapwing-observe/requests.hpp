#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "arguments.hpp"
#include "lapwing/observe/traffic.hpp"
#include "listeners.hpp"
#include "mpi_weak.hpp"
#include "observed_call.hpp"

// What routines do about requests: make, start, complete or free them. A `tell` has the parameters
// of its routine.

namespace lapwing::observe {

using arguments::Handles;
using arguments::Ignored;

/// Runs a routine that makes a request, its last argument, for what `Kind` does.
template <class Kind, auto tell>
struct Makes {
    template <class Call, class Behaviour, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Behaviour,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        const int result = call();
        if (observed.on()) {
            observed.done();
            const auto all = std::tie(arguments...);
            constexpr std::size_t last = sizeof...(Arguments) - 1;
            const std::uint64_t handle = std::get<last>(all)[0];
            if (handle)
                observed.record([&](Listeners& listeners, const TimedCall& timed) {
                    tell(listeners, timed, describe(all, std::make_index_sequence<last>()), handle);
                });
        }
        return result;
    }

  private:
    template <class All, std::size_t... i>
    static CallDescription describe(const All& all, std::index_sequence<i...>) {
        return Kind::describe(std::get<i>(all)...);
    }
};
/// A routine that returns before its operation is complete.
template <class Kind>
struct Later
    : Makes<Kind, [](Listeners& listeners, const TimedCall& timed, const CallDescription& call,
                     std::uint64_t handle) { listeners.initiated(timed, call, handle); }> {};
/// A routine that makes a persistent request.
template <class Kind>
struct Often
    : Makes<Kind, [](Listeners& listeners, const TimedCall& timed, const CallDescription& call,
                     std::uint64_t handle) { listeners.prepared(timed, call, handle); }> {};

/// A copy of the handles of some requests: MPI overwrites those that a call completes.
class KeptHandles {
  public:
    KeptHandles(int count, const Handles& requests)
        : count_(std::min(count > 0 ? static_cast<std::size_t>(count) : 0, Requests::most)) {
        for (std::size_t i = 0; i < count_; ++i) handles_[i] = requests[i];
    }
    explicit KeptHandles(const Handles& request) : KeptHandles(1, request) {}
    [[nodiscard]] std::span<const std::uint64_t> all() const { return {handles_, count_}; }
    /// The handle of an index as MPI gives it; none for MPI_UNDEFINED.
    [[nodiscard]] std::span<const std::uint64_t> one(int index) const {
        if (index < 0 || static_cast<std::size_t>(index) >= count_) return {};
        return {handles_ + index, 1};
    }

  private:
    std::size_t count_;
    std::uint64_t handles_[Requests::most];  // NOLINT(modernize-avoid-c-arrays): not to be cleared
};

/// Runs a routine that looks at requests. `Behaviour::tell(listeners, call, kept, arguments...)`
/// then says which of them are complete.
struct Completes {
    template <class Call, class Behaviour, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Behaviour,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        if (!observed.on()) return call();
        const KeptHandles kept = keep(arguments...);
        const int result = call();
        observed.done();
        observed.record([&](Listeners& listeners, const TimedCall& timed) {
            Behaviour::tell(listeners, timed, kept, arguments...);
        });
        return result;
    }

  private:
    template <class... Rest>
    static KeptHandles keep(int count, const Handles& requests, const Rest&...) {
        return {count, requests};
    }
    template <class... Rest>
    static KeptHandles keep(const Handles& request, const Rest&...) {
        return KeptHandles(request);
    }
};
struct Waits : Completes {
    template <class... Arguments>
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept,
                     const Arguments&...) {
        listeners.completed(timed, kept.all());
    }
};
struct Tests : Completes {
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept,
                     const Handles&, const int* flag, Ignored) {
        if (*flag) listeners.completed(timed, kept.all());
    }
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept, int,
                     const Handles&, const int* flag, Ignored) {
        if (*flag) listeners.completed(timed, kept.all());
    }
};
struct WaitsForOne : Completes {
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept, int,
                     const Handles& requests, const int* index, Ignored) {
        if (*index != MPI_UNDEFINED) listeners.completed(timed, kept.one(*index - requests.base()));
    }
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept,
                     int count, const Handles& requests, const int* index, const int* flag,
                     Ignored ignored) {
        if (*flag) tell(listeners, timed, kept, count, requests, index, ignored);
    }
};
struct WaitsForSome : Completes {
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept, int,
                     const Handles& requests, const int* count, const int* indices, Ignored) {
        if (*count == MPI_UNDEFINED || *count <= 0) return;
        const Some some{kept, indices, static_cast<std::size_t>(*count), requests.base()};
        listeners.completed(timed, some);
    }

  private:
    /// The handles of some indices.
    struct Some {
        struct Iterator {
            const Some* some;
            std::size_t i;
            std::uint64_t operator*() const {
                const auto handle = some->kept.one(some->indices[i] - some->base);
                return handle.empty() ? 0 : handle.front();
            }
            Iterator& operator++() {
                ++i;
                return *this;
            }
            bool operator!=(const Iterator& other) const { return i != other.i; }
        };
        const KeptHandles& kept;
        const int* indices;
        std::size_t count;
        int base;
        [[nodiscard]] Iterator begin() const { return {this, 0}; }
        [[nodiscard]] Iterator end() const { return {this, count}; }
    };
};
struct Frees : Completes {
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept,
                     const Handles&) {
        listeners.forgotten(timed, kept.all().front());
    }
};
struct Starts : Waits {
    template <class... Arguments>
    static void tell(Listeners& listeners, const TimedCall& timed, const KeptHandles& kept,
                     const Arguments&...) {
        listeners.started(timed, kept.all());
    }
};

}  // namespace lapwing::observe
