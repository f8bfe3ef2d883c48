// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Dumps of PyTorch's Flight Recorder as pickle and as JSON, with the keys that each version of the schema
// has.

#include "tests/support/texts/pickle_text.h"

#include <algorithm>
#include <optional>

namespace collscope {

/// Where the times of these dumps begin.
inline constexpr std::int64_t flightEpochNs = 1'763'900'000'000'000'000;

/// A call as the recorder has it. Times are ms since the beginning of the job.
struct DumpedCall
{
    std::int64_t record = 0; ///< number in the process
    std::size_t group = 0; ///< index into FlightText::groups
    std::int64_t number = 1; ///< in the group; of a transfer: among the transfers of its process
    std::int64_t otherNumber
        = 0; ///< of a collective: transfers of its group before it, and the other way round
    std::optional<std::int64_t> pgId; ///< in place of its group's
    std::string operation = "all_reduce"; ///< "send 0->1", by places in the group
    std::string state = "scheduled";
    std::vector<std::int64_t> input{64, 8}, output{64, 8}; ///< of one tensor
    std::string type = "BFloat16";
    bool isTransfer = false, isRetired = false;
    std::int64_t createdMs = 0;
    std::optional<std::int64_t> startedMs, completedMs;
    int line = 0; ///< of the code that called; 0 = without a stack
};

struct DumpedGroup
{
    std::int64_t pgId = 0; ///< in the process
    std::string name, description;
    std::vector<int> ranks;
    bool isListed = true; ///< among the communicators of the process
};

struct DumpedStatus
{
    std::int64_t pgId = 0, enqueued = -1, started = -1, completed = -1;
};

struct FlightText
{
    std::pair<int, int> version{2, 9};
    std::vector<DumpedGroup> groups;
    std::vector<DumpedStatus> statuses;
    std::vector<DumpedCall> calls;
};

struct JsonSyntax
{
    static std::string text(const std::string& value) { return '"' + value + '"'; }
    static std::string integer(std::int64_t value) { return std::to_string(value); }
    static std::string boolean(bool value) { return value ? "true" : "false"; }
    static std::string none() { return "null"; }
    static std::string key(std::int64_t number) { return text(std::to_string(number)); }
    static std::string counter(std::int64_t value) { return text(std::to_string(value)); }
    static std::string list(const std::vector<std::string>& items) { return '[' + joined(items, ", ") + ']'; }
    static std::string tuple(const std::vector<std::string>& items) { return list(items); }
    static std::string dict(const std::vector<std::pair<std::string, std::string>>& items)
    {
        std::vector<std::string> members;
        for (const auto& [key, value] : items)
            members.push_back(key + ": " + value);
        return '{' + joined(members, ", ") + '}';
    }
    static std::string file(const std::string& value) { return value; }

private:
    static std::string joined(const std::vector<std::string>& items, const char* separator)
    {
        std::string all;
        for (const std::string& item : items)
            all += (all.empty() ? "" : separator) + item;
        return all;
    }
};

struct PickleSyntax
{
    static std::string text(const std::string& value) { return py::text(value); }
    static std::string integer(std::int64_t value) { return py::integer(value); }
    static std::string boolean(bool value) { return py::boolean(value); }
    static std::string none() { return "N"; }
    static std::string key(std::int64_t number) { return py::integer(number); }
    static std::string counter(std::int64_t value) { return py::integer(value); }
    static std::string list(const std::vector<std::string>& items) { return py::list(items); }
    static std::string tuple(const std::vector<std::string>& items) { return py::tuple(items); }
    static std::string dict(const std::vector<std::pair<std::string, std::string>>& items)
    {
        std::string all = "}(";
        for (const auto& [key, value] : items)
            all += key + value;
        return all + 'u';
    }
    static std::string file(const std::string& value) { return py::pickle(value); }
};

template<typename Syntax>
class FlightWriter
{
public:
    explicit FlightWriter(const FlightText& dump)
        : m_dump(dump)
    { }

    std::string file() const
    {
        Members all{{text("version"), text(version())}};
        if (isFrom(2, 5))
            all.emplace_back(text(isFrom(2, 10) ? "comm_lib_version" : "nccl_version"), text("2.27.5"));
        if (isFrom(1, 4))
            all.emplace_back(text("pg_config"), groups());
        if (isFrom(2, 3))
            all.emplace_back(text("pg_status"), statuses());
        std::vector<std::string> entries;
        for (const DumpedCall& call : m_dump.calls)
            entries.push_back(entry(call));
        all.emplace_back(text("entries"), Syntax::list(entries));
        return Syntax::file(Syntax::dict(all));
    }

private:
    using Members = std::vector<std::pair<std::string, std::string>>;

    static std::string text(const std::string& value) { return Syntax::text(value); }
    bool isFrom(int major, int minor) const { return m_dump.version >= std::pair(major, minor); }
    std::string version() const
    {
        return std::to_string(m_dump.version.first) + "." + std::to_string(m_dump.version.second);
    }

