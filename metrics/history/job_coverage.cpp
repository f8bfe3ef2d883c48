// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/job_coverage.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/statistics.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

std::string counted(std::uint64_t number, const std::string& singular)
{
    return std::to_string(number) + " " + singular + (number == 1 ? "" : "s");
}

/// "1 collective is", "2 collectives are".
std::string countedAre(std::uint64_t number, const std::string& singular)
{
    return counted(number, singular) + (number == 1 ? " is" : " are");
}

void addStepCoverage(const JobReport& report, std::vector<std::string>& all)
{
    const StepSeries& series = report.series;
    if (series.size() == 0)
        return;
    const std::string first = std::to_string(series.steps.front()),
                      last = std::to_string(series.steps.back());
    std::string text = counted(series.size(), "logged step time") + ", "
        + (series.size() == 1 ? "of step " + first : "steps " + first + " to " + last) + ", from "
        + counted(series.logs, "log") + " of " + std::string(logDialectName(series.dialect)) + ".";
    if (series.interval > 1)
        text += " From one time to the next are "
            + (series.leastInterval == series.mostInterval
                   ? std::to_string(series.interval) + " steps"
                   : std::to_string(series.leastInterval) + " to " + std::to_string(series.mostInterval)
                       + " steps (median " + std::to_string(series.interval) + ")")
            + ": a change can be placed no better.";
    all.push_back(std::move(text));
    if (series.isJoined)
        all.push_back("The progress bars have whole seconds: lines are joined until a minute passed, and a "
                      "step time is the mean of these.");
    if (series.unusedLines > 0)
        all.push_back(counted(series.unusedLines, "line") + " of "
                      + std::string(logDialectName(series.unusedDialect))
                      + " about steps are not used, because only logs of one program are judged. If they are "
                        "of another job, put them into another folder.");
    if (series.isDerived)
        all.push_back("The logs do not state the time of a step: it is the time from one line to the next.");
    if (!report.logClock && report.communication.lastNs > 0)
        all.push_back(
            !statesClocks(report.series)
                ? "The logs do not state when their lines were written: steps and collectives are related by "
                  "the part of the job that was over, which is a guess, or not at all."
                : "The times of the logs do not match those of the NCCL Inspector in any time zone: they are "
                  "not of the same time, and not related.");
    else if (report.logClock && report.logClock->isGuessed)
        all.push_back(
            "The logs do not state their time zone. It is guessed from the beginning and the end of the "
            "collectives.");
}

/// Operations whose numbers are missing between the first and the last of each kind.
struct MissingNumbers
{
    std::uint64_t numbers = 0, missing = 0;
};

MissingNumbers missingNumbers(const JobHistory& history)
{
    struct Span
    {
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0, count = 0;
    };
    MissingNumbers all;
    for (const HistoryMember& member : history.members) {
        std::map<std::string, Span> spans;
        std::unordered_map<std::uint32_t, Span*> byClass;
        const OperationColumns& rows = member.operations;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const OperationClass& own = history.classes[rows.operationClass[row]];
            if (own.isPointToPoint)
                continue;
            Span*& span = byClass[rows.operationClass[row]];
            if (span == nullptr)
                span = &spans[own.operation];
            span->first = std::min<std::uint64_t>(span->first, rows.number[row]);
            span->last = std::max<std::uint64_t>(span->last, rows.number[row]);
            ++span->count;
        }
        for (const auto& [operation, span] : spans) {
            const std::uint64_t numbers = span.last - span.first + 1;
            all.numbers += numbers;
            all.missing += numbers - std::min(numbers, span.count);
        }
    }
    return all;
}

