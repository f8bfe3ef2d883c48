// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/step_attempts.h"

namespace collscope {

namespace {

/// Whether a new attempt begins at line `i`, whose step is lower than that of `last`.
bool isRestart(const std::vector<const LoggedTime*>& lines, std::size_t i, const LoggedTime& last)
{
    const LoggedTime& own = *lines[i];
    if (own.clockNs && last.clockNs && *own.clockNs < *last.clockNs)
        return false;
    constexpr std::size_t wanted = 2, looked = 3;
    std::size_t following = 0;
    for (std::size_t k = i + 1; k < lines.size() && k <= i + looked; ++k) {
        if (lines[k]->step <= lines[k - 1]->step)
            return false;
        ++following;
    }
    return following >= wanted;
}

/// The time of a step between two lines; nullopt: not enough time passed to tell it.
std::optional<double> derivedNs(const LoggedTime& line, const LoggedTime& before)
{
    const auto from = lineClockOf(before), to = lineClockOf(line);
    if (!from || !to || *to <= *from || line.step <= before.step)
        return std::nullopt;
    const bool isBar = !line.clockNs || !before.clockNs;
    if (isBar && *to - *from < leastBarNs)
        return std::nullopt;
    return static_cast<double>(*to - *from) / static_cast<double>(line.step - before.step);
}

} // namespace

std::optional<std::int64_t> lineClockOf(const LoggedTime& line)
{
    return line.clockNs ? line.clockNs : line.elapsedNs;
}

std::vector<StatedSteps> stepAttempts(const std::vector<const LoggedTime*>& lines, bool isDerived)
{
    std::vector<StatedSteps> attempts(1);
    const LoggedTime* last = nullptr; // the line before, in order
    const LoggedTime* counted = nullptr; // derived: the line from which the time counts
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const LoggedTime& line = *lines[i];
        const bool goesBack = last != nullptr && line.step < last->step;
        if (goesBack && isRestart(lines, i, *last)) {
            attempts.emplace_back();
            last = counted = nullptr;
        }
        const bool isInOrder = last == nullptr || line.step >= last->step;
        std::optional<double> ns;
        if (!isDerived && line.durationNs) {
            ns = static_cast<double>(*line.durationNs);
        } else if (isDerived && isInOrder) {
            ns = counted == nullptr ? std::nullopt : derivedNs(line, *counted);
            const bool waits = counted != nullptr && !ns && !line.clockNs && line.elapsedNs
                && lineClockOf(line) >= lineClockOf(*counted);
            if (lineClockOf(line) && !waits)
                counted = &line;
        }
        if (ns)
            attempts.back()[line.step] = {*ns, line.clockNs.value_or(0)};
        if (isInOrder)
            last = &line;
    }
    return attempts;
}

} // namespace collscope
