#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "arguments.hpp"
#include "elements.hpp"
#include "lapwing/observe/traffic.hpp"
#include "lapwing/record/record.hpp"
#include "mpi_weak.hpp"

namespace lapwing::observe {

/// Bytes of `count` elements of a type.
inline std::uint64_t bytes(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size > 0 && count > 0 ? static_cast<std::uint64_t>(count) * static_cast<unsigned>(size)
                                 : 0;
}
/// Whether a communicator is between two groups.
inline bool is_between(MPI_Comm comm) {
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    return between != 0;
}
/// Ranks that one of `comm` communicates with: of an intercommunicator, those of the other group.
inline int size_of(MPI_Comm comm) {
    int size = 0;
    if (is_between(comm))
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    return size;
}
inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/// Bytes of the block of each rank of a collective, as the arguments of a call say them.
class BlockSizes {
  public:
    BlockSizes() = default;
    BlockSizes(int count, MPI_Datatype type) : equal_(bytes(count, type)) {}
    BlockSizes(const int* counts, MPI_Datatype type) : counts_(counts), equal_(bytes(1, type)) {}
    BlockSizes(const int* counts, const arguments::Datatypes& types)
        : counts_(counts), types_(types) {}

    [[nodiscard]] std::uint64_t operator[](int rank) const {
        if (!counts_) return equal_;
        const auto i = static_cast<std::size_t>(rank);
        if (types_) return bytes(counts_[i], (*types_)[i]);
        return counts_[i] > 0 ? static_cast<std::uint64_t>(counts_[i]) * equal_ : 0;
    }
    /// Whether there is a size for each rank.
    [[nodiscard]] bool differ() const { return counts_ != nullptr; }

  private:
    const int* counts_ = nullptr;
    std::optional<arguments::Datatypes> types_;
    std::uint64_t equal_ = 0;  // of a block, or of its elements
};

/// One end of a message, as a call says it.
struct MessageEnd {
    int peer = MPI_PROC_NULL;  ///< in its communicator
    int tag = 0;
    std::uint64_t bytes = 0;
    Element element = Element::unknown;
    // Who sent it, and with which tag, where the call says any.
    int actual_peer = peer;
    int actual_tag = tag;
};

/// What a call says that it does: messages, or a collective.
struct CallDescription {
    MPI_Comm comm{};
    bool sends = false;
    bool receives = false;
    MessageEnd to{};
    MessageEnd from{};

    bool collective = false;
    record::Collective operation = record::Collective::barrier;
    Element element = Element::unknown;
    int root = Traffic::nobody;
    std::uint64_t size = 0;  ///< bytes of the whole message, or of the caller's block
    BlockSizes blocks{};     ///< that are collected, or given out; of all-to-alls what arrives
    BlockSizes given{};      ///< what the caller of an all-to-all with different blocks sends
};

}  // namespace lapwing::observe
