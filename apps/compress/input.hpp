#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "deal.hpp"
#include "lapwing/lapwing.hpp"
#include "lapwing/plan/dealer.hpp"
#include "reading.hpp"

namespace lapwing::compress {

/// What is to be compressed, in blocks of one size (the last may be smaller), dealt to the ranks
/// message by message, place by place.
class Input {
  public:
    Input() = default;
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    virtual ~Input() = default;

    /// Goes on to the next message; whether there is anything in it for any rank. All ranks call
    /// it.
    virtual bool next() = 0;
    /// Goes on to the next place in it that this rank is to fill; its number, and none where there
    /// is no more for this rank.
    virtual std::optional<std::uint64_t> take() = 0;
    /// Blocks of this place.
    [[nodiscard]] virtual std::uint64_t count() const = 0;
    /// One of them, from 0; until the next call.
    virtual std::span<const std::byte> block(std::uint64_t index) = 0;
    /// Bytes of all ranks in the present message.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Looks at what is to be read, with the eyes of rank 0; all ranks call it and get the same: its
/// size where each rank can read its own parts of it, -1 where it has to be read from its beginning
/// to its end.
[[nodiscard]] std::int64_t size_to_share(const Communicator& communicator, const std::string& path);

/// A file of which each rank reads its own blocks, as many as it finds time for.
class FileInput : public Input {
  public:
    FileInput(const Communicator& communicator, const std::string& path, std::uint64_t bytes,
              std::size_t block, Dealer dealer, const Messages& rounds);
    bool next() override;
    std::optional<std::uint64_t> take() override;
    [[nodiscard]] std::uint64_t count() const override { return part_.count; }
    std::span<const std::byte> block(std::uint64_t index) override;
    [[nodiscard]] std::uint64_t bytes() const override { return message_bytes_; }

  private:
    Reading file_;
    std::uint64_t total_;  ///< bytes
    std::size_t block_;    ///< bytes
    Deal deal_;
    Part part_;
    std::uint64_t message_bytes_ = 0;
    std::vector<std::byte> content_;
};

/// What only rank 0 can read, once: it hands each rank its part of the next message while the
/// present one is compressed.
class PipedInput : public Input {
  public:
    PipedInput(const Communicator& communicator, const std::string& path, std::size_t block,
               Dealer dealer, std::uint64_t tile);
    bool next() override;
    std::optional<std::uint64_t> take() override;
    [[nodiscard]] std::uint64_t count() const override;
    std::span<const std::byte> block(std::uint64_t index) override;
    [[nodiscard]] std::uint64_t bytes() const override { return present().announced.all; }

  private:
    /// What rank 0 says of a message beforehand. Bytes.
    struct Announcement {
        std::uint64_t yours = 0;
        std::uint64_t all = 0;
    };
    /// A message on its way, or being compressed.
    struct Slot {
        Announcement announced;
        std::vector<Announcement> announcements;  ///< by rank; at rank 0
        std::vector<std::byte> content;           ///< of all ranks at rank 0
        std::vector<MpiRequest> requests;         // end first: they read and write the above
    };

    /// Rank 0 reads and sends the message after the one that was last handed out, the others
    /// receive it.
    void hand_out();
    void read_and_send(Slot& slot);
    [[nodiscard]] const Slot& present() const { return slots_[present_]; }

    TwoSided transport_;
    Reading file_;
    std::size_t block_;
    Dealer dealer_;
    std::uint64_t tile_;
    bool ended_ = false;
    bool begun_ = false;
    bool taken_ = false;  ///< this rank's place in the present message
    std::size_t present_ = 0;
    Slot slots_[2];
};

}  // namespace lapwing::compress
