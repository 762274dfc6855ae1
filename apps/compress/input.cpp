#include "input.hpp"

#include <algorithm>
#include <utility>

namespace lapwing::compress {

std::int64_t size_to_share(const Communicator& communicator, const std::string& path) {
    std::int64_t size = -1;
    if (communicator.rank() == 0) size = size_of(path);
    check_mpi(MPI_Bcast(&size, 1, MPI_INT64_T, 0, communicator.get()), "MPI_Bcast");
    return size;
}

FileInput::FileInput(const Communicator& communicator, const std::string& path, std::uint64_t bytes,
                     std::size_t block, GatherPartition partition, const Messages& rounds)
    : file_(path),
      total_(bytes),
      block_(block),
      work_(communicator, partition, rounds, (bytes + block - 1) / block) {}

bool FileInput::next() {
    if (!work_.next()) return false;
    const std::uint64_t begin = work_.dealt();
    message_bytes_ =
        std::min(total_, (begin + work_.available()) * block_) - std::min(total_, begin * block_);
    return true;
}

std::optional<std::uint64_t> FileInput::take() {
    const auto place = work_.take();
    if (!place) return std::nullopt;
    part_ = place->part;
    return place->number;
}

std::span<const std::byte> FileInput::block(std::uint64_t index) {
    const std::uint64_t begin = (part_.first + index) * block_;
    content_.resize(std::min<std::uint64_t>(block_, total_ - begin));
    file_.read_at(begin, content_);
    return content_;
}

PipedInput::PipedInput(const Communicator& communicator, const std::string& path, std::size_t block,
                       GatherPartition partition, std::uint64_t tile)
    : transport_(communicator.get()), block_(block), partition_(partition), tile_(tile) {
    if (transport_.rank() == 0) file_ = Reading(path);
}

bool PipedInput::next() {
    if (!begun_) hand_out();
    begun_ = true;
    present_ = 1 - present_;
    Slot& slot = slots_[present_];
    // Rank 0 awaits its sends only when their slot is used again.
    if (transport_.rank() != 0) {
        for (auto& request : slot.requests) request.wait();
        slot.requests.clear();
    }
    if (slot.announced.all == 0) return false;
    hand_out();
    taken_ = false;
    return true;
}

std::optional<std::uint64_t> PipedInput::take() {
    // Each rank fills the place that it was sent, and no other.
    if (std::exchange(taken_, true)) return std::nullopt;
    return static_cast<std::uint64_t>(transport_.rank());
}

void PipedInput::hand_out() {
    Slot& slot = slots_[1 - present_];
    slot.requests.clear();  // waits for them
    if (transport_.rank() == 0) {
        read_and_send(slot);
        return;
    }
    slot.content.resize(tile_ * block_);
    slot.requests.push_back(
        transport_.receive(&slot.announced, sizeof slot.announced, 0, message_tag(0)));
    slot.requests.push_back(
        transport_.receive_up_to(slot.content.data(), slot.content.size(), 0, message_tag(1)));
}

void PipedInput::read_and_send(Slot& slot) {
    slot.content.resize(partition_.round_size(tile_) * block_);
    const std::size_t bytes = ended_ ? 0 : file_.read(slot.content);
    ended_ = bytes < slot.content.size();
    const std::uint64_t available = (bytes + block_ - 1) / block_;
    slot.announcements.clear();
    std::vector<std::uint64_t> begins;
    for (int rank = 0; rank < transport_.size(); ++rank) {
        const IndexRange part = partition_.block_of(tile_, available, rank);
        const std::uint64_t begin = (part.first - partition_.assigned()) * block_;
        const std::uint64_t end = std::min<std::uint64_t>(begin + part.count * block_, bytes);
        begins.push_back(begin);
        slot.announcements.push_back({end - std::min(begin, end), bytes});
    }
    for (int rank = 1; rank < transport_.size(); ++rank) {
        const auto place = static_cast<std::size_t>(rank);
        const Announcement& announced = slot.announcements[place];
        slot.requests.push_back(
            transport_.send(&announced, sizeof announced, rank, message_tag(0)));
        slot.requests.push_back(transport_.send(slot.content.data() + begins[place],
                                                announced.yours, rank, message_tag(1)));
    }
    slot.announced = slot.announcements[0];
    partition_.advance(tile_, available);
}

std::uint64_t PipedInput::count() const {
    return (present().announced.yours + block_ - 1) / block_;
}

std::span<const std::byte> PipedInput::block(std::uint64_t index) {
    // Rank 0 holds the content of all ranks; its own part is the first.
    const std::uint64_t begin = index * block_;
    const std::uint64_t length = std::min<std::uint64_t>(block_, present().announced.yours - begin);
    return std::span(slots_[present_].content).subspan(begin, length);
}

}  // namespace lapwing::compress
