// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/hang_proof.h"

#include "metrics/core/value.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t momentNs = 20 * second; ///< a step and a checkpoint's barrier take less
constexpr std::int64_t longNs = 120 * second; ///< of a call that states no timeout
constexpr std::int64_t afterTimeoutNs = 300 * second; ///< dumps are written soon after a timeout
constexpr std::int64_t copySpanNs = 900 * second; ///< dumps of one moment; a wider span is that of copies
/// Of the timeout: watchdogs look now and then, and clocks differ.
constexpr double almost = 0.95;

std::int64_t almostOf(std::int64_t limitNs)
{
    return static_cast<std::int64_t>(almost * static_cast<double>(limitNs));
}

std::string secondsText(std::int64_t ns)
{
    return std::to_string(ns / second) + " s";
}

} // namespace

HangProof::HangProof(const HangJob& job, const WaitGraph& graph)
    : m_job(job)
    , m_graph(graph)
{
    readTimes();
    judgeFileTimes();
    judgeCalls();
    readLogs();
}

/// Whether the counters of a dump say that calls are pending which its ring does not hold.
bool HangProof::hidesPending(const FlightRecord& record, const RankHeads& heads)
{
    std::set<std::int64_t> shown; // numbers of groups
    for (const std::size_t call : heads.unfinished)
        shown.insert(record.pgIds[record.calls.group[call]]);
    return std::any_of(record.statuses.begin(), record.statuses.end(), [&](const FlightStatus& status) {
        return status.completed < status.enqueued && !shown.contains(status.pgId);
    });
}

void HangProof::readTimes()
{
    for (std::uint32_t rank = 0; rank < m_graph.heads.size(); ++rank) {
        const RankHeads& own = m_graph.heads[rank];
        m_unfinished += own.unfinished.size()
            + static_cast<std::size_t>(
                            std::count_if(own.heads.begin(), own.heads.end(), [](const CallHead& head) {
                                return head.call == CallHead::noCall;
                            }));
        const FlightRecord* const record = m_job.recordOf(rank);
        if (!record)
            continue;
        m_complete += record->hasCalls ? 1u : 0u;
        m_hidden += record->isCutOff || hidesPending(*record, own) || m_job.hasLeftOvers(rank) || own.hasStray
                || m_job.isOutdated(rank)
            ? 1u
            : 0u;
        const FlightCalls& calls = record->calls;
        for (const auto* times : {&calls.createdNs, &calls.startedNs, &calls.completedNs}) {
            for (const std::int64_t ns : *times)
                m_newestNs = std::max(m_newestNs, ns);
        }
    }
}

/// File times tell how long calls have waited, unless the files were copied without them.
void HangProof::judgeFileTimes()
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    bool areAll = true;
    for (std::uint32_t rank = 0; rank < m_graph.heads.size(); ++rank) {
        const FlightRecord* const record = m_job.recordOf(rank);
        if (!record)
            continue;
        areAll = areAll && record->fileTimeNs;
        first = std::min(first, record->fileTimeNs.value_or(0));
        last = std::max(last, record->fileTimeNs.value_or(0));
    }
    m_areFileTimesPlausible = areAll && last > 0 && last - first < copySpanNs && last >= m_newestNs - second;
    if (!m_areFileTimesPlausible)
        return;
    m_isMoment = m_hidden == 0;
    for (std::uint32_t rank = 0; rank < m_graph.heads.size(); ++rank) {
        for (const std::size_t call : m_graph.heads[rank].unfinished) {
            const FlightRecord& record = *m_job.recordOf(rank);
            m_isMoment = m_isMoment && *record.fileTimeNs - record.calls.createdNs[call] < momentNs;
        }
    }
}

