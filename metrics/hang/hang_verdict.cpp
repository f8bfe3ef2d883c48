// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/value.h"
#include "metrics/hang/hang_case.h"
#include "metrics/hang/hang_proof.h"
#include "metrics/hang/hang_stacks.h"
#include "metrics/hang/hang_text.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

class Judge
{
public:
    Judge(HangCase& own, const HangOptions& options)
        : m_options(options)
        , m_evidence(own.job.evidence())
        , m_job(own.job)
        , m_graph(own.graph)
        , m_findings(own.findings)
        , m_verdict(own.verdict)
        , m_proof(m_job, m_graph)
    {
        for (const RasSnapshot& snapshot : m_evidence.ras) {
            for (const RasCommunicator& communicator : snapshot.communicators)
                m_largestOfRas = std::max<std::int64_t>(m_largestOfRas, communicator.size);
        }
    }

    void judge()
    {
        listRanks();
        dropLivePoints();
        m_findings = hangFindings(m_job, m_graph);
        m_proof.addByStructure(m_findings);
        addSecondWitnesses();
        m_verdict.proofs = m_proof.proofs();
        decide();
        if (m_verdict.hang != HangVerdict::Hang::No)
            report();
        addNotes();
        m_verdict.text = headline();
    }

private:
    void listRanks()
    {
        m_verdict.ranks = m_job.ranks().size();
        for (std::uint32_t rank = 0; rank < m_job.ranks().size(); ++rank) {
            if (m_job.recordOf(rank)) {
                ++m_verdict.dumps;
                continue;
            }
            m_verdict.missing.push_back(m_job.ranks()[rank]);
            if (m_job.isAliveByLog(rank))
                m_verdict.aliveByLog.push_back(m_job.ranks()[rank]);
        }
    }

    /// Calls of a job that goes on elsewhere prove nothing.
    void dropLivePoints()
    {
        for (std::uint32_t index = 0; index < m_graph.points.size(); ++index) {
            WaitPoint& point = m_graph.points[index];
            if (!m_proof.isLive(index))
                continue;
            for (const std::uint32_t rank : point.waiting) {
                std::erase(m_graph.holding[rank], index);
                if (m_graph.mainPoint[rank] == index) {
                    m_graph.mainPoint[rank] = WaitGraph::noPoint;
                    m_graph.holding[rank].clear(); // the rank goes on
                }
                if (m_graph.standsAt[rank] == index)
                    m_graph.standsAt[rank] = WaitGraph::noPoint;
            }
            point = WaitPoint();
            point.isFinishedBySome = true; // nobody is held up here
        }
    }

    /// A rank without a dump is accused only if something else says that its process ended.
    void addSecondWitnesses()
    {
        for (HangFinding& finding : m_findings) {
            if (finding.hangClass != HangClass::Dead)
                continue;
            std::vector<std::uint32_t> dead;
            for (const std::uint32_t rank : finding.candidates) {
                std::string witness = deathOf(m_job.ranks()[rank]);
                if (witness.empty())
                    continue;
                dead.push_back(rank);
                if (finding.death.empty())
                    finding.death = std::move(witness);
            }
            if (dead.empty())
                continue;
            finding.accused = dead;
            finding.candidates.clear();
        }
    }

    /// Whether its own watchdog gave up on a call of the rank.
    bool hasTimeout(std::int32_t rank) const
    {
        return std::any_of(m_evidence.watchdogLines.begin(), m_evidence.watchdogLines.end(),
                           [&](const WatchdogLine& line) {
                               return line.kind == WatchdogLine::Kind::Timeout && line.rank == rank;
                           });
    }

    /// What says that the process of a rank ended, as a sentence; empty if nothing does.
    std::string deathOf(std::int32_t rank) const
    {
        if (hasTimeout(rank))
            return {}; // it waited, and ended because of that
        for (const WatchdogLine& line : m_evidence.watchdogLines) {
            // Aborted by its own watchdog, or ended by the launcher when another one was gone.
            constexpr int aborted = -6, terminated = -15;
            const int code = line.exitCode.value_or(0);
            if (line.kind == WatchdogLine::Kind::Exit && line.rank == rank && code != 0 && code != aborted
                && code != terminated)
                return "Rank " + std::to_string(rank) + " ended with exit code " + std::to_string(code)
                    + " (line " + std::to_string(line.line) + " of " + line.file + ").";
        }
        // Only the communicator of the whole job numbers its ranks as the job does.
        for (const RasSnapshot& snapshot : m_evidence.ras) {
            for (const RasCommunicator& communicator : snapshot.communicators) {
                if (static_cast<std::size_t>(communicator.size) != m_job.ranks().size()
                    || communicator.size < m_largestOfRas)
                    continue;
                for (const RasCommunicator::Missing& missing : communicator.missing) {
                    if (missing.isDead && missing.rank == rank)
                        return "NCCL's RAS says that rank " + std::to_string(rank) + " is dead ("
                            + snapshot.file + ").";
                }
            }
        }
        return {};
    }

