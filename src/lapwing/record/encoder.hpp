#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/record/record.hpp"

namespace lapwing::record {

/// Writes records as bytes: a byte for the kind, then numbers of seven bits a byte, the lowest
/// first. Never allocates. docs/record-reference.md has the format.
class Encoder {
  public:
    /// Bytes that a record has at most whose lists have `items` items together.
    [[nodiscard]] static constexpr std::size_t most_bytes(std::size_t items) {
        return 1 + most_number * (16 + 3 * items);
    }

    /// `room`: at least `most_bytes` of what will be written.
    explicit Encoder(std::span<std::uint8_t> room) : room_(room) {}

    /// Writes a record. Returns its bytes, which are there until the next one is written.
    std::span<const std::uint8_t> write(const Record& record) {
        size_ = 0;
        room_[size_++] = static_cast<std::uint8_t>(record.kind);
        if (record.kind == Kind::communicator) {
            write_communicator(record);
            return room_.first(size_);
        }
        number(record.computed);
        if (record.kind == Kind::finish) return room_.first(size_);
        number(record.duration);
        number(record.site);
        write_call(record);
        return room_.first(size_);
    }

  private:
    static constexpr std::size_t most_number = 10;  // bytes of 64 bits

    void write_communicator(const Record& record) {
        number(record.communicator);
        number(record.context);
        number(record.members.size());
        for (const Run& run : record.members) {
            number(run.first);
            signed_number(run.stride);
            number(run.count);
        }
    }
    void write_call(const Record& record) {
        switch (record.kind) {
            case Kind::send:
            case Kind::start_send:
                number(record.communicator);
                message(record.sent);
                break;
            case Kind::receive:
            case Kind::start_receive:
                number(record.communicator);
                message(record.received);
                break;
            case Kind::send_receive:
                number(record.communicator);
                message(record.sent);
                message(record.received);
                break;
            case Kind::wait:
                list(record.requests);
                break;
            case Kind::collective:
            case Kind::start_collective:
                number(record.communicator);
                room_[size_++] = static_cast<std::uint8_t>(record.collective);
                number(record.root);
                number(record.bytes);
                if (has_blocks(record.collective)) list(record.blocks);
                break;
            default:
                break;
        }
        if (has_request(record.kind)) number(record.request);
    }
    void message(const Message& message) {
        signed_number(message.peer);
        signed_number(message.tag);
        number(message.bytes);
    }
    void list(std::span<const std::uint64_t> items) {
        number(items.size());
        for (const std::uint64_t item : items) number(item);
    }
    /// Small numbers of either sign become small ones.
    void signed_number(std::int64_t value) {
        number(static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U));
    }
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U)
            room_[size_++] = static_cast<std::uint8_t>(value | 0x80);
        room_[size_++] = static_cast<std::uint8_t>(value);
    }

    std::span<std::uint8_t> room_;
    std::size_t size_ = 0;
};

}  // namespace lapwing::record
