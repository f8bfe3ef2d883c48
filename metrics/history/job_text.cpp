// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/job_text.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/statistics.h"
#include "model/text/printable_text.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace collscope {

namespace {

/// One value of a series of steps.
constexpr const char* lineOfLogs = "logged step time";

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

std::string fourDigitText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// "The last 4 lines are 10 times slower (1 s to 10 s): too few to tell whether that lasts."
std::string slowEndText(const SlowEnd& end, const std::string& what, double unitNs)
{
    const bool isOne = end.count == 1;
    return "The last " + (isOne ? what : std::to_string(end.count) + " " + what + "s")
        + (isOne ? " is " : " are ") + fourDigitText(end.slow / end.before) + " times as long ("
        + nsText(end.before * unitNs) + " to " + nsText(end.slow * unitNs)
        + "): too few to tell whether that lasts.";
}

/// Steps that are not in the series, beside the same steps of the series.
std::string otherStepsText(const StepSeries& series, const OtherSteps& other)
{
    const std::string steps = "steps " + std::to_string(other.first) + " to " + std::to_string(other.last);
    std::string text = other.isEarlier
        ? "An earlier attempt logged " + steps + ", too, with a median of " + nsText(other.medianNs)
        : "Another log has other times for the same steps: it is of another job or attempt, and not used. It "
          "logged "
            + steps + " with a median of " + nsText(other.medianNs);
    std::vector<double> own;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series.steps[i] >= other.first)
            own.push_back(series.ns[i]);
    }
    if (!own.empty())
        text += "; from step " + std::to_string(other.first) + " on, the steps judged here have "
            + nsText(medianOf(std::move(own)));
    return text + ".";
}

/// Communicators of two attempts.
/// "AllReduce of 64 MiB".
std::string workText(const BandwidthRow& row)
{
    return printableLine(row.operation) + " of " + sizeText(row.bytes);
}

std::string attemptsText(const JobHistory& history, const JobReport& report, const CommunicatorAttempts& own)
{
    const BandwidthRow &before = report.communication.rows[own.before],
                       &after = report.communication.rows[own.after];
    return workText(before) + " in " + communicatorText(history.communicators[before.communicator]) + " took "
        + usText(before.medianUs) + " until " + wallClockText(before.lastNs)
        + ". The job seems to have been restarted: a communicator of the same name and hosts took "
        + usText(after.medianUs) + " from " + wallClockText(after.firstNs) + " on (medians).";
}

/// What is certain of a job without a change that was found.
std::string noChangeText(const JobHistory& history, const JobReport& report)
{
    if (!report.communication.attempts.empty())
        return attemptsText(history, report, report.communication.attempts.front());
    if (!report.shape.isTold)
        return std::string("No lasting change of the collectives was found.")
            + (report.series.size() > 0 ? " Too few step times were logged to see one of the steps." : "");
    const auto [least, most] = std::minmax_element(report.series.ns.begin(), report.series.ns.end());
    return "No lasting change of the step times was found: their median is " + nsText(report.medianNs)
        + ", they are between " + nsText(*least) + " and " + nsText(*most) + ".";
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
    text += communicatorText(history.communicators[own.communicator]) + " (" + printableLine(own.operation)
        + ", " + sizeText(own.bytes) + ") "
        + (own.afterUs > own.beforeUs ? "slowed down: " : "became faster: ") + usText(own.beforeUs) + " to "
        + usText(own.afterUs);
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
            return fourDigitText(static_cast<double>(bytes) / static_cast<double>(unit)) + name;
    }
    return std::to_string(bytes) + " B";
}

std::string changeText(const JobHistory& history, const JobReport& report, const JobChange& change)
{
    std::string text;
    if (change.steps) {
        const StepChange& own = *change.steps;
        text = "Step times " + movementText(own.beforeNs, own.afterNs) + " " + stepPlace(own) + " ("
            + nsText(own.beforeNs) + " to " + nsText(own.afterNs) + ")" + timePlace(change)
            + (change.latestNs > 0 && report.logClock && report.logClock->isGuessed ? " (time zone guessed)."
                                                                                    : ".");
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
        text += change.latestNs > 0 ? "."
                                    : " (matched by the part of the job that was over, which is a guess).";
    }
    return text;
}

std::vector<std::string> jobNotes(const JobHistory& history, const JobReport& report)
{
    std::vector<std::string> notes;
    const StepSeries& series = report.series;
    for (const GradualChange& own : report.shape.gradual)
        notes.push_back(std::string("Step times ") + (own.after > own.before ? "rose" : "fell")
                        + " gradually between steps " + std::to_string(series.steps[own.begin]) + " and "
                        + std::to_string(series.steps[own.end - 1])
                        + ": the medians of the first and of the last part are " + nsText(own.before)
                        + " and " + nsText(own.after) + ". This is a drift, not a step.");
    if (const auto& own = report.shape.periodic)
        notes.push_back("About every "
                        + std::to_string(static_cast<std::int64_t>(own->every) * series.interval)
                        + " steps some are slow (" + nsText(own->slow) + " instead of " + nsText(own->typical)
                        + ", " + std::to_string(own->count)
                        + " times): something periodic, such as a checkpoint or an evaluation.");
    if (report.shape.slowEnd)
        notes.push_back(slowEndText(*report.shape.slowEnd, lineOfLogs, 1));
    if (series.restarts > 0)
        notes.push_back("The logs go back to an earlier step "
                        + (series.restarts == 1 ? "once" : std::to_string(series.restarts) + " times")
                        + ": the job seems to have been restarted. From there on, the steps are those of the "
                          "last attempt.");
    constexpr std::size_t mostOthers = 10;
    for (std::size_t i = 0; i < std::min(series.others.size(), mostOthers); ++i)
        notes.push_back(otherStepsText(series, series.others[i]));
    for (std::size_t i = 0; i < std::min(report.communication.attempts.size(), mostOthers); ++i)
        notes.push_back(attemptsText(history, report, report.communication.attempts[i]));
    for (const BandwidthRow& row : report.communication.rows) {
        constexpr std::size_t mostNotes = 20;
        if (row.slowEnd && notes.size() < mostNotes)
            notes.push_back(workText(row) + " in " + communicatorText(history.communicators[row.communicator])
                            + ": " + slowEndText(*row.slowEnd, "collective", 1000));
        if (row.gradual && notes.size() < mostNotes)
            notes.push_back(workText(row) + " in " + communicatorText(history.communicators[row.communicator])
                            + " " + movementText(row.gradual->before, row.gradual->after)
                            + " in time gradually.");
    }
    return notes;
}

