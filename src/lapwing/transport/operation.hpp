#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lapwing {

/// An operation: one way to move bytes between a pair of ranks, such as a put or a message.
/// Calibration measures all of them by the same functions. Rank 0 initiates; rank 1 does what its
/// side must: nothing for a put or a get, receiving and answering for a message.
///
///     both:   prepare(count, bytes)         nothing moves yet
///     rank 0: start(index, bytes) ...       each returns a request; test() and wait() as usual
///     rank 0: finish()                      when the requests are done: all data has arrived
///     rank 1: attend(count, bytes)          meanwhile; returns when its side is done
///
/// `index` counts the operations since `prepare`, from 0 to count - 1. Each has its own place in
/// the buffers, as far as they go.
///
/// Where `attend` returns at once, rank 1 waits for rank 0 inside the transport: many transports
/// move one-sided data only while the target calls them.
///
/// `test()` lets the transport progress, and is never true too early. A put that only a flush
/// completes cannot be tested: its `test()` stays false until somebody has waited.
template <class O>
concept Operation = std::movable<typename O::Request> &&
    requires(O operation, typename O::Request request, std::uint64_t count, std::uint64_t bytes,
             std::uint64_t index) {
    { O::name } -> std::convertible_to<std::string_view>;       // unique in its transport
    { O::transport } -> std::convertible_to<std::string_view>;  // the folder's, with blanks as "-"
    operation.prepare(count, bytes);
    { operation.start(index, bytes) } -> std::same_as<typename O::Request>;
    operation.finish();
    operation.attend(count, bytes);
    { request.test() } -> std::same_as<bool>;
    request.wait();
};

/// An operation that shows its memory to tests. `outgoing`: where the bytes of operation `index`
/// leave from this rank. `incoming`: where they arrive at this rank. Empty where none do.
template <class O>
concept InspectableOperation = Operation<O> &&
    requires(O operation, std::uint64_t index, std::uint64_t bytes) {
    { operation.outgoing(index, bytes) } -> std::same_as<std::span<std::byte>>;
    { operation.incoming(index, bytes) } -> std::same_as<std::span<std::byte>>;
};

/// Offset of operation `index`, of `bytes`, in a buffer of `capacity` bytes. Operations lie one
/// behind the other, and begin again at the start after the end.
[[nodiscard]] constexpr std::size_t place_in(std::size_t capacity, std::uint64_t index,
                                             std::uint64_t bytes) {
    const std::uint64_t places =
        std::max<std::uint64_t>(1, capacity / std::max<std::uint64_t>(1, bytes));
    return index % places * bytes;
}

/// The memory that operations move.
class OperationBuffer {
  public:
    explicit OperationBuffer(std::size_t capacity) : bytes_(capacity, std::byte{1}) {}

    [[nodiscard]] std::byte* place(std::uint64_t index, std::uint64_t bytes) {
        return bytes_.data() + place_in(bytes_.size(), index, bytes);
    }
    /// The same as a span; empty unless `used`.
    [[nodiscard]] std::span<std::byte> part(bool used, std::uint64_t index, std::uint64_t bytes) {
        return {place(index, bytes), used ? bytes : 0};
    }

  private:
    std::vector<std::byte> bytes_;
};

/// The request of an operation that is complete when its initiation returns.
struct CompleteRequest {
    static bool test() { return true; }
    static void wait() {}
};

}  // namespace lapwing
