// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/job_report.h"

#include "metrics/core/statistics.h"
#include "metrics/history/job_coverage.h"
#include "metrics/history/job_text.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Changes of communicators that happened together.
struct Together
{
    std::vector<CommunicationChange> changes;
    std::int64_t earliestNs = 0, latestNs = 0;
    double share = 0; ///< of the job that was over, by the number of collectives
    bool isSlower = true;
};

bool becameSlower(const CommunicationChange& change)
{
    return change.afterUs > change.beforeUs;
}

double jobShareOf(const CommunicationChange& change)
{
    return static_cast<double>(change.round) / static_cast<double>(std::max<std::size_t>(change.rounds, 1));
}

/// How far apart changes may be that have one cause.
constexpr double nearShare = 0.01;

bool belongsTo(const Together& group, const CommunicationChange& change, std::int64_t toleranceNs)
{
    if (group.isSlower != becameSlower(change))
        return false;
    if (group.latestNs > 0 && change.latestNs > 0)
        return change.earliestNs <= group.latestNs + toleranceNs;
    return group.latestNs == change.latestNs && std::abs(group.share - jobShareOf(change)) <= nearShare;
}

std::vector<Together> groupedChanges(std::vector<CommunicationChange> changes, std::int64_t toleranceNs)
{
    std::stable_sort(
        changes.begin(), changes.end(), [](const CommunicationChange& a, const CommunicationChange& b) {
            return std::pair(a.earliestNs, jobShareOf(a)) < std::pair(b.earliestNs, jobShareOf(b));
        });
    std::vector<Together> groups;
    for (CommunicationChange& change : changes) {
        const auto group = std::find_if(groups.rbegin(), groups.rend(), [&](const Together& own) {
            return belongsTo(own, change, toleranceNs);
        });
        if (group == groups.rend()) {
            groups.push_back(
                {{}, change.earliestNs, change.latestNs, jobShareOf(change), becameSlower(change)});
            groups.back().changes.push_back(std::move(change));
            continue;
        }
        group->latestNs = std::max(group->latestNs, change.latestNs);
        group->changes.push_back(std::move(change));
    }
    return groups;
}

StepChange stepChangeOf(const StepSeries& series, const ChangePoint& point)
{
    StepChange change;
    change.index = point.index;
    change.step = series.steps[point.index];
    // A line with a mean tells of all steps since the line before it.
    const std::size_t before = point.earliest == 0 ? 0 : point.earliest - 1;
    change.earliest = std::min(series.steps[before] + 1, change.step);
    change.latest = series.steps[std::min(point.latest, series.size() - 1)];
    change.beforeNs = point.before;
    change.afterNs = point.after;
    change.probability = point.probability;
    return change;
}

class ReportMaker
{
public:
    explicit ReportMaker(const JobHistory& history)
        : m_history(history)
    { }

    JobReport make();

private:
    void addStepChanges();
    void addCommunication();
    JobChange* matching(const Together& group);
    std::int64_t toleranceNs() const;
    void sortChanges();

    const JobHistory& m_history;
    JobReport m_report;
};

std::int64_t ReportMaker::toleranceNs() const
{
    constexpr double second = 1e9;
    return std::llround(
        std::max(second, 2 * m_report.medianNs * static_cast<double>(m_report.series.interval)));
}

void ReportMaker::addStepChanges()
{
    const StepSeries& series = m_report.series;
    for (const ChangePoint& point : m_report.shape.changes) {
        JobChange change;
        change.steps = stepChangeOf(series, point);
        change.isSlower = point.after > point.before;
        if (m_report.logClock) {
            const std::size_t before = point.earliest == 0 ? 0 : point.earliest - 1;
            const std::int64_t earliest = series.clockNs[before];
            const std::int64_t latest = series.clockNs[std::min(point.latest, series.size() - 1)];
            if (earliest > 0 && latest >= earliest) {
                change.earliestNs = earliest + m_report.logClock->offsetNs;
                change.latestNs = latest + m_report.logClock->offsetNs;
            }
        }
        m_report.changes.push_back(std::move(change));
    }
}

JobChange* ReportMaker::matching(const Together& group)
{
    for (JobChange& change : m_report.changes) {
        if (!change.steps || change.isSlower != group.isSlower || !change.communication.empty())
            continue;
        if (change.latestNs > 0 && group.latestNs > 0) {
            if (group.earliestNs <= change.latestNs + toleranceNs()
                && change.earliestNs <= group.latestNs + toleranceNs())
                return &change;
            continue;
        }
        // Times that are stated and do not match are of another time, whatever the share.
        if (statesClocks(m_report.series) && m_report.communication.lastNs > 0)
            continue;
        const double share
            = static_cast<double>(change.steps->index) / static_cast<double>(m_report.series.size());
        if (std::abs(share - group.share) <= nearShare)
            return &change;
    }
    return nullptr;
}

void ReportMaker::addCommunication()
{
    for (Together& group : groupedChanges(m_report.communication.changes, toleranceNs())) {
        std::vector<const CommunicationChange*> parts;
        for (const CommunicationChange& change : group.changes)
            parts.push_back(&change);
        const Culprit culprit = culpritOf(m_history, m_report.communication, parts);
        JobChange* known = matching(group);
        if (known == nullptr) {
            m_report.changes.emplace_back();
            known = &m_report.changes.back();
            known->isSlower = group.isSlower;
        }
        if (!known->steps) {
            known->earliestNs = group.earliestNs;
            known->latestNs = group.latestNs;
        }
        known->culprit = culprit;
        known->communication = std::move(group.changes);
    }
}

void ReportMaker::sortChanges()
{
    std::stable_sort(m_report.changes.begin(), m_report.changes.end(),
                     [](const JobChange& a, const JobChange& b) {
                         if (a.steps && b.steps)
                             return a.steps->index < b.steps->index;
                         return a.latestNs > 0 && b.latestNs > 0 && a.earliestNs < b.earliestNs;
                     });
}

JobReport ReportMaker::make()
{
    m_report.series = stepSeries(m_history);
    const StepSeries& series = m_report.series;
    if (series.size() > 0)
        m_report.medianNs = medianOf(series.ns);
    m_report.shape = shapeOf(series.ns);
    m_report.communication = communicationHistory(m_history);
    const CommunicationHistory& communication = m_report.communication;
    if (communication.lastNs > 0)
        m_report.logClock = logClock(series, communication.firstNs, communication.lastNs);
    else if (series.size() > 0 && series.clockIsUtc)
        m_report.logClock = LogClock{};
    addStepChanges();
    addCommunication();
    sortChanges();
    const bool isAnyTested = std::any_of(communication.rows.begin(), communication.rows.end(),
                                         [](const BandwidthRow& row) { return row.isTested; });
    m_report.isTooLittle = !m_report.shape.isTold && !isAnyTested;
    for (JobChange& change : m_report.changes)
        change.text = changeText(m_history, m_report, change);
    m_report.notes = jobNotes(m_history, m_report);
    m_report.coverage = jobCoverage(m_history, m_report);
    m_report.verdict = jobVerdict(m_history, m_report);
    return std::move(m_report);
}

} // namespace

JobReport jobReport(const JobHistory& history)
{
    return ReportMaker(history).make();
}

} // namespace collscope
