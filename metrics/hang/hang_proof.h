// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the files show that the job hung, or only that calls were under way when they were written.

#include "metrics/hang/hang_findings.h"

#include <string>

namespace collscope {

class HangProof
{
public:
    /// Reads the times of all calls. O(calls).
    HangProof(const HangJob& job, const WaitGraph& graph);

    /// No call was under way for more than a moment.
    bool isMoment() const { return m_isMoment; }
    /// No call is unfinished, by dumps that are complete.
    bool isIdle() const { return m_unfinished + m_hidden == 0 && m_complete > 0; }
    /// Sentences: what shows that calls waited longer than they may.
    const std::vector<std::string>& proofs() const { return m_proofs; }
    bool isProven() const { return !m_proofs.empty(); }

    /// Whether the calls of a point are under way in a job whose other groups go on: they prove nothing.
    bool isLive(std::uint32_t point) const;
    /// The findings prove it by themselves: everybody waits for the same few, or arguments differ. Adds to
    /// proofs().
    void addByStructure(const std::vector<HangFinding>& findings);

private:
    static bool hidesPending(const FlightRecord& record, const RankHeads& heads);
    void readTimes();
    void judgeFileTimes();
    void judgeCalls();
    void readLogs();

    const HangJob& m_job;
    const WaitGraph& m_graph;
    std::int64_t m_newestNs = 0; ///< in any dump
    std::optional<std::int64_t> m_nowNs; ///< when the files were written, if something tells
    bool m_areFileTimesPlausible = false, m_isMoment = false;
    std::size_t m_unfinished = 0;
    std::size_t m_hidden = 0; ///< dumps that lack calls which are or may be pending
    std::size_t m_complete = 0; ///< dumps with calls
    std::vector<std::string> m_proofs;
};

} // namespace collscope
