#include "lapwing/profile/interconnect.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace lapwing {
namespace {

constexpr std::uint32_t most_of_one = 1U << 20U;
constexpr std::uint64_t most_nodes = std::uint64_t{1} << 22U;
constexpr std::uint64_t most_links = std::uint64_t{1} << 24U;
constexpr std::size_t most_dimensions = 8;

/// Reads one description.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {
        const std::size_t end = std::min(text.find_first_of(":,"), text.size());
        name_ = text.substr(0, end);
        for (std::string_view rest = text.substr(end); !rest.empty();) {
            rest.remove_prefix(1);
            const std::string_view word = rest.substr(0, std::min(rest.find(','), rest.size()));
            const bool is_option = word.find('=') != std::string_view::npos;
            if (!is_option && !options_.empty()) fail();
            (is_option ? options_ : words_).push_back(word);
            rest.remove_prefix(word.size());
        }
        // The numbers of a shape follow a colon.
        if ((end < text.size() && text[end] == ':') == words_.empty()) fail();
    }

    Interconnect read() {
        Interconnect made;
        if (name_ == "flat" && words_.empty()) {
            made.shape = SingleSwitch{};
        } else if (name_ == "fat-tree" && (words_.size() == 2 || words_.size() == 3)) {
            made.shape = FatTree{.below = whole(words_[0]),
                                 .uplinks = whole(words_[1]),
                                 .nodes = words_.size() == 3 ? whole(words_[2]) : 0,
                                 .complete = words_.size() == 3};
        } else if ((name_ == "torus" || name_ == "mesh") && words_.size() == 1) {
            made.shape = Torus{.dimensions = numbers(1, most_dimensions), .wraps = name_[0] == 't'};
        } else if (name_ == "dragonfly" && words_.size() == 1) {
            const auto n = numbers(3, 3);
            made.shape = Dragonfly{.groups = n[0], .leaves = n[1], .spines = 0, .below = n[2]};
        } else if (name_ == "dragonfly+" && words_.size() == 1) {
            const auto n = numbers(4, 4);
            made.shape = Dragonfly{.groups = n[0], .leaves = n[1], .spines = n[2], .below = n[3]};
        } else {
            fail();
        }
        for (const std::string_view option : options_) set(made, option);
        check_size(made);
        return made;
    }

  private:
    [[noreturn]] void fail() const {
        throw std::invalid_argument(
            "'" + std::string(text_) +
            "' is no topology; one is flat, fat-tree:BELOW,UPLINKS, fat-tree:BELOW,UPLINKS,NODES, "
            "torus:4x4x4, mesh:8x8, dragonfly:GROUPSxSWITCHESxNODES or "
            "dragonfly+:GROUPSxLEAVESxSPINESxNODES, with whole numbers from 1 up, and maybe "
            "options such as ,interfaces=2");
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument("'" + std::string(text_) + "': " + what);
    }

    [[nodiscard]] std::uint32_t whole(std::string_view word) const {
        std::uint32_t value = 0;
        const char* const end = word.data() + word.size();
        const auto [stop, error] = std::from_chars(word.data(), end, value);
        if (error != std::errc{} || stop != end || value == 0 || value > most_of_one) fail();
        return value;
    }
    /// The numbers of a word such as 4x4x4.
    [[nodiscard]] std::vector<std::uint32_t> numbers(std::size_t least, std::size_t most) const {
        std::vector<std::uint32_t> found;
        std::string_view rest = words_[0];
        for (bool more = true; more;) {
            const std::size_t times = std::min(rest.find('x'), rest.size());
            found.push_back(whole(rest.substr(0, times)));
            more = times < rest.size();
            rest.remove_prefix(more ? times + 1 : times);
        }
        if (found.size() < least || found.size() > most) fail();
        return found;
    }

    /// A number from `least` to `most`, and what follows it.
    [[nodiscard]] std::pair<double, std::string_view> number(std::string_view option, double least,
                                                             double most) const {
        const std::string_view word = option.substr(option.find('=') + 1);
        double value = 0;
        const char* const end = word.data() + word.size();
        const auto [stop, error] = std::from_chars(word.data(), end, value);
        if (error != std::errc{} || !(value >= least && value <= most)) wrong(option);
        return {value, std::string_view(stop, static_cast<std::size_t>(end - stop))};
    }
    [[nodiscard]] double plain(std::string_view option, double least, double most) const {
        const auto [value, unit] = number(option, least, most);
        if (!unit.empty()) wrong(option);
        return value;
    }
    [[nodiscard]] std::uint32_t count(std::string_view option) const {
        constexpr double most = 1024;
        const double value = plain(option, 1, most);
        if (value != std::floor(value)) wrong(option);
        return static_cast<std::uint32_t>(value);
    }
    [[nodiscard]] double seconds(std::string_view option) const {
        constexpr std::array<std::pair<std::string_view, double>, 4> units{
            {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
        const auto [value, unit] = number(option, 0, 1e9);
        for (const auto& [name, size] : units)
            if (unit == name && value * size <= 1) return value * size;
        if (value != 0 || !unit.empty()) wrong(option);
        return 0;
    }
    [[noreturn]] void wrong(std::string_view option) const {
        fail("'" + std::string(option) +
             "' is none of interfaces=, local=, global= (1 to 1024), rate= (0.001 to 1000), "
             "detour= (0 to 1) and hop= (0ns to 1s)");
    }

    void set(Interconnect& made, std::string_view option) {
        const std::string_view name = option.substr(0, option.find('='));
        if (!seen_.insert(name).second) fail(std::string(name) + "= is there twice");
        auto* const dragonfly = std::get_if<Dragonfly>(&made.shape);
        if (dragonfly == nullptr && (name == "local" || name == "global" || name == "detour"))
            fail(std::string(name) + "= belongs to a dragonfly");
        if (name == "interfaces") {
            made.interfaces = count(option);
        } else if (name == "rate") {
            made.rate = plain(option, 1e-3, 1e3);
        } else if (name == "hop") {
            made.hop = seconds(option);
        } else if (name == "local") {
            dragonfly->local = count(option);
        } else if (name == "global") {
            dragonfly->global = count(option);
        } else if (name == "detour") {
            dragonfly->detour = plain(option, 0, 1);
        } else {
            wrong(option);
        }
    }

    void check_size(const Interconnect& made) const {
        if (nodes_of(made) > most_nodes)
            fail("a topology has at most " + std::to_string(most_nodes) + " nodes");
        const auto* const fly = std::get_if<Dragonfly>(&made.shape);
        if (fly == nullptr) return;
        const double switches = double{1} * fly->groups * (fly->leaves + fly->spines);
        const double links = switches * (fly->leaves + fly->spines) +
                             double{1} * fly->groups * fly->groups * fly->global;
        if (links > static_cast<double>(most_links))
            fail("a topology has at most " + std::to_string(most_links) + " links");
        if (fly->detour > 0 && fly->groups < 3) fail("a detour needs a third group");
    }

    std::string_view text_;
    std::string_view name_;
    std::vector<std::string_view> words_;
    std::vector<std::string_view> options_;
    std::set<std::string_view> seen_;
};

}  // namespace

Interconnect Interconnect::from_text(std::string_view text) { return Reader(text).read(); }

std::uint64_t nodes_of(const Interconnect& interconnect) {
    if (const auto* const tree = std::get_if<FatTree>(&interconnect.shape))
        return tree->complete ? tree->nodes : 0;
    if (const auto* const torus = std::get_if<Torus>(&interconnect.shape)) {
        std::uint64_t nodes = 1;
        for (const std::uint32_t length : torus->dimensions)
            nodes = std::min(nodes * length, 2 * most_nodes);
        return nodes;
    }
    if (const auto* const fly = std::get_if<Dragonfly>(&interconnect.shape))
        return std::min(std::uint64_t{fly->groups} * fly->leaves, 2 * most_nodes) * fly->below;
    return 0;
}

}  // namespace lapwing
