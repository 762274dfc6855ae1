#include "lapwing/simulate/program/request_matching.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lapwing/simulate/program/call.hpp"

namespace lapwing::simulate {
namespace {

constexpr std::size_t least_slots = 1024;

bool is_open(const Request& receive) {
    return receive.from == Call::any_rank || receive.tag == Call::any_tag;
}

bool fits(const Request& receive, const Request& send) {
    return receive.context == send.context &&
           (receive.from == Call::any_rank || receive.from == send.from) &&
           (receive.tag == Call::any_tag || receive.tag == send.tag);
}

}  // namespace

RequestMatching::RequestMatching(Requests& requests, Rank ranks)
    : requests_(requests), channels_(least_slots), hosts_(ranks) {}

std::uint64_t RequestMatching::hash(const Request& request) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = (std::uint64_t{request.from} << 32U | request.to) * odd;
    mixed = (mixed ^ mixed >> 29U ^ request.tag) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 32U ^ request.context) * odd;
    return mixed ^ mixed >> 31U;
}

std::size_t RequestMatching::find(const Request& request) const {
    std::size_t slot = home(request);
    while (channels_[slot].first != none &&
           !same_channel(requests_[channels_[slot].first], request))
        slot = (slot + 1) & (channels_.size() - 1);
    return slot;
}

void RequestMatching::append(std::size_t slot, std::uint32_t number) {
    requests_[number].next = none;
    if (channels_[slot].first != none) {
        requests_[channels_[slot].last].next = number;
        channels_[slot].last = number;
        return;
    }
    channels_[slot] = {number, number};
    if (2 * ++used_ > channels_.size()) grow();
}

std::uint32_t RequestMatching::take_first(std::size_t slot) {
    const std::uint32_t number = channels_[slot].first;
    const std::uint32_t next = requests_[number].next;
    if (next == none) {
        erase(slot);
    } else {
        channels_[slot].first = next;
    }
    return number;
}

void RequestMatching::erase(std::size_t hole) {
    --used_;
    const std::size_t mask = channels_.size() - 1;
    // Later entries move up, unless that would put them before their home slot.
    for (std::size_t i = (hole + 1) & mask; channels_[i].first != none; i = (i + 1) & mask) {
        const std::size_t from_home = (i - home(requests_[channels_[i].first])) & mask;
        if (from_home < ((i - hole) & mask)) continue;
        channels_[hole] = channels_[i];
        hole = i;
    }
    channels_[hole] = {};
}

void RequestMatching::grow() {
    std::vector<Channel> old(2 * channels_.size());
    std::swap(old, channels_);
    for (const Channel& channel : old)
        if (channel.first != none) channels_[find(requests_[channel.first])] = channel;
}

/// Takes out the open receive that fits a message and was posted first, if it was posted earlier
/// than another one.
std::uint32_t RequestMatching::take_open(const Request& send, std::uint64_t earlier_than) {
    auto& open = hosts_[send.to].open;
    const auto found = std::find_if(open.begin(), open.end(), [&](std::uint32_t receive) {
        return fits(requests_[receive], send);
    });
    if (found == open.end() || requests_[*found].posting > earlier_than) return none;
    const std::uint32_t receive = *found;
    open.erase(found);
    return receive;
}

std::uint32_t RequestMatching::arrived(std::uint32_t send) {
    const Request& request = requests_[send];
    const std::size_t slot = find(request);
    const std::uint32_t first = channels_[slot].first;
    const bool expected = first != none && requests_[first].receives;
    if (!hosts_[request.to].open.empty()) {
        const std::uint32_t open =
            take_open(request, expected ? requests_[first].posting
                                        : std::numeric_limits<std::uint64_t>::max());
        if (open != none) return open;
    }
    if (expected) return take_first(slot);
    append(slot, send);
    keep_message(send);
    return none;
}

std::uint32_t RequestMatching::posted(std::uint32_t receive) {
    Request& request = requests_[receive];
    if (is_open(request)) {
        const std::uint32_t send = take_message(receive);
        if (send != none) return send;
        request.posting = postings_++;
        hosts_[request.to].open.push_back(receive);
        return none;
    }
    const std::size_t slot = find(request);
    const std::uint32_t first = channels_[slot].first;
    if (first != none && !requests_[first].receives) {
        unkeep_message(first);
        return take_first(slot);
    }
    request.posting = postings_++;
    append(slot, receive);
    return none;
}

/// Takes out the message that an open receive fits and that arrived first. It is the first of its
/// channel.
std::uint32_t RequestMatching::take_message(std::uint32_t receive) {
    const Request& request = requests_[receive];
    std::uint32_t send = hosts_[request.to].first_message;
    while (send != none && !fits(request, requests_[send])) send = requests_[send].after;
    if (send == none) return none;
    unkeep_message(send);
    return take_first(find(requests_[send]));
}

void RequestMatching::keep_message(std::uint32_t send) {
    Host& host = hosts_[requests_[send].to];
    requests_[send].before = host.last_message;
    requests_[send].after = none;
    (host.last_message == none ? host.first_message : requests_[host.last_message].after) = send;
    host.last_message = send;
}

void RequestMatching::unkeep_message(std::uint32_t send) {
    const Request& request = requests_[send];
    Host& host = hosts_[request.to];
    (request.before == none ? host.first_message : requests_[request.before].after) = request.after;
    (request.after == none ? host.last_message : requests_[request.after].before) = request.before;
}

}  // namespace lapwing::simulate
