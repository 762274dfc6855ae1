#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../common/options.hpp"
#include "block.hpp"
#include "kernels.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/memory.hpp"
#include "problem.hpp"
#include "range.hpp"
#include "rank_grid.hpp"
#include "settings.hpp"

namespace lapwing::nas::cg {

/// The matrix times a distributed vector. A rank gathers the slices of its grid column, multiplies
/// its block, sends the sums of other ranks' rows to these, and adds up what it receives.
///
/// Overlapped, it multiplies the first columns, those of its own slice, while the other slices
/// travel. Then others' rows come first, and are sent piece by piece as soon as they are complete;
/// its own rows are multiplied while they travel. Numbers are added in the same order in both
/// schedules.
template <Transport T, class Computation>
class Product {
  public:
    /// `transport` and `computation` outlive it.
    Product(T& transport, Computation& computation, const Problem& problem, const RankGrid& grid,
            const Options& options)
        : transport_(transport),
          computation_(computation),
          problem_(problem),
          grid_(grid),
          schedule_(options.schedule),
          pieces_(static_cast<std::size_t>(options.settings[setting::pieces])),
          rows_(grid.row_slices()),
          columns_(grid.column_slices()),
          groups_(groups(static_cast<std::size_t>(options.settings[setting::early]))),
          gathered_(memory_for(transport, columns_.back().place.end * sizeof(double))),
          sums_(memory_for(transport, rows_.back().place.end * sizeof(double))),
          partial_(
              memory_for(transport, (rows_.size() - 1) * own_rows().length() * sizeof(double))) {
        if constexpr (Computation::performs) block_.emplace(problem, grid, groups_);
    }

    /// This rank's slice of the vector that is multiplied.
    [[nodiscard]] std::span<double> operand() {
        return {numbers(gathered_), columns_.front().place.length()};
    }
    /// Computes the product. `meanwhile(share)` is called while messages travel, when so much of
    /// the block is multiplied, from 0 to 1. Returns this rank's slice of the product, which stays
    /// until the next one.
    template <class Meanwhile>
    std::span<const double> operator()(Meanwhile&& meanwhile) {
        start_messages();
        done_ = 0;
        computation_.run(kernel::vectors, own_rows().end,
                         [&] { std::fill_n(numbers(sums_), own_rows().end, 0.0); });
        if (schedule_ == Schedule::blocking) {
            multiply_blocking();
        } else {
            multiply_overlapped(meanwhile);
        }
        add_sums_of_others();
        for (Message& message : std::exchange(sent_, {})) wait(message);
        return std::span(numbers(sums_), own_rows().end).subspan(own_rows().begin);
    }

  private:
    using Memory = decltype(memory_for(std::declval<T&>(), std::size_t{}));
    using Message = typename T::Request;

    [[nodiscard]] static double* numbers(Memory& memory) {
        return reinterpret_cast<double*>(memory.data());
    }
    [[nodiscard]] Range own_rows() const { return rows_.back().place; }

    /// The columns that are multiplied early: a group of each slice.
    [[nodiscard]] std::vector<Range> groups(std::size_t eighths) const {
        std::vector<Range> all;
        if (columns_.size() == 1) return all;
        for (const Slice& slice : columns_) {
            const std::size_t some = std::min<std::size_t>(eighths, 8);
            if (some == 0) break;
            all.push_back({slice.place.begin, slice.place.part(some - 1, 8).end});
            eighths -= some;
        }
        return all;
    }

