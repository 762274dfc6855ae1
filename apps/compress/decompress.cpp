#include "decompress.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "buffer.hpp"
#include "concatenate.hpp"
#include "input.hpp"
#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/pipeline/collectives/gather_varying.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "output.hpp"
#include "places.hpp"
#include "reading.hpp"
#include "serial.hpp"
#include "streams.hpp"
#include "work_sharing.hpp"

namespace lapwing::compress {
namespace {

/// Bytes, compressed or not, of the longest stream that other ranks decompress, as they keep it in
/// memory. Rank 0 decompresses longer ones.
constexpr std::size_t longest = 4 << 20;

/// How much faster decompression is than compression, about.
constexpr double faster = 2.5;

/// Precedes the result of each stream in a message.
struct Head {
    Decoded decoded = Decoded::other;
    std::uint64_t bytes = 0;
};

/// Offsets in the file at which streams seem to begin. Each rank searches its share of the file.
std::vector<std::uint64_t> find_all(const Communicator& world, const Reading& file,
                                    std::uint64_t size) {
    constexpr std::uint64_t portion = 1 << 22;
    const auto ranks = static_cast<std::uint64_t>(world.size());
    const auto rank = static_cast<std::uint64_t>(world.rank());
    const std::uint64_t end = size / ranks * (rank + 1) + (rank + 1 == ranks ? size % ranks : 0);
    std::vector<std::uint64_t> mine;
    std::vector<std::byte> content;
    for (std::uint64_t at = size / ranks * rank; at < end; at += portion) {
        const std::uint64_t stop = std::min(at + portion, end);
        // A head may reach beyond the end of the portion that it begins in.
        content.resize(std::min(stop + stream_head - 1, size) - at);
        file.read_at(at, content);
        for (const auto found : find_streams(content)) mine.push_back(at + found);
    }
    return concatenate(mine, world);
}

/// Decompresses what should be one stream, bytes `begin` to `end` of the file, and appends the
/// result.
void append_result(const Reading& file, std::uint64_t begin, std::uint64_t end,
                   std::vector<std::byte>& out) {
    const std::size_t place = out.size();
    out.resize(place + sizeof(Head));
    Head head{.decoded = Decoded::longer, .bytes = 0};
    if (end - begin <= longest) {
        std::vector<std::byte> compressed(end - begin);
        file.read_at(begin, compressed);
        head.decoded = append_decompressed(compressed, longest, out);
        if (head.decoded != Decoded::whole) out.resize(place + sizeof head);
        head.bytes = out.size() - place - sizeof head;
        charge_compression(head.bytes);
    }
    std::memcpy(out.data() + place, &head, sizeof head);
}

/// Writes at rank 0 what arrives. Where that was no whole stream, decompresses the file from there.
class Assembler {
  public:
    Assembler(const Job& job, const Reading& file, const std::vector<std::uint64_t>& places,
              std::uint64_t size)
        : job_(job), file_(file), places_(places), size_(size), output_(job.output, job.replace) {
        if (places_.empty()) no_data();
    }
    void operator()(std::span<const std::byte> arrived) {
        while (!arrived.empty()) {
            Head head;
            std::memcpy(&head, arrived.data(), sizeof head);
            stream(head.decoded, arrived.subspan(sizeof head, head.bytes));
            arrived = arrived.subspan(sizeof head + head.bytes);
        }
    }
    void finish(Done& done) {
        if (end_ != size_) no_data();
        output_.finish();
        done.read = size_;
        done.written = output_.written();
    }

