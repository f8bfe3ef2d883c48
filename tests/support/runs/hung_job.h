// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A job that hung: what its ranks called and how far that got, written as PyTorch's recorder would have
// dumped it, and judged as a person's folder would be.

#include "metrics/hang/hang_verdict.h"
#include "model/hang/hang_evidence.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/texts/flight_text.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

/// A call of one rank. As written it is called and not finished; the functions say what else became of it.
struct HungCall : DumpedCall
{
    bool isInRing
        = true; ///< false: newer calls took its place, or it is finished and the dump has active ones
    bool isInside = false; ///< the CPU has not returned from the library
    bool isMember = false; ///< of a batch: it has no state of its own

    HungCall& finish()
    {
        state = "completed";
        completedMs = createdMs + 2;
        isRetired = true;
        return *this;
    }
    HungCall& start()
    {
        state = "started";
        startedMs = createdMs + 1;
        return *this;
    }
    HungCall& stay()
    {
        isInside = true;
        return *this;
    }
};

struct HungRank
{
    std::vector<HungCall> calls; ///< oldest first
    std::pair<int, int> version{2, 9};
    bool hasDump = true;
    std::size_t ring = 2000; ///< newest calls that the recorder holds
    bool isActiveOnly = false; ///< the dump lacks finished calls
    bool hasUnlisted = false; ///< communicators exist for all groups of the rank, also those without calls
    double keptShare = 1; ///< of the bytes of the dump
    std::int64_t writtenMs = 601'000; ///< time of the file, a second after the timeout of the first calls
    std::optional<std::vector<DumpedStatus>> statuses; ///< in place of what follows from the calls
};

class HungJob
{
public:
    bool isJson = false;
    std::map<std::string, std::string> others; ///< files beside the dumps, by name
    HangOptions options;

    /// The name is the number of the group where none is given.
    std::size_t group(const std::string& description, const std::vector<int>& ranks,
                      const std::string& name = {})
    {
        m_groups.push_back({0, name.empty() ? std::to_string(m_groups.size()) : name, description, ranks});
        for (const int own : ranks)
            m_ranks[own];
        return m_groups.size() - 1;
    }
    HungRank& rank(int number) { return m_ranks[number]; }
    std::map<int, HungRank>& ranks() { return m_ranks; }

    /// Valid until the rank calls again.
    HungCall& call(int rank, std::size_t group, std::int64_t number,
                   const std::string& operation = "all_reduce")
    {
        std::vector<HungCall>& calls = m_ranks[rank].calls;
        HungCall& own = calls.emplace_back();
        own.group = group;
        own.number = number;
        own.operation = operation;
        own.isTransfer = operation.starts_with("send ") || operation.starts_with("recv ");
        own.createdMs = 1000 + 10 * static_cast<std::int64_t>(calls.size());
        return own;
    }
    /// Sends and receives that are one call.
    HungCall& batch(int rank, std::size_t group, std::int64_t number,
                    const std::vector<std::string>& transfers)
    {
        for (const std::string& transfer : transfers)
            call(rank, group, number, transfer).isMember = true;
        HungCall& own = call(rank, group, number, "coalesced");
        own.isTransfer = true;
        return own;
    }
    void callAll(std::size_t group, std::int64_t number, const std::vector<int>& except = {})
    {
        for (const int own : m_groups[group].ranks) {
            if (std::find(except.begin(), except.end(), own) == except.end())
                call(own, group, number);
        }
    }
    void finishAll(std::size_t group, std::int64_t number)
    {
        for (const int own : m_groups[group].ranks)
            call(own, group, number).finish();
    }

