// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Says that the whole job is slower since some time, where logs or the NCCL Inspector lie beside the traces.

#include "metrics/findings/finding_groups.h"
#include "metrics/history/job_text.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// How much longer steps or collectives take, relative to before.
double riseOf(const JobChange& change)
{
    if (change.steps)
        return change.steps->afterNs / change.steps->beforeNs;
    double most = 1;
    for (const CommunicationChange& own : change.communication)
        most = std::max(most, own.afterUs / own.beforeUs);
    return most;
}

/// The last time in the logs and the files of the Inspector.
std::int64_t lastKnownNs(const JobReport& report)
{
    std::int64_t last = report.communication.lastNs;
    const std::vector<std::int64_t>& clocks = report.series.clockNs;
    if (report.logClock && !clocks.empty())
        last = std::max(last, *std::max_element(clocks.begin(), clocks.end()) + report.logClock->offsetNs);
    constexpr double patience = 2; // lines come only now and then
    return last + std::llround(patience * report.medianNs * static_cast<double>(report.series.interval));
}

/// Whether the steps between these times were as fast as before the change.
bool wasFastAgain(const JobReport& report, const JobChange& change, std::int64_t begin, std::int64_t end)
{
    const JobChange* last = nullptr; // before the end
    for (const JobChange& own : report.changes) {
        const bool isLater = change.steps && own.steps && own.steps->index > change.steps->index;
        if (isLater && own.earliestNs <= end)
            last = &own;
    }
    return last != nullptr && last->latestNs > 0 && last->latestNs < begin
        && last->steps->afterNs <= fastAgainNs(change);
}

/// Where the recording lies relative to the change, if both have wall-clock times.
std::string placeOfRecording(const TraceModel& model, const JobReport& report, const JobChange& change)
{
    if (!model.hasWallClock || change.latestNs == 0)
        return " Whether the traced steps were before or after that cannot be told: the files do not state "
               "the times that this needs.";
    const std::int64_t begin = model.axisZeroNs + model.range.beginNs,
                       end = model.axisZeroNs + model.range.endNs;
    const std::string guess = report.logClock && report.logClock->isGuessed && change.steps
        ? " (the log's time zone is a guess)"
        : "";
    if (end < change.earliestNs)
        return " The traced steps were recorded before that" + guess + ".";
    if (begin > lastKnownNs(report))
        return " The traced steps were recorded after that, and after these files end" + guess
            + ": whether the job was slow then cannot be told.";
    if (wasFastAgain(report, change, begin, end))
        return " The traced steps were recorded after that, when the steps were fast again" + guess + ".";
    if (begin > change.latestNs)
        return " The traced steps were recorded after that" + guess + ".";
    return " The traced steps were recorded at that time" + guess + ".";
}

} // namespace

void addJobSlowed(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    if (!model.history)
        return;
    const JobReport report = jobReport(*model.history);
    const JobChange* worst = nullptr;
    for (const JobChange& change : report.changes) {
        const bool isBetter = worst == nullptr || (change.steps && !worst->steps)
            || (change.steps.has_value() == worst->steps.has_value() && riseOf(change) > riseOf(*worst));
        if (change.isSlower && isBetter)
            worst = &change;
    }
    if (worst == nullptr)
        return;
    Finding& finding = input.findings.all.emplace_back();
    finding.kind = FindingKind::JobSlowed;
    finding.title = worst->text;
    finding.title += recoveryText(report, *worst);
    if (!worst->culprit.text.empty())
        finding.title += " " + worst->culprit.text;
    finding.title += placeOfRecording(model, report, *worst);
    finding.count
        = static_cast<std::int64_t>(std::count_if(report.changes.begin(), report.changes.end(),
                                                  [](const JobChange& change) { return change.isSlower; }));
    finding.isEstimated = true;
}

} // namespace collscope
