#include "lapwing/replay/exchange_sites.hpp"

#include <map>
#include <utility>

#include "lapwing/replay/exchange_reader.hpp"

namespace lapwing::replay {
namespace {

void add(ExchangeSite& site, const Exchange& exchange, const KeptRecord* behind) {
    const record::Record& first = *exchange.records.front();
    if (exchange.kind == Exchange::Kind::collective) site.collective = first.collective;
    ++site.count;
    for (const KeptRecord& record : exchange.records) site.in_calls += record->duration;
    site.before += first.computed;
    if (behind) site.after += (*behind)->computed;
}

}  // namespace

std::vector<ExchangeSite> exchange_sites(const record::Recording& recording,
                                         const CallSites& sites) {
    struct Known {
        ExchangeSite site;
        std::uint64_t next_rank = 0;  // ranks below it have been counted
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Known> found;
    for (std::uint64_t rank = 0; rank < recording.ranks(); ++rank) {
        ExchangeReader reader(recording.rank(rank));
        for (Exchange exchange; reader.next(exchange);) {
            if (exchange.kind == Exchange::Kind::none) continue;
            const std::uint32_t site = sites.of(rank, exchange.site);
            if (site == sites.count) continue;
            const bool messages = exchange.kind == Exchange::Kind::messages;
            const std::uint32_t size_class = messages ? exchange.size_class() : 0;
            auto& [known, next_rank] = found[{site, size_class}];
            known.site = site;
            known.size_class = size_class;
            if (next_rank <= rank) ++known.ranks;
            next_rank = rank + 1;
            add(known, exchange, reader.behind());
        }
    }
    std::vector<ExchangeSite> all;
    all.reserve(found.size());
    for (const auto& [key, known] : found) all.push_back(known.site);
    return all;
}

}  // namespace lapwing::replay
