#include "lapwing/replay/recorded_calls.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lapwing/replay/extrapolate/find_grid.hpp"

namespace lapwing::replay {
namespace {

using record::Kind;
using simulate::Call;

// Groups of messages: of calls that are complete when they return, of collectives
// (`CollectiveCall::groups`), and of each request.
constexpr std::uint32_t complete = 0;
constexpr std::uint32_t requests = 3;
constexpr std::array<std::uint32_t, 1> complete_group{complete};

std::uint32_t group_of(std::uint64_t request) {
    return requests + static_cast<std::uint32_t>(request);
}

/// The grid of more ranks than were recorded, if that is asked for.
std::optional<GrownGrid> grown_grid(const record::Recording& recording, const Options& options) {
    if (options.ranks == 0 || options.ranks == recording.ranks()) return std::nullopt;
    if (!options.overlaps.empty())
        throw std::invalid_argument(
            "exchanges of more ranks than were recorded are not overlapped");
    return find_grid(recording, options.ranks);
}

}  // namespace

std::uint64_t scaled(std::uint64_t computed, double computation) {
    if (computation == 1) return computed;
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(computed) * computation));
}

RecordedCalls::RecordedCalls(const record::Recording& recording, const Options& options)
    : algorithms_(options.library, options.algorithms),
      options_(options),
      grid_(grown_grid(recording, options)) {
    const std::uint64_t ranks = grid_ ? grid_->grown().ranks() : recording.ranks();
    const record::Run all{.first = 0, .stride = 1, .count = ranks};
    if (!options_.overlaps.empty())
        overlapped_ = std::make_unique<MatchedExchanges>(recording, options_);
    ranks_.reserve(ranks);
    for (Rank rank = 0; rank < ranks; ++rank) {
        const GrownGrid* const grid = grid_ ? &*grid_ : nullptr;
        State& state = ranks_.emplace_back(RankRecords(recording, rank, grid, overlapped_.get()));
        state.communicators.push_back(std::make_unique<Communicator>(0, std::span(&all, 1), rank));
    }
}

Call RecordedCalls::next(Rank rank) {
    State& state = ranks_[rank];
    for (;;) {
        const bool in_collective = !state.collective.over() || !state.resumed.empty();
        if (Call call; in_collective && next_of_collective(state, call)) return call;
        if (state.first_call < state.end_of_calls) return state.calls[state.first_call++];
        if (!state.records.next(state.record)) return {};
        state.first_call = state.end_of_calls = 0;
        state.site = options_.sites.of(state.records.recorded_rank(), state.record.site);
        expand(state, rank);
        state.recorded.computed += state.record.computed;
        state.recorded.seconds += state.record.computed + state.record.duration;
        const std::uint64_t computed = scaled(state.record.computed, options_.computation);
        if (computed > 0) return {.kind = Call::Kind::compute, .size = computed};
    }
}

/// The next call of the collectives that the rank is in. Returns false if there is none.
bool RecordedCalls::next_of_collective(State& state, Call& call) const {
    while (state.collective.over() && !state.resumed.empty()) {
        state.collective = std::move(state.resumed.back());
        state.resumed.pop_back();
    }
    if (state.collective.over()) return false;
    call = state.collective.next();
    if (state.starting == 0) return true;
    if (call.kind != Call::Kind::wait) {
        call.group = state.starting;
        return true;
    }
    // The rest of it is done when it is waited for.
    if (!state.collective.over())
        state.started.push_back({state.starting, std::exchange(state.collective, {})});
    state.starting = 0;
    return next_of_collective(state, call);
}

void RecordedCalls::expand(State& state, Rank rank) {
    switch (state.record.kind) {
        case Kind::communicator:
            return enter_communicator(state, rank);
        case Kind::send:
            message(state, Call::Kind::send, complete);
            break;
        case Kind::receive:
            message(state, Call::Kind::receive, complete);
            break;
        case Kind::send_receive:
            message(state, Call::Kind::receive, complete);
            message(state, Call::Kind::send, complete);
            break;
        case Kind::start_send:
            return message(state, Call::Kind::send, group_of(state.record.request));
        case Kind::start_receive:
            return message(state, Call::Kind::receive, group_of(state.record.request));
        case Kind::wait:
            return wait(state);
        case Kind::forget: {
            state.groups = {group_of(state.record.request)};
            state.calls[state.end_of_calls++] = {.kind = Call::Kind::forget,
                                                 .groups = state.groups};
            return;
        }
        case Kind::collective:
        case Kind::start_collective:
            return begin_collective(state);
        default:
            return;
    }
    state.calls[state.end_of_calls++] = {.kind = Call::Kind::wait, .groups = complete_group};
}

void RecordedCalls::enter_communicator(State& state, Rank rank) {
    const std::uint64_t number = state.record.communicator;
    if (state.communicators.size() <= number) state.communicators.resize(number + 1);
    state.communicators[number] =
        std::make_unique<Communicator>(state.record.context, state.record.members, rank);
}

/// Adds a send or a receive, unless its peer is nobody.
void RecordedCalls::message(State& state, Call::Kind kind, std::uint32_t group) const {
    const bool sends = kind == Call::Kind::send;
    const record::Message& message = sends ? state.record.sent : state.record.received;
    if (message.peer == record::nobody) return;
    state.calls[state.end_of_calls++] = {
        .kind = kind,
        .peer = message.peer == record::any ? Call::any_rank : static_cast<Rank>(message.peer),
        .group = group,
        .size = message.bytes,
        .tag = message.tag == record::any ? Call::any_tag : static_cast<std::uint64_t>(message.tag),
        .context = state.communicators[state.record.communicator]->context(),
        .site = state.site};
}

void RecordedCalls::wait(State& state) const {
    state.groups.clear();
    for (const std::uint64_t request : state.record.requests) {
        const std::uint32_t group = group_of(request);
        state.groups.push_back(group);
        const auto started = std::find_if(state.started.begin(), state.started.end(),
                                          [&](const Started& each) { return each.group == group; });
        if (started == state.started.end()) continue;
        // Its first step has to end before the next one begins.
        state.resumed.push_back(std::move(started->rest));
        state.started.erase(started);
    }
    state.calls[state.end_of_calls++] = {.kind = Call::Kind::wait, .groups = state.groups};
}

void RecordedCalls::begin_collective(State& state) {
    Communicator& communicator = *state.communicators[state.record.communicator];
    const std::uint64_t context = communicator.begin_collective();
    if (communicator.size() > 1)
        state.collective = {
            algorithms_.parts(state.record, communicator.rank(), communicator.size()), communicator,
            context, state.site};
    if (state.record.kind == Kind::start_collective && !state.collective.over())
        state.starting = group_of(state.record.request);
}

std::string RecordedCalls::place(Rank rank) const {
    const RankRecords& records = ranks_[rank].records;
    const std::string as =
        grid_ ? " (as recorded rank " + std::to_string(records.recorded_rank()) + ")" : "";
    return "rank " + std::to_string(rank) + as + ", record " +
           std::to_string(records.read_so_far()) + ",";
}

}  // namespace lapwing::replay
