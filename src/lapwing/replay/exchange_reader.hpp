#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/record/decoder.hpp"
#include "lapwing/replay/kept_record.hpp"

namespace lapwing::replay {

/// In how many pieces the messages of a record travel.
struct Pieces {
    std::uint32_t sent = 1;
    std::uint32_t received = 1;
};

/// Records of a rank that belong together.
struct Exchange {
    enum class Kind : std::uint8_t {
        none,       ///< one record that is no exchange
        messages,   ///< initiated and waited for, with no more between than packing
        collective  ///< one, complete when it returns
    };
    Kind kind = Kind::none;
    std::vector<KeptRecord> records{};
    /// Where phases begin, as indices of records. A phase begins with a message that is initiated
    /// after a wait for others.
    std::vector<std::size_t> phases{};
    /// Of each record; none: all messages are whole.
    std::vector<Pieces> pieces{};

    /// Its call site, as its rank numbers them: that of its first initiation, if it has one.
    std::uint64_t site = 0;
    /// Of messages: bytes that the rank sends in it.
    std::uint64_t sent = 0;
    std::uint64_t received = 0;  ///< the same; a receive says for how much it has room

    [[nodiscard]] Pieces pieces_of(std::size_t record) const {
        return record < pieces.size() ? pieces[record] : Pieces{};
    }
    /// Of messages: exchanges of about as many bytes are of one class, as for `lapwing observe`.
    [[nodiscard]] std::uint32_t size_class() const {
        return static_cast<std::uint32_t>(std::bit_width(sent > 0 ? sent : received));
    }
};

/// Reads the records of a rank exchange by exchange. Calls belong together as for `lapwing observe`
/// if they follow so closely that only packing can lie between them; a loop that comes round begins
/// a new exchange. A program may wait in a later exchange for what it initiated in this one.
class ExchangeReader {
  public:
    explicit ExchangeReader(record::Decoder records) : records_(std::move(records)) {}

    /// Reads the next exchange, and looks at the record behind it. Returns false at the end.
    bool next(Exchange& exchange);
    /// The record behind it; null at the end.
    [[nodiscard]] KeptRecord* behind() { return ahead_ ? &*ahead_ : nullptr; }

    /// How many records have been read.
    [[nodiscard]] std::uint64_t records() const { return records_.records(); }

  private:
    void read_ahead();
    void read_messages(Exchange& exchange);

    record::Decoder records_;
    bool begun_ = false;
    std::optional<KeptRecord> ahead_;
};

}  // namespace lapwing::replay