    void start_messages() {
        const Traced traced(computation_.recorder(), Activity::initiation);
        slices_.clear();
        for (std::size_t i = 1; i < columns_.size(); ++i)
            slices_.push_back(transport_.receive(numbers(gathered_) + columns_[i].place.begin,
                                                 columns_[i].place.length() * sizeof(double),
                                                 columns_[i].rank, slice_tag));
        for (std::size_t i = 1; i < columns_.size(); ++i)
            sent_.push_back(transport_.send(operand().data(), operand().size_bytes(),
                                            grid_.below(static_cast<int>(i)), slice_tag));
        sums_of_others_.clear();
        for (std::size_t i = 0; i + 1 < rows_.size(); ++i)
            for (std::size_t piece = 0; piece < pieces_; ++piece) {
                const Range place = place_of(i, own_rows().part(piece, pieces_));
                sums_of_others_.push_back(transport_.receive(
                    numbers(partial_) + place.begin, place.length() * sizeof(double),
                    grid_.right(-1 - static_cast<int>(i)), sums_tag));
            }
    }
    /// Where the sums of some of this rank's rows are received from the rank `i` + 1 columns to the
    /// left.
    [[nodiscard]] Range place_of(std::size_t i, Range rows) const {
        const std::size_t first = i * own_rows().length();
        return {first + rows.begin - own_rows().begin, first + rows.end - own_rows().begin};
    }
    void multiply_blocking() {
        await(slices_);
        for (std::size_t group = 0; group < groups_.size(); ++group) multiply_group(group);
        multiply_rows({0, own_rows().end});
        for_each_piece([&](int rank, Range rows) { send_sums(rank, rows); });
        await(sums_of_others_);
    }
    template <class Meanwhile>
    void multiply_overlapped(Meanwhile&& meanwhile) {
        const Poller poller(
            Computation::poll_interval,
            [](void* product) { static_cast<Product*>(product)->let_progress(); }, this);
        const auto go_on = [&] {
            meanwhile(done_ / area({0, own_rows().end}, {0, columns_.back().place.end}));
        };
        go_on();
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (group > 0) wait(slices_[group - 1]);
            multiply_group(group);
            go_on();
        }
        await(slices_);
        for_each_piece([&](int rank, Range rows) {
            multiply_rows(rows);
            send_sums(rank, rows);
            go_on();
        });
        multiply_rows(own_rows());
        go_on();
    }
    /// Calls `visit(rank, rows)` for each message of sums: to whom and of which rows.
    template <class Visit>
    void for_each_piece(Visit&& visit) {
        for (std::size_t i = 0; i + 1 < rows_.size(); ++i)
            for (std::size_t piece = 0; piece < pieces_; ++piece)
                visit(rows_[i].rank, rows_[i].place.part(piece, pieces_));
    }
    void send_sums(int rank, Range rows) {
        const Traced traced(computation_.recorder(), Activity::initiation);
        sent_.push_back(transport_.send(numbers(sums_) + rows.begin, rows.length() * sizeof(double),
                                        rank, sums_tag));
    }
    void add_sums_of_others() {
        for (std::size_t i = 0; i < sums_of_others_.size(); ++i) {
            wait(sums_of_others_[i]);
            const Range rows = own_rows().part(i % pieces_, pieces_);
            const double* const from = numbers(partial_) + place_of(i / pieces_, rows).begin;
            double* const to = numbers(sums_) + rows.begin;
            computation_.run(kernel::vectors, 3 * rows.length(), [&] {
                for (std::size_t k = 0; k < rows.length(); ++k) to[k] += from[k];
            });
        }
    }
    /// Lets messages under way progress: to test any lets all.
    void let_progress() {
        for (auto* messages : {&sums_of_others_, &sent_})
            if (!messages->empty()) (void)messages->back().test();
    }
    void await(std::vector<Message>& messages) {
        for (Message& message : messages) wait(message);
    }
    void wait(Message& message) {
        const Traced traced(computation_.recorder(), Activity::wait);
        message.wait();
    }
    void multiply_group(std::size_t group) {
        multiply(work_of_group(group),
                 [&] { block_->add_group(group, numbers(gathered_), numbers(sums_)); });
        done_ += area({0, own_rows().end}, groups_[group]);
    }
    void multiply_rows(Range rows) {
        multiply(work(rows), [&] { block_->add_rows(rows, numbers(gathered_), numbers(sums_)); });
        done_ += area(rows, late_columns());
    }
    /// All messages can hide behind the matrix.
    template <class Loop>
    void multiply(std::size_t work, Loop&& loop) {
        if (schedule_ != Schedule::chain) computation_.run(kernel::matrix, work, loop);
    }
    /// Those that are multiplied row by row.
    [[nodiscard]] Range late_columns() const {
        return {groups_.empty() ? 0 : groups_.back().end, columns_.back().place.end};
    }
    [[nodiscard]] static double area(Range rows, Range columns) {
        return static_cast<double>(rows.length()) * static_cast<double>(columns.length());
    }
    // Recorded ranks have no matrix: they expect as many nonzeros as there are in the mean.
    [[nodiscard]] std::size_t work_of_group(std::size_t group) const {
        if constexpr (Computation::performs) return block_->work_of_group(group);
        return work_of_columns(expected({0, own_rows().end}, groups_[group]),
                               groups_[group].length());
    }
    [[nodiscard]] std::size_t work(Range rows) const {
        if constexpr (Computation::performs) return block_->work(rows);
        return work_of_rows(expected(rows, late_columns()), rows.length());
    }
    [[nodiscard]] std::size_t expected(Range rows, Range columns) const {
        return static_cast<std::size_t>(
            std::lround(problem_.expected_nonzeros(rows.length(), columns.length())));
    }

    static constexpr int slice_tag = 1;
    static constexpr int sums_tag = 2;

    T& transport_;
    Computation& computation_;
    Problem problem_;
    RankGrid grid_;
    Schedule schedule_;
    std::size_t pieces_;
    std::vector<Slice> rows_;
    std::vector<Slice> columns_;
    std::vector<Range> groups_;
    std::optional<Block> block_;
    Memory gathered_;  ///< the vector's slices for all columns of the block
    Memory sums_;      ///< of all rows of the block
    Memory partial_;   ///< others' sums of this rank's rows
    std::vector<Message> slices_;
    std::vector<Message> sums_of_others_;
    std::vector<Message> sent_;
    double done_ = 0;
};

}  // namespace lapwing::nas::cg
