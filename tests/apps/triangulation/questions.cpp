#include "questions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <memory>
#include <vector>

#include "border.hpp"
#include "inputs.hpp"

using namespace lapwing::triangulation;

namespace {

/// All ranks of a triangulation, without messages.
class Ranks {
  public:
    Ranks(std::vector<Point> points, std::size_t ranks, std::size_t border) {
        std::ranges::sort(points, comes_before);
        const auto starts = strip_starts(regular_sample(points, 64), ranks);
        std::vector<std::size_t> counts = points_by_strip(points, starts);
        counts.resize(ranks);
        auto from = points.begin();
        std::vector<Strip> strips;
        for (const std::size_t count : counts) {
            auto& own = all_.emplace_back(std::make_unique<Rank>(ranks));
            own->points.assign(from, from + static_cast<std::ptrdiff_t>(count));
            from += static_cast<std::ptrdiff_t>(count);
            own->points.erase(std::unique(own->points.begin(), own->points.end(), same_place),
                              own->points.end());
            own->parts = take_apart(own->points, border);
            strips.push_back(describe(own->points, own->parts, border));
        }
        for (const Strip& strip : strips)
            for (const Point& point : strip.outline)
                if (point.number != Point::none) outlines_.push_back(point);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            all_[rank]->questions = std::make_unique<Questions>(strips, rank);
        border_ = border;
    }

    /// The checksum of all ranks' triangles. `questions`: whether any are asked.
    [[nodiscard]] Checksum triangulate(bool questions = true) {
        if (outlines_.size() < 3 || on_one_line(outlines_)) return {};
        for (std::size_t rank = 0; rank < all_.size(); ++rank) {
            all_[rank]->mesh.insert(outlines_);
            all_[rank]->mesh.insert(all_[rank]->parts.frame);
            if (rank > 0) insert_border(rank, rank - 1, false);
            if (rank + 1 < all_.size()) insert_border(rank, rank + 1, true);
        }
        if (questions) ask(true);
        for (auto& rank : all_) rank->mesh.insert(rank->parts.interior);
        if (questions) ask(false);
        if (questions)
            for (auto& rank : all_)
                for (const auto& left : rank->questions->about(rank->mesh, false))
                    CHECK(left.empty());
        Checksum checksum;
        for (const auto& rank : all_)
            rank->mesh.for_each_face([&](const Face& face) {
                if (face.infinite()) return;
                if (rank->questions->is_own(std::min({face.a, face.b, face.c}, lies_before)))
                    checksum.add(triangle_of(face.a.number, face.b.number, face.c.number));
            });
        return checksum;
    }

  private:
    struct Rank {
        explicit Rank(std::size_t ranks) : answers(ranks) {}
        std::vector<Point> points;
        OwnPoints parts;
        Delaunay mesh;
        std::unique_ptr<Questions> questions;
        Answers answers;
    };

    void insert_border(std::size_t rank, std::size_t of, bool before) {
        std::vector<Point> border(border_);
        copy_border(all_[of]->points, before, border);
        std::erase_if(border, [](const Point& point) { return point.number == Point::none; });
        all_[rank]->mesh.insert(border);
    }
    void ask(bool early) {
        std::vector<ByRank<Face>> asked;
        for (auto& rank : all_) asked.push_back(rank->questions->about(rank->mesh, early));
        std::vector<std::vector<Point>> answers(all_.size());
        for (std::size_t to = 0; to < all_.size(); ++to) {
            Rank& answering = *all_[to];
            for (std::size_t from = 0; from < all_.size(); ++from) {
                const auto points = answering.answers.to(from, asked[from][to], answering.mesh,
                                                         *answering.questions);
                answers[from].insert(answers[from].end(), points.begin(), points.end());
            }
        }
        for (std::size_t rank = 0; rank < all_.size(); ++rank)
            all_[rank]->mesh.insert(answers[rank]);
    }

    std::vector<std::unique_ptr<Rank>> all_;
    std::vector<Point> outlines_;
    std::size_t border_ = 0;
};

}  // namespace

TEST_CASE("ranks together find the triangles of all points, however special these are") {
    for (const auto& [name, points] : inputs()) {
        const Checksum expected = sequential_checksum(points);
        for (const std::size_t ranks : {1U, 2U, 3U, 5U, 16U}) {
            for (const std::size_t border : {1U, 4U, 30U, 1000U}) {
                CAPTURE(name, ranks, border);
                CHECK(Ranks(points, ranks, border).triangulate() == expected);
            }
        }
    }
}

TEST_CASE("without questions triangles are missing or wrong") {
    const auto all = inputs();
    const auto& random = all.back().second;
    CHECK_FALSE(Ranks(random, 5, 4).triangulate(false) == sequential_checksum(random));
}

TEST_CASE("random sets of few points, on few lines") {
    std::mt19937_64 random(23);
    for (int trial = 0; trial < 400; ++trial) {
        std::uniform_int_distribution<int> size(0, 40);
        std::uniform_int_distribution<int> coordinate(0, 1 + trial % 9);
        std::vector<std::pair<double, double>> places;
        for (int i = size(random); i > 0; --i)
            places.emplace_back(coordinate(random), coordinate(random));
        const auto points = numbered(places);
        const std::size_t ranks = 1 + static_cast<std::size_t>(trial) % 7;
        CAPTURE(trial, ranks);
        CHECK(Ranks(points, ranks, 1 + static_cast<std::size_t>(trial) % 3).triangulate() ==
              sequential_checksum(points));
    }
}