void HangProof::judgeCalls()
{
    std::int64_t retired = 0, old = 0, oldWithoutLimit = 0, byFile = 0; // calls
    std::int64_t oldest = 0, oldestWithoutLimit = 0, oldestByFile = 0; // ns
    const auto sawNow = [&](std::int64_t ns) { m_nowNs = std::max(m_nowNs.value_or(ns), ns); };
    for (std::uint32_t rank = 0; rank < m_graph.heads.size(); ++rank) {
        for (const std::size_t call : m_graph.heads[rank].unfinished) {
            const FlightRecord& record = *m_job.recordOf(rank);
            const std::int64_t created = record.calls.createdNs[call];
            const std::int64_t timeoutMs = record.signatureOf(call).timeoutMs;
            constexpr std::int64_t mostMs = 1'000'000'000;
            const std::int64_t limit = timeoutMs > 0 && timeoutMs < mostMs ? timeoutMs * 1'000'000 : 0;
            const bool isPair = record.signatureOf(call).peer >= 0;
            if (record.calls.retired[call] && !isPair) {
                ++retired;
                if (limit > 0) // not stated before version 2.3
                    sawNow(created + limit);
            }
            const std::int64_t age = m_newestNs - created;
            if (age > (limit > 0 ? almostOf(limit) : longNs)) {
                ++(limit > 0 ? old : oldWithoutLimit);
                std::int64_t& most = limit > 0 ? oldest : oldestWithoutLimit;
                most = std::max(most, age);
                sawNow(m_newestNs);
            }
            const std::int64_t waited = m_areFileTimesPlausible ? *record.fileTimeNs - created : 0;
            if (limit > 0 && waited > almostOf(limit) && waited < limit + afterTimeoutNs) {
                ++byFile;
                oldestByFile = std::max(oldestByFile, waited);
                sawNow(*record.fileTimeNs);
            }
        }
    }
    if (retired + old + oldWithoutLimit + byFile > 0)
        m_isMoment = false; // a timeout may be shorter than a moment
    if (retired > 0)
        m_proofs.push_back("The watchdog gave up on " + countText(retired, "call")
                           + (retired == 1 ? " that was" : " that were") + " not finished.");
    if (old > 0)
        m_proofs.push_back(countText(old, "unfinished call") + (old == 1 ? " has" : " have")
                           + " waited for about the timeout or longer: up to " + secondsText(oldest)
                           + ", by the newest time in any dump.");
    if (oldWithoutLimit > 0)
        m_proofs.push_back(countText(oldWithoutLimit, "unfinished call")
                           + (oldWithoutLimit == 1 ? ", whose timeout is not stated, has"
                                                   : ", whose timeouts are not stated, have")
                           + " waited for over " + secondsText(longNs) + ": up to "
                           + secondsText(oldestWithoutLimit) + ", by the newest time in any dump.");
    if (byFile > 0)
        m_proofs.push_back(countText(byFile, "unfinished call") + " had waited for about the timeout when "
                           + (byFile == 1 ? "its file was written: " : "their files were written: up to ")
                           + secondsText(oldestByFile) + ".");
}

void HangProof::readLogs()
{
    std::size_t lines = 0;
    const WatchdogLine* first = nullptr;
    for (const WatchdogLine& line : m_job.evidence().watchdogLines) {
        if (line.kind != WatchdogLine::Kind::Timeout)
            continue;
        ++lines;
        first = first ? first : &line;
        const std::uint32_t rank = line.rank ? m_job.indexOf(*line.rank) : HangJob::noIndex;
        if (rank == HangJob::noIndex || !line.number || !line.ranMs)
            continue;
        for (const CallHead& head : m_graph.heads[rank].heads) {
            if (head.number == *line.number && head.call != CallHead::noCall) {
                const std::int64_t now
                    = m_job.recordOf(rank)->calls.createdNs[head.call] + *line.ranMs * 1'000'000;
                m_nowNs = std::max(m_nowNs.value_or(now), now);
            }
        }
    }
    if (lines > 0)
        m_proofs.push_back("A watchdog reported that a call ran longer than its timeout ("
                           + std::to_string(lines)
                           + (lines == 1 ? " line; it is line " : " lines; the first is line ")
                           + std::to_string(first->line) + " of " + first->file + ").");
}

bool HangProof::isLive(std::uint32_t point) const
{
    return m_nowNs && *m_nowNs - firstCallNs(m_job, m_graph, point) < momentNs;
}

void HangProof::addByStructure(const std::vector<HangFinding>& findings)
{
    std::set<std::uint32_t> accused, explained, groups;
    std::size_t mostGroups = 0;
    bool isByArguments = false;
    for (const HangFinding& finding : findings) {
        isByArguments = isByArguments || finding.mismatch;
        accused.insert(finding.accused.begin(), finding.accused.end());
        if (!finding.accused.empty())
            explained.insert(finding.victims.begin(), finding.victims.end());
        mostGroups = std::max(mostGroups, finding.mostGroups);
    }
    if (isByArguments)
        m_proofs.push_back("The members of a group called it with arguments that do not fit together: such a "
                           "call never ends.");
    std::size_t dumps = 0;
    bool areAll = true;
    for (std::uint32_t rank = 0; rank < m_job.ranks().size(); ++rank) {
        if (!m_job.recordOf(rank))
            continue;
        ++dumps;
        areAll = areAll && (accused.contains(rank) || explained.contains(rank));
        if (m_graph.mainPoint[rank] != WaitGraph::noPoint)
            groups.insert(m_graph.points[m_graph.mainPoint[rank]].group);
    }
    constexpr std::size_t fewestRanks = 8;
    const bool areFew = accused.size() <= std::max<std::size_t>(2, m_job.ranks().size() / 16);
    // Everybody waits for one rank also where it is only late: two at a time are not.
    if (areAll && accused.size() > 1 && areFew && mostGroups > 1 && groups.size() > 1 && dumps >= fewestRanks)
        m_proofs.push_back("Every rank with a dump waits for the same " + std::to_string(accused.size())
                           + " ranks, through up to " + std::to_string(mostGroups) + " groups.");
}

} // namespace collscope
