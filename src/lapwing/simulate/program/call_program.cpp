#include "lapwing/simulate/program/call_program.hpp"

#include <sstream>
#include <string>

#include "lapwing/simulate/engine/result.hpp"

namespace lapwing::simulate {
namespace {

constexpr std::size_t ranks_named = 4;  // one line has room for these

std::string describe(const Request& request) {
    const std::string tag =
        request.tag == Call::any_tag ? "any tag" : "tag " + std::to_string(request.tag);
    if (!request.receives)
        return std::to_string(request.bytes) + " bytes to be received by rank " +
               std::to_string(request.to) + ", " + tag;
    const bool open = request.from == Call::any_rank;
    return "a message from " + (open ? "any rank" : "rank " + std::to_string(request.from)) + ", " +
           tag;
}

}  // namespace

std::string CallProgram::awaited_by(Rank rank) const {
    for (std::uint32_t number = 0; number < requests_.numbers(); ++number) {
        const Request& request = requests_[number];
        const Rank owner = request.receives ? request.to : request.from;
        if (owner == rank && request.awaited && !request.over) return describe(request);
    }
    return "something that never happens";
}

void CallProgram::check_ended() const {
    std::ostringstream text;
    std::size_t told = 0;
    for (Rank rank = 0; rank < ranks_.size() && told <= ranks_named; ++rank) {
        if (ranks_[rank].ended) continue;
        if (told++ == ranks_named) {
            text << "; and more";
        } else {
            text << (told > 1 ? "; " : "") << source_.place(rank) << " waits for "
                 << awaited_by(rank);
        }
    }
    if (told > 0) throw Deadlock("the program deadlocks: " + text.str());
    for (Rank rank = 0; rank < ranks_.size(); ++rank) {
        const std::uint32_t kept = matching_.kept(rank);
        if (kept == RequestMatching::none) continue;
        const Request& message = requests_[kept];
        throw Deadlock("a message is left over: rank " + std::to_string(rank) + " never receives " +
                       std::to_string(message.bytes) + " bytes from rank " +
                       std::to_string(message.from) + ", tag " + std::to_string(message.tag));
    }
}

}  // namespace lapwing::simulate
