#include "random_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "../common/random.hpp"

namespace lapwing::nas::cg {
namespace {

/// The nonzeros of one random vector after another.
class RandomVectors {
  public:
    explicit RandomVectors(const Problem& problem) : problem_(problem) {}

    /// Appends the nonzeros of the next vector, whose element `half` is 0.5, to `all`.
    void append(std::uint32_t half, std::vector<RandomMatrix::Entry>& all) {
        const std::size_t begin = all.size();
        const auto find = [&](std::uint32_t place) {
            return std::find_if(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(),
                                [=](const auto& entry) { return entry.column == place; });
        };
        while (all.size() < begin + problem_.nonzeros) {
            const double value = random_();
            const auto place = static_cast<std::uint32_t>(places_ * random_());
            if (place < problem_.rows && find(place) == all.end()) all.push_back({place, value});
        }
        if (const auto found = find(half); found != all.end())
            found->value = 0.5;
        else
            all.push_back({half, 0.5});
    }

  private:
    const Problem& problem_;
    Random random_{1};  ///< the benchmark does not use the first number
    double places_ = static_cast<double>(std::bit_ceil(problem_.rows));
};

}  // namespace

RandomMatrix::RandomMatrix(const Problem& problem) : problem_(problem), rows_(problem.rows + 1) {
    vectors_.reserve(problem.rows * (problem.nonzeros + 1));
    const double ratio = std::pow(Problem::condition, 1 / static_cast<double>(problem.rows));
    RandomVectors random(problem);
    double weight = 1;
    for (std::uint32_t index = 0; index < problem.rows; ++index, weight *= ratio) {
        begins_.push_back(vectors_.size());
        weights_.push_back(weight);
        random.append(index, vectors_);
    }
    begins_.push_back(vectors_.size());
    find_uses();
}

void RandomMatrix::find_uses() {
    for (const Entry& entry : vectors_) ++rows_[entry.column + 1];
    for (std::size_t row = 0; row < problem_.rows; ++row) rows_[row + 1] += rows_[row];
    std::vector<std::size_t> ends(rows_.begin(), rows_.end() - 1);
    uses_.resize(vectors_.size());
    for (std::uint32_t index = 0; index < problem_.rows; ++index)
        for (std::size_t k = begins_[index]; k < begins_[index + 1]; ++k)
            uses_[ends[vectors_[k].column]++] = {index, vectors_[k].value};
}

void RandomMatrix::row(std::size_t row, std::span<const std::uint32_t> number,
                       std::vector<Entry>& entries) {
    sums_.resize(problem_.rows);
    touched_.resize(problem_.rows);
    entries.clear();
    const auto add = [&](std::uint32_t column, double value) {
        const std::uint32_t place = number[column];
        if (place == none) return;
        if (!touched_[place]) entries.push_back({place, 0});
        touched_[place] = true;
        sums_[place] += value;
    };
    for (std::size_t use = rows_[row]; use < rows_[row + 1]; ++use) {
        const auto [index, value] = uses_[use];
        for (std::size_t k = begins_[index]; k < begins_[index + 1]; ++k)
            add(vectors_[k].column, value * (weights_[index] * vectors_[k].value));
    }
    add(static_cast<std::uint32_t>(row), Problem::condition - problem_.shift);
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (Entry& entry : entries) {
        entry.value = sums_[entry.column];
        sums_[entry.column] = 0;
        touched_[entry.column] = false;
    }
}

}  // namespace lapwing::nas::cg
