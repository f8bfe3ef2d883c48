// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/call_heads.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

class HeadFinder
{
public:
    HeadFinder(const HangJob& job, std::uint32_t rank)
        : m_job(job)
        , m_rank(rank)
        , m_record(*job.recordOf(rank))
        , m_calls(m_record.calls)
    {
        for (const FlightSignature& own : m_record.signatures) {
            const std::string_view operation = job.text(own.operation);
            m_roles.push_back(own.peer >= 0 ? (operation == "send" ? Role::Send : Role::Receive)
                                  : operation == "coalesced" ? Role::Batch
                                                             : Role::Collective);
        }
    }

    RankHeads find()
    {
        findBatches();
        m_found.hasLost = m_calls.size() > 0 && m_calls.record.front() > 0;
        for (std::size_t call = 0; call < m_calls.size(); ++call)
            visit(call);
        addPairs();
        addLostCalls();
        chooseMain();
        m_found.hasStray = m_newestStray && (!m_newestFinished || *m_newestStray > *m_newestFinished);
        for (const PendingTransfer& transfer : m_found.transfers)
            ++m_found.pendingTransfers[transfer.place()];
        std::stable_sort(
            m_found.transfers.begin(), m_found.transfers.end(),
            [](const PendingTransfer& a, const PendingTransfer& b) { return a.place() < b.place(); });
        return std::move(m_found);
    }

private:
    enum class Role : std::uint8_t
    {
        Collective,
        Batch,
        Send,
        Receive
    };

    const FlightSignature& signature(std::size_t call) const { return m_record.signatureOf(call); }
    std::uint32_t groupOf(std::size_t call) const { return m_job.groupOf(m_rank, m_calls.group[call]); }
    bool isBatch(std::size_t call) const { return m_roles[m_calls.signature[call]] == Role::Batch; }
    bool isTransfer(std::size_t call) const { return m_roles[m_calls.signature[call]] > Role::Batch; }
    bool isSend(std::size_t call) const { return m_roles[m_calls.signature[call]] == Role::Send; }
    CallHead headAt(CallHead::Kind kind, std::uint32_t group, std::size_t call) const
    {
        CallHead head;
        head.kind = kind;
        head.group = group;
        head.call = head.heldFrom = call;
        head.number
            = kind == CallHead::Kind::Collective ? m_calls.collective[call] : m_calls.pointToPoint[call];
        return head;
    }
    /// Calls inside a batch have no events of their own and stay "scheduled" for ever: only the entry
    /// "coalesced" behind them, with their number, has the state. Before version 2.0 transfers have no
    /// numbers: then a batch has those of its group since the one before.
    void findBatches()
    {
        std::map<std::uint16_t, std::vector<std::size_t>> open; // transfers, by local group
        for (std::size_t call = 0; call < m_calls.size(); ++call) {
            if (isTransfer(call))
                open[m_calls.group[call]].push_back(call);
            else if (isBatch(call))
                closeBatch(call, open[m_calls.group[call]]);
        }
        for (const auto& [group, transfers] : open)
            addOpenBatches(transfers);
    }

    void closeBatch(std::size_t batch, std::vector<std::size_t>& open)
    {
        const std::int64_t number = m_calls.pointToPoint[batch];
        std::vector<std::size_t>& members = m_members[batch];
        for (const std::size_t call : open) {
            if (m_calls.pointToPoint[call] >= 0 && number >= 0 ? m_calls.pointToPoint[call] == number
                                                               : !m_record.isCompleted(call))
                members.push_back(call);
        }
        m_inBatch.insert(members.begin(), members.end());
        open.clear();
        if (members.empty() && !signature(batch).isPointToPoint)
            m_collectiveBatches.insert({m_calls.group[batch], m_calls.collective[batch]});
    }

    /// Transfers with one number belong to a batch that is not complete: its entry comes last.
    void addOpenBatches(const std::vector<std::size_t>& transfers)
    {
        std::map<std::int64_t, std::vector<std::size_t>> byNumber;
        for (const std::size_t call : transfers) {
            if (m_calls.pointToPoint[call] >= 0)
                byNumber[m_calls.pointToPoint[call]].push_back(call);
        }
        for (const auto& [number, calls] : byNumber) {
            if (calls.size() < 2 || isFinished(calls.back()))
                continue;
            m_inBatch.insert(calls.begin(), calls.end());
            m_newestStray = std::max(m_newestStray.value_or(0), calls.back());
        }
    }