double fastAgainNs(const JobChange& change)
{
    return change.steps->beforeNs * (1 + ChangeRules().least);
}

const JobChange* recoveryOf(const JobReport& report, const JobChange& change)
{
    if (!change.steps || !change.isSlower)
        return nullptr;
    for (const JobChange& later : report.changes) {
        if (later.steps && later.steps->index > change.steps->index
            && later.steps->afterNs <= fastAgainNs(change))
            return &later;
    }
    return nullptr;
}

std::string recoveryText(const JobReport& report, const JobChange& change)
{
    const JobChange* const later = recoveryOf(report, change);
    return later == nullptr
        ? std::string()
        : " They were back at " + nsText(later->steps->afterNs) + " " + stepPlace(*later->steps) + ".";
}

std::string jobVerdict(const JobHistory& history, const JobReport& report)
{
    if (report.isTooLittle)
        return "Too little was recorded to see a change: fewer than " + std::to_string(fewestToldValues())
            + " step times, and fewer than " + std::to_string(fewestToldValues(collectiveRules()))
            + " collectives that are judged, of any kind and size in a communicator.";
    const auto slower = std::find_if(report.changes.begin(), report.changes.end(),
                                     [](const JobChange& change) { return change.isSlower && change.steps; });
    if (slower != report.changes.end())
        return slower->text + recoveryText(report, *slower);
    const auto other = std::find_if(report.changes.begin(), report.changes.end(),
                                    [](const JobChange& change) { return change.isSlower; });
    if (other != report.changes.end())
        return other->text;
    if (!report.shape.gradual.empty() && !report.notes.empty())
        return report.notes.front();
    if (!report.changes.empty())
        return report.changes.front().text;
    const std::string text = noChangeText(history, report);
    if (report.shape.slowEnd)
        return text + " " + slowEndText(*report.shape.slowEnd, lineOfLogs, 1);
    // What the series does not contain may be slower or faster.
    return report.series.others.empty() ? text
                                        : text + " " + otherStepsText(report.series, report.series.others[0]);
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
            text += report.communication.rows.empty()
                ? "    Where cannot be told: the files have no collectives of the NCCL Inspector.\n"
                : "    Where cannot be told: no communicator was seen to change at that time in the files.\n";
    }
    std::string also;
    for (const std::string& note : report.notes) {
        // What the verdict says already.
        if (report.verdict.find(note) == std::string::npos)
            also += "  " + note + "\n";
    }
    if (!also.empty())
        text += "\nAlso\n" + also;
    if (!report.communication.rows.empty())
        text += "\nBandwidth\n";
    constexpr std::size_t mostRows = 40;
    std::size_t shown = 0;
    for (const BandwidthRow& row : report.communication.rows) {
        if (shown++ == mostRows)
            break;
        text += "  " + communicatorText(history.communicators[row.communicator]) + ": "
            + printableLine(row.operation) + " " + sizeText(row.bytes) + ", "
            + (row.rounds == 1 ? std::string("once") : std::to_string(row.rounds) + " times") + ", "
            + usText(row.medianUs);
        if (row.busGbPerSecond)
            text += ", " + fourDigitText(*row.busGbPerSecond) + " GB/s bus bandwidth";
        text += row.isOfAll ? "\n"
                            : " (" + std::to_string(row.members) + (row.members == 1 ? " member" : " members")
                + " recorded: may contain waiting for others)\n";
    }
    if (report.communication.rows.size() > mostRows)
        text += "  ... and " + std::to_string(report.communication.rows.size() - mostRows)
            + " more (--json)\n";
    std::size_t hidden = 0;
    for (const BandwidthSample& sample : history.samples) {
        if (shown++ >= mostRows) {
            ++hidden;
            continue;
        }
        const HistoryMember& member = history.members[sample.member];
        const std::string place = member.host + (member.gpu.empty() ? "" : " " + member.gpu);
        text += "  " + communicatorText(history.communicators[member.communicator])
            + (place.empty() ? "" : " on " + quotedName(place)) + ": "
            + printableLine(sample.operation + " " + sample.sizes);
        if (sample.durationUs)
            text += ", " + usText(*sample.durationUs);
        if (sample.busGbPerSecond)
            text += ", " + fourDigitText(*sample.busGbPerSecond) + " GB/s";
        text += " (mean since the last dump)\n";
    }
    if (hidden > 0)
        text += "  ... and means of " + std::to_string(hidden) + " more (--json)\n";
    text += "\nCoverage\n";
    for (const std::string& sentence : report.coverage)
        text += "  " + sentence + "\n";
    return text;
}

} // namespace collscope