    /// In the order of their names as texts, which is not the one in which they were created.
    std::string groups() const
    {
        Members all;
        std::vector<DumpedGroup> groups = m_dump.groups;
        std::stable_sort(groups.begin(), groups.end(),
                         [](const DumpedGroup& a, const DumpedGroup& b) { return a.name < b.name; });
        for (const DumpedGroup& group : groups) {
            if (!group.isListed)
                continue;
            std::vector<std::string> ranks;
            std::string asText;
            for (const int rank : group.ranks) {
                ranks.push_back(Syntax::integer(rank));
                asText += (asText.empty() ? "" : ", ") + std::to_string(rank);
            }
            if (isFrom(2, 0))
                all.emplace_back(text(group.name),
                                 Syntax::dict({{text("name"), text(group.name)},
                                               {text("desc"), text(group.description)},
                                               {text("ranks"), text('[' + asText + ']')}}));
            else
                all.emplace_back(Syntax::key(group.pgId), Syntax::list(ranks));
        }
        return Syntax::dict(all);
    }

    std::string statuses() const
    {
        Members all;
        for (const DumpedStatus& status : m_dump.statuses)
            all.emplace_back(
                text(std::to_string(status.pgId)),
                Syntax::dict({{text("last_enqueued_collective"), Syntax::counter(status.enqueued)},
                              {text("last_started_collective"), Syntax::counter(status.started)},
                              {text("last_completed_collective"), Syntax::counter(status.completed)}}));
        return Syntax::dict(all);
    }

    std::string entry(const DumpedCall& call) const
    {
        const DumpedGroup& group = m_dump.groups[call.group];
        const bool isBatch = call.operation == "coalesced";
        Members all{{text("pg_id"), Syntax::integer(call.pgId.value_or(group.pgId))},
                    {text("profiling_name"), text("nccl:" + call.operation)},
                    {text("time_created_ns"), nanoseconds(call.createdMs)},
                    {text("time_discovered_started_ns"), nanoseconds(call.startedMs)},
                    {text("time_discovered_completed_ns"), nanoseconds(call.completedMs)},
                    {text("input_sizes"), tensors(call.input, isBatch)},
                    {text("output_sizes"), tensors(call.output, isBatch)},
                    {text("state"), text(call.state)},
                    {text("retired"), Syntax::boolean(call.isRetired)}};
        if (isFrom(1, 4))
            all.emplace_back(text("record_id"), Syntax::integer(call.record));
        if (isFrom(2, 0)) {
            all.emplace_back(text("process_group"),
                             Syntax::tuple({text(group.name), text(group.description)}));
            all.emplace_back(text("collective_seq_id"),
                             Syntax::integer(call.isTransfer ? call.otherNumber : call.number));
            all.emplace_back(text("p2p_seq_id"),
                             Syntax::integer(call.isTransfer ? call.number : call.otherNumber));
        } else {
            all.emplace_back(text("seq_id"), Syntax::integer(call.isTransfer ? 0 : call.number));
        }
        if (isFrom(2, 1)) {
            all.emplace_back(text("input_dtypes"), types(call.type, isBatch));
            all.emplace_back(text("output_dtypes"), types(call.type, isBatch));
        }
        if (isFrom(2, 2))
            all.emplace_back(text("is_p2p"), Syntax::boolean(call.isTransfer));
        if (isFrom(2, 3))
            all.emplace_back(text("timeout_ms"), Syntax::integer(600'000));
        if (call.line > 0)
            all.emplace_back(text("frames"), stack(call.line));
        return Syntax::dict(all);
    }

    static std::string nanoseconds(std::optional<std::int64_t> ms)
    {
        return ms ? Syntax::integer(flightEpochNs + *ms * 1'000'000) : Syntax::none();
    }
    static std::string tensors(const std::vector<std::int64_t>& sizes, bool isBatch)
    {
        std::vector<std::string> all;
        for (const std::int64_t size : sizes)
            all.push_back(Syntax::integer(size));
        return isBatch ? Syntax::list({}) : Syntax::list({Syntax::list(all)});
    }
    static std::string types(const std::string& type, bool isBatch)
    {
        return isBatch ? Syntax::list({}) : Syntax::list({text(type)});
    }
    static std::string frame(const char* name, const char* path, int line)
    {
        return Syntax::dict({{text("name"), text(name)},
                             {text("filename"), text(path)},
                             {text("line"), Syntax::integer(line)}});
    }
    static std::string stack(int line)
    {
        return Syntax::list({frame("all_reduce", "/x/torch/distributed/distributed_c10d.py", 2810),
                             frame("step", "/job/train.py", line), frame("<module>", "/job/main.py", 7)});
    }

    const FlightText& m_dump;
};

inline std::string flightPickle(const FlightText& dump)
{
    return FlightWriter<PickleSyntax>(dump).file();
}
inline std::string flightJson(const FlightText& dump)
{
    return FlightWriter<JsonSyntax>(dump).file();
}

} // namespace collscope
