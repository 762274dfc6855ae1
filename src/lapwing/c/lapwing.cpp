#include "lapwing/c/lapwing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "lapwing/io/profile_json.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/predict/predict.hpp"

struct lapwing_profile {
    lapwing::Profile value;
};

/// A plan and the texts that its summary points to.
struct lapwing_plan {
    explicit lapwing_plan(lapwing::Plan made)
        : value(std::move(made)),
          poll_reason(value.poll_reason),
          transport(value.transport),
          transport_reason(value.transport_reason) {}

    lapwing::Plan value;
    std::string poll_reason;
    std::string transport;
    std::string transport_reason;
};

namespace {

using lapwing::Bound;
using lapwing::Dependence;
using lapwing::Direction;
using lapwing::MessageTransport;
using lapwing::Method;
using lapwing::Packing;
using lapwing::Pattern;
using lapwing::PeerOrder;

// The enumerations of C and C++ have the same values.
static_assert(static_cast<int>(Pattern::stream) == LAPWING_STREAM);
static_assert(static_cast<int>(Pattern::multi) == LAPWING_MULTI);
static_assert(static_cast<int>(Pattern::congested) == LAPWING_CONGESTED);
static_assert(static_cast<int>(Pattern::alltoall) == LAPWING_ALLTOALL);
static_assert(static_cast<int>(Pattern::collective) == LAPWING_COLLECTIVE);
static_assert(static_cast<int>(Pattern::halo) == LAPWING_HALO);
static_assert(static_cast<int>(Pattern::buckets) == LAPWING_BUCKETS);
static_assert(static_cast<int>(Direction::fetch) == LAPWING_FETCH);
static_assert(static_cast<int>(Direction::produce) == LAPWING_PRODUCE);
static_assert(static_cast<int>(Direction::both) == LAPWING_BOTH);
static_assert(static_cast<int>(Dependence::tight) == LAPWING_TIGHT);
static_assert(static_cast<int>(Dependence::loose) == LAPWING_LOOSE);
static_assert(static_cast<int>(Method::lapwing) == LAPWING_OURS);
static_assert(static_cast<int>(Method::paper) == LAPWING_PAPER);
static_assert(static_cast<int>(Method::paper_size) == LAPWING_PAPER_SIZE);
static_assert(static_cast<int>(Method::paper_communication) == LAPWING_PAPER_COMMUNICATION);
static_assert(static_cast<int>(Method::paper_computation) == LAPWING_PAPER_COMPUTATION);
static_assert(static_cast<int>(Method::paper_bursts) == LAPWING_PAPER_BURSTS);
static_assert(static_cast<int>(Bound::latency) == LAPWING_BOUND_LATENCY);
static_assert(static_cast<int>(Bound::overhead) == LAPWING_BOUND_OVERHEAD);
static_assert(static_cast<int>(Bound::bandwidth) == LAPWING_BOUND_BANDWIDTH);
static_assert(static_cast<int>(Bound::computation) == LAPWING_BOUND_COMPUTATION);
static_assert(static_cast<int>(Bound::queue) == LAPWING_BOUND_QUEUE);
static_assert(static_cast<int>(Bound::progress) == LAPWING_BOUND_PROGRESS);
static_assert(static_cast<int>(PeerOrder::contiguous) == LAPWING_CONTIGUOUS);
static_assert(static_cast<int>(PeerOrder::interleaved) == LAPWING_INTERLEAVED);
static_assert(static_cast<int>(Packing::none) == LAPWING_PACKING_NONE);
static_assert(static_cast<int>(Packing::derived) == LAPWING_PACKING_DERIVED);
static_assert(static_cast<int>(Packing::copy) == LAPWING_PACKING_COPY);
static_assert(static_cast<int>(Packing::blocked) == LAPWING_PACKING_BLOCKED);
static_assert(static_cast<int>(MessageTransport::two_sided) == LAPWING_TWO_SIDED);
static_assert(static_cast<int>(MessageTransport::put) == LAPWING_PUT);
static_assert(static_cast<int>(MessageTransport::get) == LAPWING_GET);
static_assert(static_cast<int>(MessageTransport::any) == LAPWING_ANY);
static_assert(static_cast<int>(MessageTransport::ucx_put) == LAPWING_UCX_PUT);
static_assert(static_cast<int>(MessageTransport::ucx_get) == LAPWING_UCX_GET);
static_assert(static_cast<int>(MessageTransport::shmem) == LAPWING_SHMEM);
static_assert(static_cast<int>(MessageTransport::partitioned) == LAPWING_PARTITIONED);

/// The message of this thread's last failure. No std::string, for memory may be exhausted.
thread_local std::array<char, 1024> complaint{};

lapwing_status failed(lapwing_status status, const char* what) noexcept {
    std::snprintf(complaint.data(), complaint.size(), "%s", what);
    return status;
}

/// Calls `action`, and turns an exception into a status and a message.
template <class Action>
lapwing_status guarded(Action&& action) noexcept {
    try {
        action();
        return LAPWING_OK;
    } catch (const std::invalid_argument& error) {
        return failed(LAPWING_INVALID, error.what());
    } catch (const std::bad_alloc&) {
        return failed(LAPWING_OUT_OF_MEMORY, "out of memory");
    } catch (const std::runtime_error& error) {
        return failed(LAPWING_UNREADABLE, error.what());
    } catch (const std::exception& error) {
        return failed(LAPWING_INTERNAL, error.what());
    } catch (...) {
        return failed(LAPWING_INTERNAL, "an exception that is no std::exception");
    }
}

/// `*pointer`. Throws `std::invalid_argument`, which calls it `what`, if `pointer` is null.
template <class Value>
Value& given(Value* pointer, const char* what) {
    if (pointer == nullptr) throw std::invalid_argument(std::string(what) + " is NULL");
    return *pointer;
}

/// Sets `*handle` to a new handle from `make()`, or to NULL if that throws.
template <class Handle, class Make>
lapwing_status made(Handle** handle, Make&& make) noexcept {
    if (handle != nullptr) *handle = nullptr;
    return guarded([&] {
        Handle*& place = given(handle, "the place for the handle");
        place = new Handle(make());  // NOLINT(bugprone-unhandled-exception-at-new): `guarded` does
    });
}

std::uint64_t amount(const char* what, std::int64_t value) {
    if (value < 0) throw std::invalid_argument(std::string(what) + " must not be negative");
    return static_cast<std::uint64_t>(value);
}

/// `value` as an enumeration whose last value is `last`.
template <class Enumeration>
Enumeration one_of(const char* what, int value, Enumeration last) {
    if (value < 0 || value > static_cast<int>(last))
        throw std::invalid_argument(std::string(what) + " must be from 0 to " +
                                    std::to_string(static_cast<int>(last)) + ", not " +
                                    std::to_string(value));
    return static_cast<Enumeration>(value);
}

lapwing::Workload workload_of(const lapwing_workload& x) {
    return {.volume = amount("volume", x.volume),
            .compute = x.compute,
            .grain = amount("grain", x.grain),
            .pattern = one_of("pattern", x.pattern, Pattern::buckets),
            .direction = one_of("direction", x.direction, Direction::both),
            .dependence = one_of("dependence", x.dependence, Dependence::loose),
            .ranks = amount("ranks", x.ranks),
            .peers = amount("peers", x.peers),
            .balanced = !x.unbalanced,
            .block = amount("block", x.block),
            .stride = amount("stride", x.stride),
            .sizes_known = !x.sizes_unknown,
            .uncertainty = x.uncertainty,
            .transport = one_of("transport", x.transport, MessageTransport::partitioned)};
}

lapwing_summary summary_of(const lapwing_plan& handle) {
    const lapwing::Plan& plan = handle.value;
    // Sizes are at most 2^53: they fit.
    return {.count = static_cast<std::int64_t>(plan.messages.count()),
            .volume = static_cast<std::int64_t>(plan.messages.volume()),
            .grain = static_cast<std::int64_t>(plan.messages.grain()),
            .tile = static_cast<std::int64_t>(plan.tile),
            .window = plan.window,
            .burst = plan.burst,
            .pace = plan.pace,
            .poll_interval = plan.poll_interval,
            .predicted = plan.predicted,
            .limit = plan.limit,
            .blocking = plan.blocking,
            .runner_up = plan.runner_up.predicted,
            .bound = static_cast<lapwing_bound>(plan.bound),
            .order = static_cast<lapwing_order>(plan.order),
            .packing = static_cast<lapwing_packing>(plan.packing),
            .staggered = plan.staggered,
            .poll_reason = handle.poll_reason.c_str(),
            .transport = handle.transport.c_str(),
            .transport_reason = handle.transport_reason.c_str(),
            .runner_up_what = plan.runner_up.what.c_str()};
}

}  // namespace

