#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/sampling/sampling.hpp"
#include "lapwing/calibrate/sampling/series.hpp"

namespace lapwing {

/// Samples the quantities of `series` in turn, by a `Campaign`, and returns them; the samples are
/// rank 0's. Both ranks call `measure(i)`, which returns one sample of quantity `i` on rank 0.
/// Short ones are sampled several times in a visit. `what`: names all of them for people.
std::vector<Series> sample_interleaved(const Sampling& sampling, const std::string& what,
                                       std::vector<Series> series,
                                       const std::function<double(std::size_t)>& measure);

}  // namespace lapwing