    bool isInBatch(std::size_t call) const
    {
        return m_inBatch.contains(call)
            || (!m_collectiveBatches.empty() && !isBatch(call) && !isTransfer(call)
                && m_collectiveBatches.contains({m_calls.group[call], m_calls.collective[call]}));
    }
    bool isTransferBatch(std::size_t call) const
    {
        return isBatch(call) && (signature(call).isPointToPoint || !m_members.at(call).empty());
    }

    /// By the counters outside the ring.
    bool isFinished(std::size_t call) const
    {
        const std::uint32_t group = groupOf(call);
        if (group == HangJob::noIndex)
            return false;
        if (!signature(call).isPointToPoint) {
            const FlightStatus* const status = m_job.collectiveStatusOf(m_rank, group);
            return status && m_calls.collective[call] <= status->completed;
        }
        // What a dump of active calls holds of a batch that is done: its members, which have no state.
        const FlightStatus* const status = m_job.transferStatusOf(m_rank, group);
        return m_job.isActiveOnly(m_rank) && status && m_calls.pointToPoint[call] <= status->completed;
    }

    void visit(std::size_t call)
    {
        if (m_record.isCompleted(call) || (!isInBatch(call) && isFinished(call))) {
            m_newestFinished = call;
            countFinished(call);
            return;
        }
        if (isInBatch(call) || m_job.mayBeLeftOver(m_rank, call))
            return;
        m_found.unfinished.push_back(call);
        const std::uint32_t group = groupOf(call);
        if (group == HangJob::noIndex) {
            m_newestStray = std::max(m_newestStray.value_or(0), call);
            return;
        }
        if (isTransferBatch(call))
            visitBatch(call, group);
        else if (isTransfer(call))
            visitTransfer(call, group);
        else if (!signature(call).isPointToPoint && m_collectives.insert(group).second)
            m_found.heads.push_back(headAt(CallHead::Kind::Collective, group, call));
    }

    void countFinished(std::size_t call)
    {
        const std::uint32_t group = groupOf(call);
        if (group == HangJob::noIndex)
            return;
        const auto count = [&](std::size_t transfer) {
            const std::uint32_t peer = peerOf(transfer, group);
            if (peer != HangJob::noIndex)
                ++m_found.finishedTransfers[{group, peer, isSend(transfer)}];
        };
        if (isTransfer(call))
            count(call);
        else if (const auto members = m_members.find(call); members != m_members.end())
            std::for_each(members->second.begin(), members->second.end(), count);
    }

    /// The rank of the job that a transfer names by its place in the group; noIndex if there is none.
    std::uint32_t peerOf(std::size_t call, std::uint32_t group) const
    {
        const auto peer = static_cast<std::size_t>(signature(call).peer);
        const auto& members = m_job.groups()[group].members;
        return peer < members.size() ? members[peer] : HangJob::noIndex;
    }

    void visitBatch(std::size_t call, std::uint32_t group)
    {
        CallHead head = headAt(CallHead::Kind::Batch, group, call);
        for (const std::size_t member : m_members.at(call)) {
            const std::uint32_t peer = peerOf(member, group);
            if (peer == HangJob::noIndex)
                continue;
            m_found.transfers.push_back({group, peer, isSend(member), call});
            (isSend(member) ? head.batchSends : head.receivesFrom).push_back(peer);
        }
        if (!head.receivesFrom.empty() && m_batchGroups.insert(group).second)
            m_found.heads.push_back(std::move(head));
    }

    void visitTransfer(std::size_t call, std::uint32_t group)
    {
        const std::uint32_t peer = peerOf(call, group);
        if (peer == HangJob::noIndex)
            return;
        m_found.transfers.push_back({group, peer, isSend(call), call});
        m_pairs[{group, peer}].push_back(m_found.transfers.back());
    }

