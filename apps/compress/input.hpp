#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lapwing/gather/gather_partition.hpp"
#include "lapwing/lapwing.hpp"
#include "reading.hpp"
#include "work_sharing.hpp"

namespace lapwing::compress {

/// What is to be compressed, in blocks of one size (the last may be smaller), which the ranks share
/// message by message, place by place.
class Input {
  public:
    Input() = default;
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    virtual ~Input() = default;

    /// Goes on to the next message. Returns whether there is anything in it for any rank. All ranks
    /// call it.
    virtual bool next() = 0;
    /// Goes on to the next place of the message that this rank is to fill. Returns its number; none
    /// where there is none left.
    virtual std::optional<std::uint64_t> take() = 0;
    /// Number of blocks of this place.
    [[nodiscard]] virtual std::uint64_t count() const = 0;
    /// Block `index` of this place, from 0. Valid until the next call.
    virtual std::span<const std::byte> block(std::uint64_t index) = 0;
    /// Bytes of all ranks in the present message.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// The size in bytes of a file of which each rank can read its own parts; -1 for input that has to
/// be read from its beginning to its end. Rank 0 looks; all ranks call it and get the same.
[[nodiscard]] std::int64_t size_to_share(const Communicator& communicator, const std::string& path);

/// A file of which each rank reads its own blocks.
class FileInput : public Input {
  public:
    FileInput(const Communicator& communicator, const std::string& path, std::uint64_t bytes,
              std::size_t block, GatherPartition partition, const Messages& rounds);
    bool next() override;
    std::optional<std::uint64_t> take() override;
    [[nodiscard]] std::uint64_t count() const override { return part_.count; }
    std::span<const std::byte> block(std::uint64_t index) override;
    [[nodiscard]] std::uint64_t bytes() const override { return message_bytes_; }

  private:
    Reading file_;
    std::uint64_t total_;  ///< bytes
    std::size_t block_;    ///< bytes
    WorkSharing work_;
    IndexRange part_;
    std::uint64_t message_bytes_ = 0;
    std::vector<std::byte> content_;
};

/// Input that only rank 0 can read, and only once, such as a pipe. Rank 0 sends each rank its part
/// of the next message while the present one is compressed.
class PipedInput : public Input {
  public:
    PipedInput(const Communicator& communicator, const std::string& path, std::size_t block,
               GatherPartition partition, std::uint64_t tile);
    bool next() override;
    std::optional<std::uint64_t> take() override;
    [[nodiscard]] std::uint64_t count() const override;
    std::span<const std::byte> block(std::uint64_t index) override;
    [[nodiscard]] std::uint64_t bytes() const override { return present().announced.all; }

  private:
    /// The sizes of a message, which rank 0 sends ahead. Bytes.
    struct Announcement {
        std::uint64_t yours = 0;
        std::uint64_t all = 0;
    };
    /// A message that travels or is being compressed.
    struct Slot {
        Announcement announced;
        std::vector<Announcement> announcements;  ///< by rank; at rank 0
        std::vector<std::byte> content;           ///< this rank's; at rank 0, that of all ranks
        std::vector<MpiRequest> requests;         // destroyed first: they use the members above
    };

    /// Initiates the next message: rank 0 reads and sends it, the others receive it.
    void hand_out();
    void read_and_send(Slot& slot);
    [[nodiscard]] const Slot& present() const { return slots_[present_]; }

    TwoSided transport_;
    Reading file_;
    std::size_t block_;
    GatherPartition partition_;
    std::uint64_t tile_;
    bool ended_ = false;
    bool begun_ = false;
    bool taken_ = false;  ///< this rank has taken its place in the present message
    std::size_t present_ = 0;
    Slot slots_[2];
};

}  // namespace lapwing::compress
