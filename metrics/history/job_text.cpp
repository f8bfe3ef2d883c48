// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/job_text.h"

#include "metrics/core/duration_text.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace collscope {

namespace {

std::string nsText(double value)
{
    return timeText(std::llround(value));
}

std::string usText(double value)
{
    return timeText(std::llround(value * 1000));
}

/// "rose by 12 %", "fell by 8 %".
std::string movementText(double before, double after)
{
    const double percent = 100 * std::abs(after - before) / before;
    return (after > before ? "rose by " : "fell by ") + percentText(percent);
}

std::string fourDigits(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string stepPlace(const StepChange& change)
{
    if (change.latest - change.earliest <= 1 || change.earliest >= change.latest)
        return "at step " + std::to_string(change.step);
    return "at about step " + std::to_string(change.step) + " (between " + std::to_string(change.earliest)
        + " and " + std::to_string(change.latest) + ")";
}

std::string timePlace(const JobChange& change)
{
    constexpr std::int64_t second = 1'000'000'000;
    if (change.latestNs == 0)
        return {};
    if (change.latestNs - change.earliestNs <= 60 * second)
        return ", at " + wallClockText(change.latestNs);
    return ", between " + wallClockText(change.earliestNs) + " and " + wallClockText(change.latestNs);
}

/// The change of a communicator that says most: the largest rise in time.
const CommunicationChange& largestChange(const JobChange& change)
{
    return *std::max_element(change.communication.begin(), change.communication.end(),
                             [](const CommunicationChange& a, const CommunicationChange& b) {
                                 return std::abs(a.afterUs - a.beforeUs) < std::abs(b.afterUs - b.beforeUs);
                             });
}

std::string communicationText(const JobHistory& history, const JobChange& change)
{
    const CommunicationChange& own = largestChange(change);
    std::string text = own.kind == CommunicationChange::Kind::Transfer ? "Transfers of " : "Collectives of ";
    text += communicatorText(history.communicators[own.communicator]) + " (" + own.operation + ", "
        + sizeText(own.bytes) + ") " + (own.afterUs > own.beforeUs ? "slowed down: " : "became faster: ")
        + usText(own.beforeUs) + " to " + usText(own.afterUs);
    if (own.kind == CommunicationChange::Kind::Waiting)
        text += " with the waiting of their members";
    if (const std::size_t others = change.communication.size() - 1; others > 0)
        text += ", and " + std::to_string(others) + (others == 1 ? " more kind" : " more kinds")
            + " of collectives changed at the same time";
    return text;
}

} // namespace

std::string sizeText(std::uint64_t bytes)
{
    constexpr std::pair<std::uint64_t, const char*> units[] = {
        {std::uint64_t{1} << 30, " GiB"}, {std::uint64_t{1} << 20, " MiB"}, {std::uint64_t{1} << 10, " KiB"}};
    for (const auto& [unit, name] : units) {
        if (bytes >= unit)
            return fourDigits(static_cast<double>(bytes) / static_cast<double>(unit)) + name;
    }
    return std::to_string(bytes) + " B";
}

std::string changeText(const JobHistory& history, const JobReport& report, const JobChange& change)
{
    std::string text;
    if (change.steps) {
        const StepChange& own = *change.steps;
        text = "Step times " + movementText(own.beforeNs, own.afterNs) + " " + stepPlace(own) + " ("
            + nsText(own.beforeNs) + " to " + nsText(own.afterNs) + ")" + timePlace(change) + ".";
    }
    if (change.communication.empty())
        return text;
    const std::string own = communicationText(history, change);
    if (!change.steps) {
        text = own + timePlace(change) + ".";
        if (change.latestNs == 0)
            text += " When cannot be told: the files do not state times.";
    } else {
        text += " " + own;
        text += report.logClock ? "." : " (matched by the part of the job that was over, which is a guess).";
    }
    return text;
}

std::vector<std::string> jobNotes(const JobHistory& history, const JobReport& report)
{
    std::vector<std::string> notes;
    const StepSeries& series = report.series;
    for (const GradualChange& own : report.shape.gradual)
        notes.push_back("Step times " + movementText(own.before, own.after) + " gradually between steps "
                        + std::to_string(series.steps[own.begin]) + " and "
                        + std::to_string(series.steps[own.end - 1]) + " (" + nsText(own.before) + " to "
                        + nsText(own.after) + "): a drift, not a step.");
    if (const auto& own = report.shape.periodic)
        notes.push_back("About every "
                        + std::to_string(static_cast<std::int64_t>(own->every) * series.interval)
                        + " steps some are slow (" + nsText(own->slow) + " instead of " + nsText(own->typical)
                        + ", " + std::to_string(own->count)
                        + " times): something periodic, such as a checkpoint or an evaluation.");
    if (series.restarts > 0)
        notes.push_back(
            "The logs go back to an earlier step " + std::to_string(series.restarts)
            + " times: the job was restarted. Repeated steps have the time of their last attempt.");
    for (const BandwidthRow& row : report.communication.rows) {
        constexpr std::size_t mostNotes = 20;
        if (row.gradual && notes.size() < mostNotes)
            notes.push_back(row.operation + " of " + sizeText(row.bytes) + " in "
                            + communicatorText(history.communicators[row.communicator]) + " "
                            + movementText(row.gradual->before, row.gradual->after) + " in time gradually.");
    }
    return notes;
}

std::string jobVerdict(const JobReport& report)
{
    if (report.isTooLittle)
        return "Too little was recorded to see a change: fewer than " + std::to_string(fewestHistoryValues)
            + " steps, and fewer collectives of any kind and size in a communicator.";
    const auto slower = std::find_if(report.changes.begin(), report.changes.end(),
                                     [](const JobChange& change) { return change.isSlower && change.steps; });
    if (slower != report.changes.end())
        return slower->text;
    const auto other = std::find_if(report.changes.begin(), report.changes.end(),
                                    [](const JobChange& change) { return change.isSlower; });
    if (other != report.changes.end())
        return other->text;
    if (!report.shape.gradual.empty() && !report.notes.empty())
        return report.notes.front();
    if (!report.changes.empty())
        return report.changes.front().text;
    return report.shape.isTold ? "Step times did not change: " + nsText(report.medianNs) + " throughout."
                               : "The collectives did not change.";
}

std::string jobText(const JobHistory& history, const JobReport& report)
{
    std::string text = report.verdict + "\n";
    if (!report.changes.empty())
        text += "\nChanges\n";
    for (const JobChange& change : report.changes) {
        text += "  " + change.text + "\n";
        if (!change.culprit.text.empty())
            text += "    " + change.culprit.text + "\n";
        else if (change.steps && change.communication.empty())
            text += "    Where cannot be told: no communicator changed at that time in the files.\n";
    }
    if (!report.notes.empty())
        text += "\nAlso\n";
    for (const std::string& note : report.notes)
        text += "  " + note + "\n";
    if (!report.communication.rows.empty())
        text += "\nBandwidth\n";
    constexpr std::size_t mostRows = 40;
    std::size_t shown = 0;
    for (const BandwidthRow& row : report.communication.rows) {
        if (shown++ == mostRows)
            break;
        text += "  " + communicatorText(history.communicators[row.communicator]) + ": " + row.operation + " "
            + sizeText(row.bytes) + ", " + std::to_string(row.rounds) + " times, " + usText(row.medianUs);
        if (row.busGbPerSecond)
            text += ", " + fourDigits(*row.busGbPerSecond) + " GB/s bus bandwidth";
        text += row.isOfAll
            ? "\n"
            : " (" + std::to_string(row.members) + " members recorded: with waiting for others)\n";
    }
    if (report.communication.rows.size() > mostRows)
        text += "  ... and " + std::to_string(report.communication.rows.size() - mostRows)
            + " more (--json)\n";
    for (const BandwidthSample& sample : history.samples) {
        if (shown++ >= mostRows)
            break;
        const HistoryMember& member = history.members[sample.member];
        text += "  " + communicatorText(history.communicators[member.communicator]) + " on "
            + quotedName(member.host + " " + member.gpu) + ": " + sample.operation + " " + sample.sizes;
        if (sample.durationUs)
            text += ", " + usText(*sample.durationUs);
        if (sample.busGbPerSecond)
            text += ", " + fourDigits(*sample.busGbPerSecond) + " GB/s";
        text += " (mean since the last dump)\n";
    }
    text += "\nCoverage\n";
    for (const std::string& sentence : report.coverage)
        text += "  " + sentence + "\n";
    return text;
}

} // namespace collscope
