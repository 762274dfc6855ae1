#include "lapwing/predict/operation_time.hpp"

#include <algorithm>
#include <vector>

#include "lapwing/predict/corrections.hpp"
#include "lapwing/predict/local_work.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

double TimeTerms::seconds(double messages) const {
    return std::max(0.0, (messages + more) * factor);
}

OperationTime::OperationTime(const Profile& profile, const Operation& operation,
                             const simulate::MeasuredMachine& machine)
    : profile_(profile),
      ranks_per_node_(operation.ranks_per_node),
      // A schedule that is looked at for nothing would make many predictions far slower.
      has_work_(operation.name != "send" && profile.collectives && !is_free(*profile.collectives)) {
    // A send is half of a round trip among others: it is never isolated.
    const bool isolated = operation.name != "send";
    const Log3P* const table =
        operation.packed ? &strided_costs(profile) : find_strided_costs(profile);
    if (table == nullptr || !(operation.packed || isolated)) return;
    std::vector<double> contiguous;  // by this machine: the corrections are added to its messages
    for (const auto size : table->sizes) contiguous.push_back(machine.alone(size));
    if (operation.packed)
        packing_ = packing_correction(*table, contiguous, static_cast<double>(*operation.stride));
    if (isolated) isolated_ = isolated_correction(*table, contiguous, operation);
}

TimeTerms OperationTime::of_messages(const Algorithm& algorithm, std::uint64_t ranks,
                                     std::uint64_t size) const {
    TimeTerms terms;
    // Isolated messages were not timed within a node.
    if (isolated_ && ranks > ranks_per_node_)
        terms.more += isolated_->total(static_cast<double>(algorithm.first(ranks, size)));
    if (packing_ && ranks > 1) terms.more += packing_->total(static_cast<double>(size));
    for (const AlgorithmFactors& each : profile_.algorithms) {
        if (each.algorithm != algorithm.name || each.operation != algorithm.operation) continue;
        terms.factor = each.at(size);
        break;
    }
    return terms;
}

CollectiveCosts OperationTime::costs_among(std::uint64_t ranks) const {
    return profile_.collectives->among(std::min(ranks, ranks_per_node_));
}

TimeTerms OperationTime::terms(const Algorithm& algorithm, std::uint64_t ranks,
                               std::uint64_t size) const {
    TimeTerms terms = of_messages(algorithm, ranks, size);
    if (!has_work_ || ranks < 2) return terms;
    const LocalWork work = many_ ? many_->at(algorithm, ranks, size)
                                 : local_work(algorithm.operation, algorithm.name, ranks, size);
    terms.more += local_seconds(costs_among(ranks), work, ranks);
    return terms;
}

TimeTerms OperationTime::terms(const simulate::CollectiveChoice& choice) const {
    const Algorithm& algorithm = *find_algorithm(choice.operation, choice.algorithm);
    TimeTerms terms = of_messages(algorithm, choice.ranks, choice.size);
    if (has_work_ && choice.ranks > 1)
        terms.more += local_seconds(costs_among(choice.ranks), local_work(choice), choice.ranks);
    return terms;
}

Interval interval_of(const Profile& profile, std::string_view operation) {
    if (!profile.collectives || operation == "send") return {};
    return {profile.collectives->low, profile.collectives->high};
}

CollectiveTime collective_time(const Profile& profile, const simulate::MeasuredMachine& machine,
                               const simulate::MeasuredMachine::Options& options,
                               const simulate::CollectiveChoice& choice, simulate::Time finish) {
    const Operation operation{.name = choice.operation,
                              .stride = options.stride,
                              .ranks_per_node = options.ranks_per_node};
    const double messages = simulate::MeasuredMachine::seconds(finish);
    const double seconds =
        OperationTime(profile, operation, machine).terms(choice).seconds(messages);
    const Interval interval = interval_of(profile, choice.operation);
    return {seconds, seconds * interval.low, seconds * interval.high};
}

}  // namespace lapwing
