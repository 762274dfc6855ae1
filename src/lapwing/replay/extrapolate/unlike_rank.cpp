#include "lapwing/replay/extrapolate/unlike_rank.hpp"

#include <algorithm>
#include <string>

#include "lapwing/replay/extrapolate/grid_communicators.hpp"

namespace lapwing::replay {
namespace {

using record::Kind;
using record::Record;

bool communicates(Kind kind) {
    return record::sends(kind) || record::receives(kind) || kind == Kind::communicator ||
           kind == Kind::collective || kind == Kind::start_collective;
}

/// The communication of a rank, call by call.
class Communication {
  public:
    Communication(const record::Recording& recording, std::uint64_t rank)
        : rank_(rank), records_(recording.rank(rank)) {}

    bool next() {
        while (records_.next(now_))
            if (communicates(now_.kind)) return true;
        return false;
    }
    [[nodiscard]] const Record& operator*() const { return now_; }
    [[nodiscard]] const Record* operator->() const { return &now_; }
    [[nodiscard]] std::uint64_t rank() const { return rank_; }
    [[nodiscard]] std::uint64_t record() const { return records_.records(); }

  private:
    std::uint64_t rank_;
    record::Decoder records_;
    Record now_{};
};

/// Where messages of two ranks differ; empty: they do not.
std::string difference(const RankGrid& grid, const record::Message& here, std::uint64_t rank,
                       const record::Message& there, std::uint64_t other) {
    if (here.tag != there.tag) return "its tag, " + std::to_string(here.tag) + ", is another";
    const bool known = here.peer >= 0 && there.peer >= 0;
    const bool same = known ? grid.distance(rank, static_cast<std::uint64_t>(here.peer)) ==
                                  grid.distance(other, static_cast<std::uint64_t>(there.peer))
                            : here.peer == there.peer;
    return same ? "" : "its partner is at another distance";
}

std::string difference(const RankGrid& grid, const Communication& here,
                       const Communication& there) {
    const bool same_call = here->kind == there->kind && here->collective == there->collective;
    if (!same_call) return "it is another call";
    if (here->communicator != there->communicator) return "its communicator is another";
    if (here->kind == Kind::communicator)
        return extent(grid, here.rank(), here->members) ==
                       extent(grid, there.rank(), there->members)
                   ? ""
                   : "its communicator is another";
    std::string sent = difference(grid, here->sent, here.rank(), there->sent, there.rank());
    if (!sent.empty()) return sent;
    return difference(grid, here->received, here.rank(), there->received, there.rank());
}

/// Why a collective does not tell what it would be among more ranks; empty: it does.
std::string unclear(const Record& record) {
    if (record.kind != Kind::collective && record.kind != Kind::start_collective) return "";
    if (record.root != 0)
        return "its root is rank " + std::to_string(record.root) +
               " of its communicator, and only rank 0 is the same one among more ranks";
    const bool sparse =
        record.collective == record::Collective::alltoallv &&
        std::find(record.blocks.begin(), record.blocks.end(), 0) != record.blocks.end();
    return sparse ? "it is an all-to-all that sends nothing to some ranks" : "";
}

std::optional<Irregular> irregular(const Communication& at, const std::string& why) {
    return Irregular{.rank = at.rank(), .record = at.record(), .why = why};
}

std::optional<Irregular> unlike_rank(const RankGrid& grid, Communication here,
                                     Communication there) {
    while (here.next()) {
        if (const std::string why = unclear(*here); !why.empty()) return irregular(here, why);
        if (!there.next())
            return irregular(here, "rank " + std::to_string(there.rank()) +
                                       ", which stands alike, communicates less often");
        if (const std::string why = difference(grid, here, there); !why.empty())
            return irregular(here, why + " than in record " + std::to_string(there.record()) +
                                       " of rank " + std::to_string(there.rank()) +
                                       ", which stands alike");
    }
    if (there.next())
        return irregular(there, "rank " + std::to_string(here.rank()) +
                                    ", which stands alike, communicates less often");
    return std::nullopt;
}

}  // namespace

std::optional<Irregular> unlike_rank(const record::Recording& recording, const RankGrid& grid,
                                     const Reach& reach) {
    for (std::uint64_t rank = 0; rank < recording.ranks(); ++rank) {
        const Communication first(recording, representative(grid, reach, rank));
        auto found = unlike_rank(grid, Communication(recording, rank), first);
        if (found) return found;
    }
    return std::nullopt;
}

}  // namespace lapwing::replay