  private:
    void stream(Decoded decoded, std::span<const std::byte> content) {
        const std::uint64_t begin = places_[next_++];
        if (begin < end_) return;  // no head, but bytes inside the stream before it
        if (begin > end_) no_data();
        if (decoded == Decoded::whole) {
            output_.write(content);
            end_ = next_ < places_.size() ? places_[next_] : size_;
        } else {
            again(begin);
        }
        if (job_.progress) job_.progress(end_, size_, output_.written());
    }
    /// Decompresses one stream of any length.
    void again(std::uint64_t begin) {
        std::uint64_t place = begin;
        Serial serial(
            [&](std::span<std::byte> into) {
                into = into.first(std::min<std::uint64_t>(into.size(), size_ - place));
                file_.read_at(place, into);
                place += into.size();
                return into.size();
            },
            begin, file_.name());
        serial.stream([&](std::span<const std::byte> out) {
            output_.write(out);
            if (job_.progress) job_.progress(serial.place(), size_, output_.written());
        });
        end_ = serial.place();
    }
    [[noreturn]] void no_data() const {
        throw std::runtime_error(file_.name() + ": no bzip2 data from byte " +
                                 std::to_string(end_) + " on");
    }

    const Job& job_;
    const Reading& file_;
    const std::vector<std::uint64_t>& places_;
    std::uint64_t size_;
    Output output_;
    std::size_t next_ = 0;   ///< index of the next place
    std::uint64_t end_ = 0;  ///< offset in the file at which the last written stream ends
};

void decompress_file(const Communicator& world, const Job& job, std::uint64_t size, Done& done) {
    const int rank = world.rank();
    const Reading file(job.input);
    const auto places = find_all(world, file, size);
    std::optional<Assembler> assemble;
    if (rank == 0) assemble.emplace(job, file, places, size);

    const double seconds = static_cast<double>(largest_block) / core_rate(job) / faster;
    done.plan = plan_collection(job, world.size(), std::max<std::size_t>(places.size(), 1), seconds,
                                static_cast<double>(largest_block));
    const Plan& plan = done.plan.plan;
    WorkSharing deal(world, GatherPartition(world.size(), done.plan.root_share), plan.messages,
                     places.size());
    GatherVarying gathers(world.get());
    unbounded_pipeline<MessageBuffer>(
        plan.window, plan.poll_interval,
        [&](std::uint64_t, MessageBuffer& buffer) {
            if (!deal.next()) return false;
            while (const auto place = deal.take())
                append_place(buffer.bytes, place->number, [&] {
                    const auto& [first, count] = place->part;
                    for (std::uint64_t index = first; index < first + count; ++index) {
                        const std::uint64_t end =
                            index + 1 < places.size() ? places[index + 1] : size;
                        append_result(file, places[index], end, buffer.bytes);
                    }
                });
            return true;
        },
        [&](MessageBuffer& buffer) {
            return gathers.gather(buffer.bytes.data(), buffer.bytes.size());
        },
        [&](MessageBuffer&, GatherVarying::Request& request) {
            for_each_place(request, [&](std::span<const std::byte> data) { (*assemble)(data); });
        });
    if (assemble) assemble->finish(done);
}

void decompress_pipe(const Job& job, Done& done) {
    Reading file(job.input);
    Output output(job.output, job.replace);
    Serial serial([&](std::span<std::byte> into) { return file.read(into); }, 0, file.name());
    const auto write = [&](std::span<const std::byte> out) {
        output.write(out);
        if (job.progress) job.progress(serial.place(), 0, output.written());
    };
    if (!serial.stream(write)) throw std::runtime_error(file.name() + ": empty: no bzip2 data");
    while (serial.stream(write)) {
    }
    output.finish();
    done.read = serial.place();
    done.written = output.written();
}

}  // namespace

Done decompress(MPI_Comm original, const Job& job) {
    const double start = now();
    const Communicator world(original);
    const std::int64_t size = size_to_share(world, job.input);
    Done done;
    if (size < 0) {
        if (world.rank() == 0) decompress_pipe(job, done);
        quiet_barrier(world.get());
    } else {
        decompress_file(world, job, static_cast<std::uint64_t>(size), done);
    }
    done.seconds = now() - start;
    done.predicted = done.plan.plan.predicted;
    return done;
}

}  // namespace lapwing::compress
