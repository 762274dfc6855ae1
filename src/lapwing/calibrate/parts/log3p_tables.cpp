#include "lapwing/calibrate/parts/log3p_tables.hpp"

#include <algorithm>

#include "lapwing/compute/charge.hpp"
#include "lapwing/model/log3p.hpp"

namespace lapwing {
namespace {

using Quantity = Log3PCell::Quantity;
using Row = std::vector<double>;  // [size]
using Grid = std::vector<Row>;    // [size][stride]

/// By which share a message packed by hand must take longer than its parts to be believed.
constexpr double telling = 0.1;

class TableBuilder {
  public:
    explicit TableBuilder(const Log3POptions& options)
        : options_(options), rows_(options.sizes.size()), columns_(options.strides.size()) {
        const Grid none(rows_, Row(columns_));
        result_.sizes = options.sizes;
        result_.strides = options.strides;
        result_.element = sizeof(double);
        for (Row* const row : {&result_.T_mem, &result_.peer, &result_.isolated, &to_self_})
            row->resize(rows_);
        for (Grid* const grid :
             {&result_.l_mw, &result_.packing, &result_.remote, &result_.packed, &result_.ratio,
              &result_.isolated_strided, &result_.isolated_packed})
            *grid = none;
    }

    void fill(const std::vector<Log3PCell>& cells, const std::vector<double>& times) {
        for (std::size_t k = 0; k < cells.size(); ++k) entry(cells[k]) = times[k];
        if (!simulated_time) return;
        // Nothing tires in simulated time.
        result_.isolated = result_.peer;
        result_.isolated_strided = result_.remote;
        result_.isolated_packed = result_.packed;
    }
    void derive_terms();
    void extrapolate(std::vector<std::string>& interpolated);
    void compare();
    Log3P take() { return std::move(result_); }

  private:
    double& entry(const Log3PCell& cell);
    void extrapolate(std::size_t i, std::size_t j, std::vector<std::string>& interpolated);

    const Log3POptions& options_;
    std::size_t rows_;
    std::size_t columns_;
    Row to_self_;
    Log3P result_;
};

/// Where the time of a cell goes. Strided messages to oneself stay in `l_mw` until it is derived.
double& TableBuilder::entry(const Log3PCell& cell) {
    const std::size_t i = cell.size;
    const auto& j = cell.stride;
    switch (cell.quantity) {
        case Quantity::self:
            return j ? result_.l_mw[i][*j] : to_self_[i];
        case Quantity::peer:
            return j ? result_.remote[i][*j] : result_.peer[i];
        case Quantity::isolated_peer:
            return j ? result_.isolated_strided[i][*j] : result_.isolated[i];
        case Quantity::packing:
            return result_.packing[i][*j];
        case Quantity::packed_peer:
            return result_.packed[i][*j];
        case Quantity::isolated_packed_peer:
            return result_.isolated_packed[i][*j];
        case Quantity::copy:
            break;
    }
    return result_.T_mem[i];
}

/// o_mw, o_net and l_mw by their definitions, and packing as part of a message if that takes
/// clearly longer than its parts.
void TableBuilder::derive_terms() {
    for (std::size_t i = 0; i < rows_; ++i) {
        result_.o_mw.push_back(std::max(0.0, to_self_[i] - result_.T_mem[i]));
        result_.o_net.push_back(std::max(0.0, result_.peer[i] - result_.o_mw[i]));
        for (double& time : result_.l_mw[i]) time = std::max(0.0, time - to_self_[i]);
        for (std::size_t j = 0; j < columns_; ++j) {
            const double in_message = (result_.packed[i][j] - result_.peer[i]) / 2;
            const double beyond = 2 * (in_message - result_.packing[i][j]);
            if (beyond > telling * result_.packed[i][j]) result_.packing[i][j] = in_message;
        }
    }
}

/// Entries of messages that would be spread too far, from the next shorter ones.
void TableBuilder::extrapolate(std::vector<std::string>& interpolated) {
    for (std::size_t j = 0; j < columns_; ++j)
        for (std::size_t i = 1; i < rows_; ++i)
            if (spread(options_, i, j) > options_.span) extrapolate(i, j, interpolated);
}

void TableBuilder::extrapolate(std::size_t i, std::size_t j,
                               std::vector<std::string>& interpolated) {
    const double larger =
        static_cast<double>(result_.sizes[i]) / static_cast<double>(result_.sizes[i - 1]);
    result_.l_mw[i][j] = larger * result_.l_mw[i - 1][j];
    result_.packing[i][j] = larger * result_.packing[i - 1][j];
    // What the stride adds grows with the size; what the wire takes is known.
    const auto extend = [&](Grid& strided, const Row& side_by_side) {
        const double added = std::max(0.0, strided[i - 1][j] - side_by_side[i - 1]);
        strided[i][j] = side_by_side[i] + larger * added;
    };
    extend(result_.remote, result_.peer);
    extend(result_.packed, result_.peer);
    extend(result_.isolated_strided, result_.isolated);
    extend(result_.isolated_packed, result_.isolated);
    const std::string place = "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
    for (const char* table :
         {"l_mw", "packing", "remote", "packed", "isolated_strided", "isolated_packed", "ratio"})
        interpolated.push_back(std::string("log3p.") + table + place);
}

/// The model's sum over what was measured, and where the middleware takes longer than the network.
void TableBuilder::compare() {
    for (std::size_t j = 0; j < columns_; ++j) {
        Row middleware;
        for (std::size_t i = 0; i < rows_; ++i) {
            const model::Log3PTerms sum{result_.o_mw[i], result_.l_mw[i][j], result_.o_net[i]};
            result_.ratio[i][j] = model::ratio(sum, result_.remote[i][j]);
            middleware.push_back(sum.o_mw + sum.l_mw);
        }
        result_.crossover.push_back(model::crossover(result_.sizes, middleware, result_.o_net));
    }
}

}  // namespace

bool Log3PCell::has_peer() const {
    return quantity != Quantity::copy && quantity != Quantity::self &&
           quantity != Quantity::packing;
}

bool Log3PCell::is_isolated() const {
    return quantity == Quantity::isolated_peer || quantity == Quantity::isolated_packed_peer;
}

std::uint64_t spread(const Log3POptions& options, std::size_t size, std::size_t stride) {
    return options.sizes[size] / sizeof(double) * options.strides[stride];
}

Log3P log3p_tables(const Log3POptions& options, const std::vector<Log3PCell>& cells,
                   const std::vector<double>& times, std::vector<std::string>& interpolated) {
    TableBuilder builder(options);
    builder.fill(cells, times);
    builder.derive_terms();
    builder.extrapolate(interpolated);
    builder.compare();
    return builder.take();
}

}  // namespace lapwing
