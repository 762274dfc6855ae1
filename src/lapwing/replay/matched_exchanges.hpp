#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/exchange_reader.hpp"
#include "lapwing/replay/options.hpp"

namespace lapwing::replay {

/// The exchanges of all ranks, with the number of pieces of each message. Both ends of a message
/// decide on its pieces. The exchange of its send and that of its receive each allow some pieces,
/// or one if they are not overlapped. The message gets the lesser number.
///
/// The n-th message from a rank to another with a tag and a context is that of the n-th receive for
/// these. Whichever end is asked for first has the other rank's exchanges read ahead up to the
/// other end. Messages stay whole where a receive from any source or of any tag may take them. So
/// they do where the next exchanges do not have their other end, since memory for these is bounded.
class MatchedExchanges {
  public:
    /// `recording`, `options`: they outlive it.
    MatchedExchanges(const record::Recording& recording, const Options& options);

    /// Reads the next exchange of a rank. Returns false at the end.
    bool next(std::size_t rank, Exchange& exchange);
    /// The record behind it; null at the end.
    [[nodiscard]] KeptRecord* behind(std::size_t rank);
    /// How an exchange is overlapped that begins at a site, as the rank numbers it; null: it is
    /// not.
    [[nodiscard]] const Overlap* overlap_of(std::size_t rank, std::uint64_t site) const;
    /// The same of an exchange.
    [[nodiscard]] const Overlap* overlap_of(std::size_t rank, const Exchange& exchange) const;

    /// Records of a rank up to the exchange that `next` read.
    [[nodiscard]] std::uint64_t records(std::size_t rank) const { return ranks_[rank].records; }

  private:
    /// A message. What its ends allow is 0 as long as they have not been read.
    struct Transfer {
        std::size_t from = 0;
        std::size_t to = 0;
        std::uint64_t context = 0;
        std::uint32_t sender_allows = 0;
        std::uint32_t receiver_allows = 0;
        std::uint32_t pieces = 0;  ///< 0: not decided
    };
    using Shared = std::shared_ptr<Transfer>;
    /// Source, destination, tag and context.
    using Channel = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::uint64_t>;
    /// Messages whose other end has not been read: sends or receives, never both.
    struct Waiting {
        std::deque<Shared> transfers{};
        bool sent = false;
    };
    struct Read {
        Exchange exchange{};
        std::vector<std::pair<Shared, Shared>> messages{};  ///< of each record, sent and received
    };
    struct Rank {
        explicit Rank(record::Decoder decoder) : reader(std::move(decoder)) {}

        ExchangeReader reader;
        std::deque<Read> ahead{};
        std::uint64_t records = 0;
        std::unordered_map<std::uint64_t, std::uint64_t> contexts{};  ///< of communicators
        std::unordered_map<std::uint64_t, Shared> receives{};         ///< by their requests
        std::set<std::uint64_t>
            unknown{};  ///< contexts with receives from any source or of any tag
    };

    bool read(std::size_t rank);
    void match(std::size_t rank, Read& read);
    [[nodiscard]] Shared send(std::size_t rank, const record::Record& record);
    [[nodiscard]] Shared receive(std::size_t rank, const record::Record& record);
    [[nodiscard]] Shared other_end(const Channel& channel, bool sent);
    [[nodiscard]] Shared begin(const Channel& channel, bool sent);
    [[nodiscard]] std::uint32_t pieces(const Shared& transfer);
    [[nodiscard]] bool read_other_end(const Transfer& transfer);

    const Options& options_;
    bool cuts_;  ///< any messages
    std::vector<Rank> ranks_;
    std::map<Channel, Waiting> channels_;
};

}  // namespace lapwing::replay
