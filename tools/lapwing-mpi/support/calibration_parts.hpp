#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/calibrate/sampling/status.hpp"
#include "support/command.hpp"

namespace lapwing::tools {

/// The parts of a calibration, each with its share of the time. Which are run is chosen by name;
/// the first always is.
class CalibrationParts {
  public:
    /// `chosen`: all where it is empty. `report` is called with the share of the time of all chosen
    /// parts.
    CalibrationParts(std::vector<std::string> chosen, StatusCallback report)
        : chosen_(std::move(chosen)), report_(std::move(report)) {}

    [[nodiscard]] bool chosen(const std::string& name) const {
        return chosen_.empty() || std::find(chosen_.begin(), chosen_.end(), name) != chosen_.end();
    }
    /// `action(seconds, report)` measures this part in about that time.
    template <class Action>
    void add(const std::string& name, double seconds, Action&& action) {
        const bool first = parts_.empty();
        names_.push_back(name);
        if (!first && !chosen(name)) return;
        const double before = total_;
        total_ += seconds;
        parts_.push_back(
            {name, seconds, [this, seconds, before, action] {
                 action(seconds, [this, seconds, before](double share, const std::string& what) {
                     if (report_) report_((before + share * seconds) / (total_ + later_), what);
                 });
             }});
    }
    /// Counts a part that is run after these, by other ranks than these too; the result tells its
    /// progress.
    StatusCallback later(const std::string& name, double seconds) {
        names_.push_back(name);
        if (!chosen(name)) return {};
        const double before = later_;
        later_ += seconds;
        return [this, seconds, before](double share, const std::string& what) {
            if (report_) report_((total_ + before + share * seconds) / (total_ + later_), what);
        };
    }
    /// Has what was added run by `around(name, share, measure)`, in that order. `share`: of the
    /// seconds that this part and those behind it take. Throws where a name that was chosen is none
    /// of them.
    template <class Around>
    void run(Around&& around) const {
        for (const auto& name : chosen_) {
            if (std::find(names_.begin(), names_.end(), name) != names_.end() || name == "tables")
                continue;
            std::string complaint = "no part of a calibration is called \"";
            complaint.append(name).append("\"; there are tables");
            for (const auto& other : names_) complaint.append(", ").append(other);
            throw std::runtime_error(complaint);
        }
        double left = total_;
        for (const Part& part : parts_) {
            around(part.name, part.seconds / left, part.measure);
            left -= part.seconds;
        }
    }

  private:
    struct Part {
        std::string name;
        double seconds;
        std::function<void()> measure;
    };

    std::vector<std::string> chosen_;
    StatusCallback report_;
    std::vector<std::string> names_;
    double total_ = 0;  ///< seconds of the parts that are run here
    double later_ = 0;  ///< seconds of those after them
    std::vector<Part> parts_;
};

}  // namespace lapwing::tools