    void decide()
    {
        // One dump that is missing may be that of a rank which waits.
        const bool isOver = m_proof.isIdle() && m_findings.empty() && m_verdict.missing.empty();
        if (m_proof.isProven() || m_options.isKnownToHang)
            m_verdict.hang = HangVerdict::Hang::Yes;
        else if (isOver || (m_proof.isMoment() && !m_proof.isIdle() && m_verdict.dumps > 0))
            m_verdict.hang = HangVerdict::Hang::No;
        else
            m_verdict.hang = HangVerdict::Hang::Unproven;
    }

    void report()
    {
        std::vector<ReportedFinding>& reported
            = m_verdict.hang == HangVerdict::Hang::Yes ? m_verdict.findings : m_verdict.suspects;
        std::set<std::uint32_t> explained, accused;
        for (const HangFinding& finding : m_findings) {
            reported.push_back(reportOf(finding));
            explained.insert(finding.victims.begin(), finding.victims.end());
            explained.insert(finding.candidates.begin(), finding.candidates.end());
            accused.insert(finding.accused.begin(), finding.accused.end());
        }
        std::size_t waiting = 0, covered = 0;
        for (std::uint32_t rank = 0; rank < m_job.ranks().size(); ++rank) {
            if (m_graph.mainPoint[rank] == WaitGraph::noPoint)
                continue;
            const bool isCovered = explained.contains(rank) || accused.contains(rank);
            ++waiting;
            covered += isCovered ? 1u : 0u;
            if (explained.contains(rank) && !accused.contains(rank))
                m_verdict.victims.push_back(m_job.ranks()[rank]);
        }
        m_verdict.coverage = waiting == 0 ? 0 : static_cast<double>(covered) / static_cast<double>(waiting);
        if (m_verdict.hang == HangVerdict::Hang::Yes && m_findings.empty())
            m_verdict.inconclusive = whyNothing();
    }

    std::string whyNothing() const
    {
        if (m_verdict.dumps == 0)
            return "A dump of the Flight Recorder is missing: it would tell who waits for whom.";
        if (m_proof.isIdle())
            return "Every call in the dumps is finished: they were written before or after the hang, or the "
                   "ranks wait for something else than communication.";
        std::int64_t cut = 0, hiding = 0, leftOver = 0, outdated = 0, stray = 0, sending = 0; // ranks
        for (std::uint32_t rank = 0; rank < m_job.ranks().size(); ++rank) {
            cut += m_job.recordOf(rank) && m_job.recordOf(rank)->isCutOff ? 1 : 0;
            const std::vector<CallHead>& heads = m_graph.heads[rank].heads;
            const bool hasLost = std::any_of(heads.begin(), heads.end(), [](const CallHead& head) {
                return head.call == CallHead::noCall;
            });
            hiding += hasLost || m_job.mayHidePending(rank) ? 1 : 0;
            leftOver += m_job.hasLeftOvers(rank) ? 1 : 0;
            outdated += m_job.isOutdated(rank) ? 1 : 0;
            stray += m_graph.heads[rank].hasStray ? 1 : 0;
            sending
                += std::any_of(heads.begin(), heads.end(), [](const CallHead& head) { return head.isSoft; })
                ? 1
                : 0;
        }
        if (hiding > 0)
            return "The ring of " + countText(hiding, "rank")
                + " is too short: it may have lost the calls that would tell. Set TORCH_FR_BUFFER_SIZE "
                  "higher.";
        if (cut > 0)
            return countText(cut, "dump")
                + (cut == 1 ? " is cut off or damaged, and what it lacks would tell."
                            : " are cut off or damaged, and what they lack would tell.");
        if (leftOver > 0)
            return "The dumps of " + countText(leftOver, "rank")
                + " have active calls only, and do not say whether their sends and receives are finished.";
        if (outdated > 0)
            return "The dumps of " + countText(outdated, "rank")
                + " are older than calls that others have finished, and do not show where "
                + (outdated == 1 ? "it is." : "they are.");
        if (stray > 0)
            return "The last calls of " + countText(stray, "rank")
                + " are parts of a batch that is not complete, or of a group that no dump lists.";
        if (sending > 0)
            return "The last call of " + countText(sending, "rank")
                + " is a send that is not finished: the program may wait for it, or have stopped behind it.";
        return "The waits lead to calls that the rings do not hold any more, or that nobody is known to "
               "keep.";
    }