    FlightText dumpOf(int number) const
    {
        const HungRank& own = m_ranks.at(number);
        FlightText dump{own.version, {}, {}, {}};
        std::map<std::size_t, std::size_t> local;
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            const auto& members = m_groups[group].ranks;
            if (std::find(members.begin(), members.end(), number) == members.end())
                continue;
            local[group] = dump.groups.size();
            dump.groups.push_back(m_groups[group]);
            dump.groups.back().pgId = static_cast<std::int64_t>(local[group]);
            dump.groups.back().isListed = own.hasUnlisted
                || std::any_of(own.calls.begin(), own.calls.end(),
                               [&](const HungCall& call) { return call.group == group; });
        }
        std::map<std::int64_t, DumpedStatus> statuses;
        const std::size_t lost = own.calls.size() - std::min(own.calls.size(), own.ring);
        for (std::size_t i = 0; i < own.calls.size(); ++i) {
            const HungCall& call = own.calls[i];
            const auto pgId = static_cast<std::int64_t>(local.at(call.group));
            if (!call.isMember)
                count(call, statuses.try_emplace(pgId, before(call, pgId)).first->second);
            if (i < lost || (own.isActiveOnly && call.state == "completed"))
                continue;
            dump.calls.push_back(call);
            dump.calls.back().group = local.at(call.group);
            dump.calls.back().record = static_cast<std::int64_t>(i);
        }
        for (const auto& [pgId, status] : statuses)
            dump.statuses.push_back(status);
        if (own.statuses)
            dump.statuses = *own.statuses;
        return dump;
    }

    static std::string fileOf(int number, bool isJson)
    {
        return "nccl_trace_rank_" + std::to_string(number) + (isJson ? ".json" : "");
    }

    void write(const RunFolder& folder) const
    {
        for (const auto& [number, own] : m_ranks) {
            if (!own.hasDump)
                continue;
            std::string bytes = isJson ? flightJson(dumpOf(number)) : flightPickle(dumpOf(number));
            bytes.resize(static_cast<std::size_t>(static_cast<double>(bytes.size()) * own.keptShare));
            const std::string path = folder.write("job/" + fileOf(number, isJson), bytes);
            const std::int64_t ns = flightEpochNs + own.writtenMs * 1'000'000;
            const timespec time{ns / 1'000'000'000, ns % 1'000'000'000};
            const timespec times[2] = {time, time};
            ::utimensat(AT_FDCWD, path.c_str(), times, 0);
        }
        for (const auto& [name, text] : others)
            folder.write("job/" + name, text);
    }
    TraceModelPtr load() const
    {
        const RunFolder folder;
        write(folder);
        return folder.load("job");
    }
    HangVerdict verdict() const
    {
        const TraceModelPtr model = load();
        return model && model->hang ? judgeHang(*model->hang, model->strings, options) : HangVerdict();
    }

private:
    /// The counters before the first call that is written down: those before it are finished.
    static DumpedStatus before(const HungCall& first, std::int64_t pgId)
    {
        const std::int64_t number = first.number > 1 ? first.number - 1 : -1;
        return {pgId, number, -1, number};
    }
    /// As ProcessGroupNCCL does: what was enqueued when the library has returned, whatever kind of call it
    /// was.
    static void count(const HungCall& call, DumpedStatus& status)
    {
        if (!call.isInside)
            status.enqueued = call.number;
        if (call.startedMs)
            status.started = call.number;
        if (call.state == "completed")
            status.completed = std::max(status.completed, call.number);
    }

    std::vector<DumpedGroup> m_groups;
    std::map<int, HungRank> m_ranks;
};

/// A verdict in one line: "yes: cpu 2 in A 5", with candidates "yes: gpu of 0 1 2 in A 5". What would be
/// found if the job was hung stands behind "unproven".
inline std::string said(const HangVerdict& verdict)
{
    constexpr const char* hangs[] = {"yes", "no", "unproven"};
    std::string text = hangs[static_cast<std::size_t>(verdict.hang)];
    const char* separator = ": ";
    for (const auto* reported : {&verdict.findings, &verdict.suspects}) {
        for (const ReportedFinding& finding : *reported) {
            text += separator + std::string(hangClassName(finding.hangClass));
            separator = "; ";
            for (const std::int32_t rank : finding.ranks)
                text += " " + std::to_string(rank);
            text += finding.candidates.empty() ? "" : " of";
            for (const std::int32_t rank : finding.candidates)
                text += " " + std::to_string(rank);
            if (finding.group)
                text += " in " + verdict.groups[*finding.group].description;
            if (finding.number)
                text += " " + std::to_string(*finding.number);
        }
    }
    return text;
}
inline QString told(const HangVerdict& verdict)
{
    return QString::fromStdString(said(verdict));
}
inline bool holds(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace collscope
