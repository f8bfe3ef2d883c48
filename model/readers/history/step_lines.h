// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lines of logs that state the time of a step, by a table of dialects.

#include "model/measurements.h"
#include "model/witnesses/job_history.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Collects the steps of one log, line by line.
class StepLines
{
public:
    /// Keeps at most `most` lines: more would take too much memory.
    explicit StepLines(std::size_t most = 20'000'000)
        : m_most(most)
    { }

    void take(std::string_view line);
    /// The time of a line of TorchTitan, whose figures have a reader of their own.
    void takeTorchTitan(const LoggedStep& step, std::string_view line);

    /// Lines that are about a step.
    std::size_t count() const { return m_steps.size(); }
    /// Lines that state a step without any time.
    std::uint64_t timeless() const { return m_timeless; }
    /// Lines with impossible times or steps.
    std::uint64_t impossible() const { return m_impossible; }
    /// Lines beyond those that are kept.
    std::uint64_t leftOut() const { return m_leftOut; }
    std::vector<LoggedTime> takeSteps() { return std::move(m_steps); }

private:
    /// The last state of a progress bar. Bars are told apart by their totals.
    struct Bar
    {
        LoggedTime last;
        std::optional<std::int64_t> stepBefore; ///< at the figures before
        bool isNew = true; ///< since the figures before
    };
    using Bars = std::map<std::int64_t, Bar>;

    void takeProgressBar(std::string_view line);
    bool takeTrainerFigures(std::string_view line);
    Bars::iterator trainingBar();
    void keep(LoggedTime step);

    std::size_t m_most;
    std::vector<LoggedTime> m_steps;
    std::uint64_t m_timeless = 0, m_impossible = 0, m_leftOut = 0;
    Bars m_bars; ///< by their totals
    std::optional<std::int64_t> m_trainingTotal; ///< that of the bar that rises from figures to figures
};

/// The time in "2025-08-01 07:19:37,123" near the front of a line, as if it were in UTC, unless the line
/// states its time zone; nullopt if there is none.
struct LineClock
{
    std::int64_t ns = 0;
    bool isUtc = false;
};
std::optional<LineClock> lineClock(std::string_view line);

/// Whether a text has lines about steps that state a time.
bool holdsStepLines(std::string_view text);

} // namespace collscope