    ReportedFinding reportOf(const HangFinding& finding)
    {
        ReportedFinding reported;
        reported.hangClass = finding.hangClass;
        reported.ranks = m_job.numbersOf(finding.accused);
        reported.candidates = m_job.numbersOf(finding.candidates);
        if (finding.point != WaitGraph::noPoint) {
            const WaitPoint& point = m_graph.points[finding.point];
            reported.group = groupIndex(point.group);
            if (point.kind == CallHead::Kind::Collective)
                reported.number = point.number;
        }
        reported.text = findingText(m_job, m_graph, finding);
        reported.whatFirst = firstStep(m_job, finding);
        addWitnesses(m_job, m_graph, finding, reported);
        addStacks(m_job, m_graph, finding, reported);
        return reported;
    }

    std::uint32_t groupIndex(std::uint32_t group)
    {
        const auto [found, isNew]
            = m_reportedGroups.try_emplace(group, static_cast<std::uint32_t>(m_verdict.groups.size()));
        if (isNew) {
            const HangGroup& own = m_job.groups()[group];
            m_verdict.groups.push_back(
                {m_job.nameOf(group), std::string(m_job.text(own.description)), own.ranks});
        }
        return found->second;
    }

    void addNotes()
    {
        std::set<std::int32_t> named;
        for (const HangFinding& finding : m_findings) {
            for (const std::uint32_t rank : finding.named())
                named.insert(m_job.ranks()[rank]);
        }
        std::vector<std::uint32_t> lost;
        for (const std::int32_t rank : m_verdict.missing) {
            if (!named.contains(rank))
                lost.push_back(m_job.indexOf(rank));
        }
        if (!lost.empty() && m_verdict.hang != HangVerdict::Hang::No)
            m_verdict.notes.push_back("No dump of " + ranksText(m_job, lost) + ": nothing here accuses "
                                      + (lost.size() == 1 ? "it." : "them. A dump can be lost."));
        for (const RasSnapshot& snapshot : m_evidence.ras) {
            addAsyncErrors(snapshot);
            addBehind(snapshot);
        }
        for (const WatchdogLine& line : m_evidence.watchdogLines) {
            if (line.kind == WatchdogLine::Kind::Timeout && m_verdict.dumps == 0)
                m_verdict.notes.push_back(timeoutText(line));
            if (line.kind == WatchdogLine::Kind::Stuck && line.rank)
                m_verdict.notes.push_back("The watchdog of rank " + std::to_string(*line.rank)
                                          + " made no progress itself (line " + std::to_string(line.line)
                                          + " of " + line.file + "): CUDA or Python's lock was held there.");
        }
    }

    /// All that a log says without dumps: where a rank waits, not for whom.
    static std::string timeoutText(const WatchdogLine& line)
    {
        std::string text = line.rank ? "Rank " + std::to_string(*line.rank) : std::string("A rank");
        text
            += " waited in " + (line.number ? "call " + std::to_string(*line.number) : std::string("a call"));
        text += line.operation.empty() ? "" : " (" + line.operation + ")";
        text += line.groupName.empty() ? "" : " of group " + line.groupName;
        text += line.ranMs ? " for " + std::to_string(*line.ranMs / 1000) + " s" : "";
        return text + " (line " + std::to_string(line.line) + " of " + line.file + ").";
    }