const char* lapwing_version() { return LAPWING_VERSION; }

const char* lapwing_error_message() { return complaint.data(); }

lapwing_status lapwing_profile_load(const char* path, lapwing_profile** profile) {
    return made(profile,
                [&] { return lapwing_profile{lapwing::load_profile(&given(path, "the path"))}; });
}

lapwing_status lapwing_profile_parse(const char* document, size_t length,
                                     lapwing_profile** profile) {
    return made(profile, [&] {
        const std::string_view text(&given(document, "the document"), length);
        return lapwing_profile{lapwing::profile_from_json(text)};
    });
}

lapwing_status lapwing_profile_loggp(double L, double o_s, double o_r, double g, double G,
                                     lapwing_profile** profile) {
    return made(profile, [&] {
        lapwing_profile handle;
        handle.value.loggp = {.L = L, .o_s = o_s, .o_r = o_r, .g = g, .G = G};
        validate(handle.value);
        return handle;
    });
}

lapwing_status lapwing_profile_copy(const lapwing_profile* profile, lapwing_profile** copy) {
    return made(copy, [&] { return given(profile, "the profile"); });
}

void lapwing_profile_free(lapwing_profile* profile) { delete profile; }

lapwing_status lapwing_plan_make(const lapwing_profile* profile, const lapwing_workload* workload,
                                 int method, lapwing_plan** plan) {
    return made(plan, [&] {
        return lapwing_plan(lapwing::plan(given(profile, "the profile").value,
                                          workload_of(given(workload, "the workload")),
                                          one_of("method", method, Method::paper_bursts)));
    });
}