void addOperationCoverage(const JobHistory& history, const JobReport& report, std::vector<std::string>& all)
{
    const std::uint64_t operations = history.operationCount();
    if (operations == 0)
        return;
    std::set<std::pair<std::string, std::int64_t>> processes;
    std::set<std::uint32_t> communicators;
    std::uint64_t dropped = 0;
    bool droppedIsStated = false;
    for (const HistoryMember& member : history.members) {
        if (member.operations.size() == 0)
            continue;
        processes.emplace(member.host, member.pid);
        communicators.insert(member.communicator);
        dropped += member.dropped.value_or(0);
        droppedIsStated = droppedIsStated || member.dropped;
    }
    const CommunicationHistory& communication = report.communication;
    std::string text = counted(operations, "operation") + " of " + std::to_string(processes.size())
        + (processes.size() == 1 ? " process" : " processes") + " in "
        + counted(communicators.size(), "communicator") + ", from the NCCL Inspector";
    if (communication.lastNs > 0)
        text += ", " + wallClockText(communication.firstNs) + " to " + wallClockText(communication.lastNs);
    all.push_back(text + ". Its ranks are ranks in the communicator, not in the job.");
    text = "The Inspector does not record operations below a size (by default 8 KiB), and keeps the last "
           "ones (by "
           "default 1024) of a communicator between two dumps. ";
    text += droppedIsStated ? "It says that it lost " + std::to_string(dropped) + " operations."
                            : "These files do not say how many it lost.";
    const MissingNumbers missing = missingNumbers(history);
    if (missing.missing > 0)
        text += " Of the numbers of collectives, "
            + percentText(static_cast<std::int64_t>(missing.missing),
                          static_cast<std::int64_t>(missing.numbers))
            + " are missing: lost, or too small.";
    all.push_back(std::move(text));
}

void addLimitCoverage(const JobHistory& history, const JobReport& report, std::vector<std::string>& all)
{
    const CommunicationHistory& communication = report.communication;
    const auto isPartial = [](const BandwidthRow& row) { return !row.isOfAll; };
    const auto partial = static_cast<std::uint64_t>(
        std::count_if(communication.rows.begin(), communication.rows.end(), isPartial));
    if (partial > 0)
        all.push_back("In " + counted(partial, "kind")
                      + " of collectives not all members recorded: their times may "
                        "contain waiting for those that did not.");
    if (communication.incomplete > 0)
        all.push_back(countedAre(communication.incomplete, "collective")
                      + " left out: a member that recorded others of the same kind lacks them.");
    if (communication.untested > 0)
        all.push_back(countedAre(communication.untested, "collective")
                      + " of kinds and sizes that occur too rarely to see a change.");
    if (communication.notJudged > 0)
        all.push_back(countedAre(communication.notJudged, "collective")
                      + " not judged, such as Broadcast and Reduce: their members leave at different times.");
    bool isDumpTime = false, isCpuTime = false, isPointToPoint = false;
    for (const OperationClass& own : history.classes) {
        isDumpTime = isDumpTime || !own.startIsStated;
        isCpuTime = isCpuTime || own.timing == OperationClass::Timing::KernelCpu
            || own.timing == OperationClass::Timing::CollectiveCpu;
        isPointToPoint = isPointToPoint || own.isPointToPoint;
    }
    if (isDumpTime)
        all.push_back(
            "Most records state when they were dumped, not when the operation began "
            "(NCCL_INSPECTOR_DUMP_VERBOSE=1 adds that): times are as exact as the dumps are frequent.");
    if (isCpuTime)
        all.push_back("Some durations were measured on the CPU: they contain more than the work on the GPU.");
    if (isPointToPoint)
        all.push_back("Sends and receives are not judged: their times contain waiting for the other side.");
    if (!history.samples.empty())
        all.push_back(counted(history.samples.size(), "mean")
                      + " of Prometheus text: shown, but not judged.");
}

} // namespace

std::vector<std::string> jobCoverage(const JobHistory& history, const JobReport& report)
{
    std::vector<std::string> all;
    addStepCoverage(report, all);
    addOperationCoverage(history, report, all);
    addLimitCoverage(history, report, all);
    return all;
}

} // namespace collscope
