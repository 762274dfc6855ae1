#include "lapwing/replay/matched_exchanges.hpp"

#include <algorithm>

namespace lapwing::replay {
namespace {

using record::Kind;
using record::Record;

/// So many exchanges of a rank are read ahead at most.
constexpr std::size_t most_ahead = 4096;

/// Whether messages can be cut at all.
bool cuts(const Options& options) {
    return std::any_of(options.overlaps.begin(), options.overlaps.end(),
                       [](const auto& each) { return each.second.pieces > 1; });
}

}  // namespace

MatchedExchanges::MatchedExchanges(const record::Recording& recording, const Options& options)
    : options_(options), cuts_(cuts(options)) {
    ranks_.reserve(recording.ranks());
    for (std::uint64_t rank = 0; rank < recording.ranks(); ++rank)
        ranks_.emplace_back(recording.rank(rank));
}

const Overlap* MatchedExchanges::overlap_of(std::size_t rank, std::uint64_t site) const {
    const auto found = options_.overlaps.find(options_.sites.of(rank, site));
    return found == options_.overlaps.end() ? nullptr : &found->second;
}
const Overlap* MatchedExchanges::overlap_of(std::size_t rank, const Exchange& exchange) const {
    const Overlap* const how = overlap_of(rank, exchange.site);
    return how && how->applies_to(exchange) ? how : nullptr;
}

bool MatchedExchanges::next(std::size_t rank, Exchange& exchange) {
    Rank& state = ranks_[rank];
    if (state.ahead.empty() && !read(rank)) return false;
    auto messages = std::move(state.ahead.front().messages);
    state.records += state.ahead.front().exchange.records.size();
    std::vector<Pieces> cut;
    cut.reserve(messages.size());
    for (const auto& [sent, received] : messages) cut.push_back({pieces(sent), pieces(received)});
    exchange = std::move(state.ahead.front().exchange);
    exchange.pieces = std::move(cut);
    state.ahead.pop_front();
    return true;
}

KeptRecord* MatchedExchanges::behind(std::size_t rank) {
    Rank& state = ranks_[rank];
    return state.ahead.empty() ? state.reader.behind()
                               : &state.ahead.front().exchange.records.front();
}

bool MatchedExchanges::read(std::size_t rank) {
    Rank& state = ranks_[rank];
    Read next;
    if (!state.reader.next(next.exchange)) return false;
    if (cuts_) match(rank, next);
    state.ahead.push_back(std::move(next));
    return true;
}

/// Notes what an exchange allows its messages, and those that were begun before and end in it.
void MatchedExchanges::match(std::size_t rank, Read& read) {
    Rank& state = ranks_[rank];
    const Overlap* const how = overlap_of(rank, read.exchange);
    const std::uint32_t allowed = how ? std::max(1U, how->pieces) : 1;
    const auto end = [&](std::uint64_t request, std::uint32_t allows) {
        const auto found = state.receives.find(request);
        if (found == state.receives.end()) return;
        found->second->receiver_allows = allows;
        state.receives.erase(found);
    };
    read.messages.reserve(read.exchange.records.size());
    for (const KeptRecord& record : read.exchange.records) {
        auto& [sent, received] = read.messages.emplace_back();
        if (record->kind == Kind::communicator)
            state.contexts[record->communicator] = record->context;
        if (record::sends(record->kind)) {
            sent = send(rank, *record);
            if (sent) sent->sender_allows = allowed;
        }
        if (record::receives(record->kind)) {
            received = receive(rank, *record);
            if (received && record->kind == Kind::start_receive)
                state.receives[record->request] = received;
            else if (received)
                received->receiver_allows = allowed;
        }
        for (const std::uint64_t request : record.requests()) end(request, allowed);
        if (record->kind == Kind::forget) end(record->request, 1);
    }
}

MatchedExchanges::Shared MatchedExchanges::send(std::size_t rank, const Record& record) {
    if (record.sent.peer == record::nobody) return nullptr;
    const auto to = static_cast<std::size_t>(record.sent.peer);
    const std::uint64_t context = ranks_[rank].contexts[record.communicator];
    const Channel channel{rank, to, record.sent.tag, context};
    if (Shared posted = other_end(channel, true)) return posted;
    if (ranks_[to].unknown.contains(context)) return nullptr;
    return begin(channel, true);
}

MatchedExchanges::Shared MatchedExchanges::receive(std::size_t rank, const Record& record) {
    Rank& state = ranks_[rank];
    if (record.received.peer == record::nobody) return nullptr;
    const std::uint64_t context = state.contexts[record.communicator];
    if (record.received.peer == record::any || record.received.tag == record::any)
        state.unknown.insert(context);
    if (state.unknown.contains(context)) return nullptr;
    const auto from = static_cast<std::size_t>(record.received.peer);
    const Channel channel{from, rank, record.received.tag, context};
    if (Shared arrived = other_end(channel, false)) return arrived;
    return begin(channel, false);
}

/// The first message of a channel whose other end waits; null if none does. `sent`: whether the end
/// that looks for it is the sender's.
MatchedExchanges::Shared MatchedExchanges::other_end(const Channel& channel, bool sent) {
    const auto found = channels_.find(channel);
    if (found == channels_.end() || found->second.sent == sent) return nullptr;
    auto& transfers = found->second.transfers;
    Shared first = std::move(transfers.front());
    transfers.pop_front();
    if (transfers.empty()) channels_.erase(found);
    return first;
}

/// Begins a message whose other end is not there yet.
MatchedExchanges::Shared MatchedExchanges::begin(const Channel& channel, bool sent) {
    Waiting& waiting = channels_[channel];
    waiting.sent = sent;
    const auto& [from, to, tag, context] = channel;
    return waiting.transfers.emplace_back(
        std::make_shared<Transfer>(Transfer{.from = from, .to = to, .context = context}));
}

/// Decides on a message, unless the other end did.
std::uint32_t MatchedExchanges::pieces(const Shared& transfer) {
    if (!transfer) return 1;
    while (transfer->pieces == 0) {
        const std::uint32_t sent = transfer->sender_allows;
        const std::uint32_t received = transfer->receiver_allows;
        if (sent > 0 && received > 0)
            transfer->pieces = std::min(sent, received);
        else if (sent == 1 || received == 1 || !read_other_end(*transfer))
            transfer->pieces = 1;
    }
    return transfer->pieces;
}

/// Reads an exchange of the rank at whose end it is not known what is allowed. Returns false if
/// that is in vain.
bool MatchedExchanges::read_other_end(const Transfer& transfer) {
    const bool sender = transfer.sender_allows == 0;
    if (!sender && ranks_[transfer.to].unknown.contains(transfer.context)) return false;
    const std::size_t rank = sender ? transfer.from : transfer.to;
    return ranks_[rank].ahead.size() < most_ahead && read(rank);
}

}  // namespace lapwing::replay