    /// Members of a communicator that have made fewer calls of a kind than others.
    void addBehind(const RasSnapshot& snapshot)
    {
        for (const RasCommunicator& communicator : snapshot.communicators) {
            std::map<std::string, std::map<std::int64_t, std::vector<std::int32_t>>>
                ranksOf; // by kind and calls
            for (const RasCommunicator::Member& member : communicator.members) {
                for (const RasCommunicator::Count& count : member.counts)
                    ranksOf[count.operation][count.calls].push_back(member.rank);
            }
            for (const auto& [operation, byCalls] : ranksOf) {
                if (byCalls.size() != 2 || byCalls.begin()->second.size() >= byCalls.rbegin()->second.size())
                    continue;
                m_verdict.notes.push_back("NCCL counts " + std::to_string(byCalls.begin()->first) + " "
                                          + operation + " calls of " + rankRangesText(byCalls.begin()->second)
                                          + " of communicator " + communicator.hash + ", and "
                                          + std::to_string(byCalls.rbegin()->first) + " of the others ("
                                          + snapshot.file + ").");
            }
        }
    }

    void addAsyncErrors(const RasSnapshot& snapshot)
    {
        constexpr std::int64_t success = 0, inProgress = 7; // ncclSuccess, ncclInProgress in nccl.h
        for (const RasCommunicator& communicator : snapshot.communicators) {
            for (const RasCommunicator::Member& member : communicator.members) {
                if (member.asyncError != success && member.asyncError != inProgress)
                    m_verdict.notes.push_back("NCCL reports the asynchronous error "
                                              + std::to_string(member.asyncError) + " for rank "
                                              + std::to_string(member.rank) + " of communicator "
                                              + communicator.hash + " (" + snapshot.file + ").");
            }
        }
    }

    std::int64_t missing() const { return static_cast<std::int64_t>(m_verdict.missing.size()); }

    std::string headline() const
    {
        switch (m_verdict.hang) {
        case HangVerdict::Hang::No:
            return m_proof.isIdle() ? "No hang in communication: every recorded call is finished."
                                    : "No hang: every unfinished call was under 20 s old when the files were "
                                      "written.";
        case HangVerdict::Hang::Unproven:
            if (m_verdict.dumps == 0)
                return "The files do not say whether the job hung. " + whyNothing();
            if (m_proof.isIdle())
                return "Every call in the dumps is finished, but " + countText(missing(), "rank")
                    + " left no dump: " + (missing() == 1 ? "it" : "they") + " may wait in a call.";
            return m_verdict.suspects.empty()
                ? "Nothing here says how long the calls have been waiting. " + whyNothing()
                : "Nothing here says how long the calls have been waiting. If the job was hung: "
                    + summaryOf(m_verdict.suspects);
        case HangVerdict::Hang::Yes:
            break;
        }
        return m_verdict.findings.empty()
            ? "The job hung, but the files do not say where. " + m_verdict.inconclusive
            : summaryOf(m_verdict.findings);
    }

    /// The first finding, and who else is named.
    static std::string summaryOf(const std::vector<ReportedFinding>& findings)
    {
        std::string text = findings.front().text;
        std::vector<std::int32_t> others;
        for (std::size_t i = 1; i < findings.size(); ++i) {
            const std::vector<std::int32_t>& named
                = findings[i].ranks.empty() ? findings[i].candidates : findings[i].ranks;
            others.insert(others.end(), named.begin(), named.end());
        }
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        const std::string who = rankRangesText(others);
        return others.empty() ? text : text + " Also named: " + who + ".";
    }

    HangOptions m_options;
    const HangEvidence& m_evidence;
    const HangJob& m_job;
    WaitGraph& m_graph;
    std::vector<HangFinding>& m_findings;
    HangVerdict& m_verdict;
    std::int64_t m_largestOfRas = 0; ///< size of a communicator
    HangProof m_proof;
    std::map<std::uint32_t, std::uint32_t> m_reportedGroups;
};

} // namespace

HangCase::HangCase(const HangEvidence& evidence, const StringTable& strings)
    : job(evidence, strings)
    , graph(waitGraphOf(job))
{ }

HangCasePtr examineHang(const HangEvidence& evidence, const StringTable& strings, const HangOptions& options)
{
    auto own = std::make_shared<HangCase>(evidence, strings);
    Judge(*own, options).judge();
    return own;
}

HangVerdict judgeHang(const HangEvidence& evidence, const StringTable& strings, const HangOptions& options)
{
    return examineHang(evidence, strings, options)->verdict;
}

} // namespace collscope