    /// A send alone need not hold anybody up: NCCL may take it before it is received. With a receive behind
    /// it, the receive cannot start before it.
    void addPairs()
    {
        for (const auto& [place, transfers] : m_pairs) {
            const auto receive = std::find_if(transfers.begin(), transfers.end(),
                                              [](const PendingTransfer& own) { return !own.isSend; });
            const PendingTransfer& first = transfers.front();
            CallHead head = headAt(CallHead::Kind::Pair, place.first, first.call);
            head.isSoft = receive == transfers.end();
            head.heldFrom = head.isSoft ? first.call : receive->call;
            if (first.isSend)
                head.sendsTo = first.peer;
            else
                head.receivesFrom = {first.peer};
            m_found.heads.push_back(std::move(head));
        }
    }

    /// The ring can lose calls that are still pending: the counters outside it tell.
    void addLostCalls()
    {
        if (m_record.isCutOff)
            return; // what a file lacks at its end is not old
        std::map<std::uint32_t, CallHead> lost; // by group
        for (std::uint16_t local = 0; local < m_record.groups.size(); ++local) {
            const std::uint32_t group = m_job.groupOf(m_rank, local);
            const FlightStatus* const status
                = group == HangJob::noIndex ? nullptr : m_job.collectiveStatusOf(m_rank, group);
            if (!status || status->completed >= status->enqueued)
                continue;
            const std::int64_t first = std::max<std::int64_t>(status->completed + 1, 1);
            if (m_job.callOf(m_rank, group, first))
                continue;
            CallHead& own = lost[group];
            own.group = group;
            own.number = first;
        }
        std::erase_if(m_found.heads, [&](const CallHead& head) {
            return head.kind == CallHead::Kind::Collective && lost.contains(head.group);
        });
        for (const auto& [group, head] : lost)
            m_found.heads.push_back(head);
    }

    void chooseMain()
    {
        const auto age
            = [](const CallHead& head) { return head.heldFrom == CallHead::noCall ? 0 : head.heldFrom + 1; };
        std::stable_sort(m_found.heads.begin(), m_found.heads.end(),
                         [&](const CallHead& a, const CallHead& b) { return age(a) < age(b); });
        for (CallHead& head : m_found.heads)
            head.isSide = m_newestFinished
                && (head.heldFrom == CallHead::noCall || head.heldFrom < *m_newestFinished);
        const auto holds = [](const CallHead& head) { return !head.isSide && !head.isSoft; };
        const bool isHeld = std::any_of(m_found.heads.begin(), m_found.heads.end(), holds);
        // A rank that something else holds up, or that went on behind the send, does not wait for it.
        std::erase_if(m_found.heads,
                      [&](const CallHead& head) { return head.isSoft && (isHeld || head.isSide); });
        const auto main = std::find_if(m_found.heads.begin(), m_found.heads.end(), holds);
        if (main != m_found.heads.end())
            m_found.main = static_cast<std::size_t>(main - m_found.heads.begin());
    }

    const HangJob& m_job;
    std::uint32_t m_rank;
    std::vector<Role> m_roles; ///< by signature
    const FlightRecord& m_record;
    const FlightCalls& m_calls;
    RankHeads m_found;
    std::map<std::size_t, std::vector<std::size_t>> m_members; ///< transfers, by the row of their batch
    std::set<std::size_t> m_inBatch;
    std::set<std::pair<std::uint16_t, std::int64_t>> m_collectiveBatches; ///< local group and number
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<PendingTransfer>> m_pairs;
    std::set<std::uint32_t> m_collectives, m_batchGroups;
    std::optional<std::size_t> m_newestFinished, m_newestStray;
};

} // namespace

const CallHead* RankHeads::at(std::uint32_t point) const
{
    const auto found = byPoint.find(point);
    return found == byPoint.end() ? nullptr : &heads[found->second];
}

const PendingTransfer* RankHeads::transferWith(std::uint32_t group, std::uint32_t peer, bool isSend) const
{
    const auto place = std::tuple(group, peer, isSend);
    const auto found
        = std::lower_bound(transfers.begin(), transfers.end(), place,
                           [](const PendingTransfer& own, const auto& other) { return own.place() < other; });
    return found != transfers.end() && found->place() == place ? &*found : nullptr;
}

RankHeads headsOf(const HangJob& job, std::uint32_t rank)
{
    return job.recordOf(rank) && !job.isOutdated(rank) ? HeadFinder(job, rank).find() : RankHeads();
}

} // namespace collscope