lapwing_status lapwing_plan_copy(const lapwing_plan* plan, lapwing_plan** copy) {
    return made(copy, [&] { return given(plan, "the plan"); });
}

void lapwing_plan_free(lapwing_plan* plan) { delete plan; }

lapwing_status lapwing_plan_summary(const lapwing_plan* plan, lapwing_summary* summary) {
    return guarded([&] { given(summary, "the summary") = summary_of(given(plan, "the plan")); });
}

bool lapwing_plan_next(const lapwing_plan* plan, lapwing_message* message) {
    if (plan == nullptr || message == nullptr) return false;
    const auto& runs = plan->value.messages.runs();
    lapwing_message next = *message;
    if (next.size > 0) {  // no message is empty
        ++next.index;
        next.offset += next.size;
        if (--next.left <= 0) ++next.run;
    }
    if (next.run < 0 || static_cast<std::size_t>(next.run) >= runs.size()) {
        *message = {};
        return false;
    }
    const lapwing::MessageRun& run = runs[static_cast<std::size_t>(next.run)];
    if (next.left <= 0) next.left = static_cast<std::int64_t>(run.count);
    next.size = static_cast<std::int64_t>(run.size);
    *message = next;
    return true;
}

lapwing_status lapwing_plan_sizes(const lapwing_plan* plan, int64_t first, int64_t count,
                                  int64_t* sizes) {
    return guarded([&] {
        const auto& messages = given(plan, "the plan").value.messages;
        const std::uint64_t from = amount("first", first);
        const std::uint64_t more = amount("count", count);
        if (from > messages.count() || more > messages.count() - from)
            throw std::invalid_argument("the plan has " + std::to_string(messages.count()) +
                                        " messages");
        if (more == 0) return;
        int64_t* place = &given(sizes, "the place for the sizes");
        std::uint64_t before = 0;  // messages of earlier runs
        for (const auto& [size, length] : messages.runs()) {
            const std::uint64_t begin = std::max(before, from);
            const std::uint64_t end = std::min(before + length, from + more);
            if (begin < end)
                place = std::fill_n(place, end - begin, static_cast<std::int64_t>(size));
            before += length;
        }
    });
}

lapwing_status lapwing_predict(const lapwing_profile* profile, const char* operation,
                               const char* algorithm, int64_t ranks, int64_t size,
                               double* seconds) {
    return guarded([&] {
        lapwing::Operation asked;
        asked.name = &given(operation, "the operation");
        if (algorithm != nullptr) asked.algorithm = algorithm;
        asked.ranks = amount("ranks", ranks);
        asked.size = amount("size", size);
        given(seconds, "the place for the seconds") =
            predict(given(profile, "the profile").value, asked).seconds;
    });
}
