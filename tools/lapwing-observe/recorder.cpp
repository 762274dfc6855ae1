#include "recorder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "mpi_weak.hpp"

namespace lapwing::observe {
namespace {

using record::Kind;

std::uint64_t nanoseconds(double seconds) {
    return seconds > 0 ? static_cast<std::uint64_t>(std::llround(seconds * 1e9)) : 0;
}

/// Whether several requests may have this handle at once. MPICH gives one predefined handle to all
/// sends that are complete at once.
bool is_shared(std::uint64_t handle) {
    return !std::is_pointer_v<MPI_Request> && (handle >> 30U & 3U) == 1;
}

std::int64_t peer_of(int peer, const NumberedCommunicator& comm) {
    if (peer == MPI_PROC_NULL) return record::nobody;
    if (peer == MPI_ANY_SOURCE) return record::any;
    const auto i = static_cast<std::size_t>(peer);
    return i < comm.peers.size() ? comm.peers[i] : record::nobody;
}

record::Message message_of(int peer, int tag, std::uint64_t bytes,
                           const NumberedCommunicator& comm) {
    return {peer_of(peer, comm), tag == MPI_ANY_TAG ? record::any : std::max(tag, 0), bytes};
}

}  // namespace

Recorder::Recorder(int file, double now, Table& table, std::uint64_t most)
    : table_(table),
      most_(most),
      stream_(file, std::max<std::size_t>(table.ranks, RequestTable<Followed>::most)),
      last_end_(now),
      blocks_(table.ranks) {}

void Recorder::passed(const TimedCall& timed) {
    computed_ += std::max(0.0, timed.start - last_end_);
    last_end_ = std::max(last_end_, timed.end);
    table_.now = timed.end;
}

void Recorder::blocking(const TimedCall& timed, const CallDescription& call) {
    record::Record record = describe(call);
    write(timed, record);
}

void Recorder::initiated(const TimedCall& timed, const CallDescription& call,
                         std::uint64_t handle) {
    record::Record record = describe(call);
    if (record.kind == Kind::send)
        record.kind = Kind::start_send;
    else if (record.kind == Kind::receive)
        record.kind = Kind::start_receive;
    else if (record.kind == Kind::collective)
        record.kind = Kind::start_collective;
    if (record.kind != Kind::other) {
        Followed* const known = requests_.find(handle);
        if (known && !is_shared(handle))
            for (std::uint64_t gone = 0; take(handle, gone);) continue;
        if (!requests_.find(handle)) requests_.put({.handle = handle});
        record.request = start(handle);
        if (record.request == none) record.kind = Kind::other;
    }
    write(timed, record);
}

void Recorder::prepared(const TimedCall& timed, const CallDescription& call, std::uint64_t handle) {
    const record::Record record = describe(call);
    if (record.kind != Kind::other &&
        !requests_.put({.handle = handle,
                        .persistent = true,
                        .sends = call.sends,
                        .communicator = record.communicator,
                        .message = call.sends ? record.sent : record.received}))
        ++table_.lost;
    other(timed);
}

void Recorder::started(const TimedCall& timed, std::span<const std::uint64_t> handles) {
    TimedCall left = timed;  // all of its time belongs to the first one
    for (const std::uint64_t handle : handles) {
        const Followed* const request = requests_.find(handle);
        if (!request) continue;
        record::Record record{.kind = request->sends ? Kind::start_send : Kind::start_receive,
                              .communicator = request->communicator};
        (request->sends ? record.sent : record.received) = request->message;
        // One that was complete without being noticed.
        for (std::uint64_t gone = 0; take(handle, gone);) continue;
        record.request = start(handle);
        if (record.request == none) continue;
        write(left, record);
        left.start = left.end;
    }
    if (left.start != left.end) other(left);
}

void Recorder::waited(const TimedCall& timed, std::size_t found) {
    record::Record record{.kind = found ? Kind::wait : Kind::other,
                          .requests = std::span(complete_).first(found)};
    write(timed, record);
}

void Recorder::forgotten(const TimedCall& timed, std::uint64_t handle) {
    record::Record record{.kind = Kind::other};
    if (take(handle, record.request)) record.kind = Kind::forget;
    if (requests_.find(handle)) requests_.erase(handle);
    write(timed, record);
}

void Recorder::other(const TimedCall& timed) {
    record::Record record{.kind = Kind::other};
    write(timed, record);
}

void Recorder::creates(const TimedCall& timed, MPI_Comm parent, std::uint64_t told) {
    const NumberedCommunicator& comm = known(parent);
    if (!comm.known || comm.between) return other(timed);
    record::Record record{.kind = Kind::collective,
                          .communicator = comm.number,
                          .collective = record::Collective::create_communicator,
                          .bytes = told};
    write(timed, record);
}

void Recorder::found(std::uint64_t message, MPI_Comm comm, int source, int tag) {
    const auto free = std::find_if(found_.begin(), found_.end(),
                                   [](const FoundMessage& each) { return !each.waits; });
    if (free == found_.end())
        ++table_.lost;
    else
        *free = {true, message, comm, source, tag};
}

CallDescription Recorder::receive_of(std::uint64_t message, std::uint64_t room) {
    for (FoundMessage& each : found_) {
        if (!each.waits || each.handle != message) continue;
        each.waits = false;
        return {.comm = each.comm,
                .receives = true,
                .from = {each.source, each.tag, room, Element::unknown}};
    }
    return {.comm = MPI_COMM_WORLD, .receives = true, .from = {.bytes = room}};
}

void Recorder::created(MPI_Comm comm) { tell(communicators_.enter(comm, true)); }

void Recorder::created_later(MPI_Comm copy, MPI_Comm original) {
    tell(communicators_.enter_copy(copy, original));
}

void Recorder::finish(double now) {
    computed_ += std::max(0.0, now - last_end_);
    write({.kind = Kind::finish, .computed = nanoseconds(computed_)});
    stream_.finish();
}

record::Record Recorder::describe(const CallDescription& call) {
    const NumberedCommunicator& comm = known(call.comm);
    record::Record record{.kind = Kind::other, .communicator = comm.number};
    if (!comm.known) return record;
    if (call.collective) {
        if (!comm.between) describe_collective(call, comm, record);
        return record;
    }
    record.kind = !call.receives ? Kind::send : call.sends ? Kind::send_receive : Kind::receive;
    if (call.sends) record.sent = message_of(call.to.peer, call.to.tag, call.to.bytes, comm);
    if (call.receives)
        record.received =
            message_of(call.from.actual_peer, call.from.actual_tag, call.from.bytes, comm);
    return record;
}

void Recorder::describe_collective(const CallDescription& call, const NumberedCommunicator& comm,
                                   record::Record& record) {
    record.kind = Kind::collective;
    record.collective = call.operation;
    record.root = call.root < 0 ? 0 : static_cast<std::uint64_t>(call.root);
    record.bytes = call.size;
    const BlockSizes& blocks = call.given.differ() ? call.given : call.blocks;
    if (!record::has_blocks(call.operation) || !blocks.differ()) return;
    for (std::size_t i = 0; i < comm.peers.size(); ++i) blocks_[i] = blocks[static_cast<int>(i)];
    record.blocks = std::span(blocks_).first(comm.peers.size());
}

const NumberedCommunicator& Recorder::known(MPI_Comm comm) {
    if (const auto* const found = communicators_.find(comm)) return *found;
    const NumberedCommunicator& found = communicators_.enter(comm, false);
    tell(found);
    return found;
}

void Recorder::tell(const NumberedCommunicator& comm) {
    if (!comm.known) return;
    runs_.clear();
    append_runs(comm.members, runs_);
    write({.kind = Kind::communicator,
           .communicator = comm.number,
           .context = comm.context,
           .members = runs_});
}

void Recorder::write(const TimedCall& timed, record::Record& record) {
    record.computed = nanoseconds(computed_);
    record.duration = nanoseconds(timed.end - timed.start);
    record.site = timed.call;
    computed_ = 0;
    write(record);
    ++table_.recorded_calls;
}

void Recorder::write(const record::Record& record) {
    if (stream_.size() > most_)
        table_.recorded = 0;
    else if (stream_.write(record))
        table_.recorded = stream_.size();
    else
        ++table_.lost;
}

/// Gives the request of a handle the smallest free number. Returns `none`, and counts, if there is
/// none.
std::uint32_t Recorder::start(std::uint64_t handle) {
    Followed* const request = requests_.find(handle);
    const auto free = std::find_if(used_.begin(), used_.end(), [](auto bits) { return ~bits; });
    if (!request || free == used_.end()) {
        ++table_.lost;
        return none;
    }
    const auto bit = static_cast<unsigned>(std::countr_one(*free));
    *free |= std::uint64_t{1} << bit;
    const auto number = static_cast<std::uint32_t>((free - used_.begin()) * 64 + bit);
    next_[number] = none;
    (request->first == none ? request->first : next_[request->last]) = number;
    request->last = number;
    return number;
}

/// Frees the oldest number of a handle. Returns false if there is none.
bool Recorder::take(std::uint64_t handle, std::uint64_t& number) {
    Followed* const request = requests_.find(handle);
    if (!request || request->first == none) return false;
    number = request->first;
    request->first = next_[request->first];
    used_[number / 64] &= ~(std::uint64_t{1} << number % 64);
    if (request->first == none && !request->persistent) requests_.erase(handle);
    return true;
}

}  // namespace lapwing::observe
