// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pairs nestable async events (ph b and e) of Chrome trace files. They are matched by category, id and name,
// not by thread, and may overlap. NCCL's example profiler writes only such events.

#include "model/building/fragment.h"
#include "model/readers/kineto/kineto_args.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Keeps async events until the end of the file, because an event's start and end may be in different parts
/// of it.
class AsyncSlices
{
public:
    struct Event
    {
        std::string_view category, name, pid, id;
        bool isBegin = true;
        std::int64_t timeNs = 0;
        std::uint64_t offset = 0;
    };
    void add(const Event& event, const KinetoArgs& args, StringTable& strings);
    /// Moves in the events of the text that follows; names[i] is this table's id for string i of `later`.
    void takeFrom(AsyncSlices& later, const std::vector<StringId>& names);

    /// Callbacks that count the events shown and excluded.
    struct Ledger
    {
        std::function<void(std::uint64_t events)> show;
        std::function<void(std::string_view code, std::uint64_t offset, std::string_view explanation,
                           std::uint64_t events)>
            exclude;
        std::function<void(std::string_view code, std::uint64_t offset, std::string_view explanation)> notice;
        std::function<void(std::int64_t startNs)> start; ///< called for each slice that was added
    };
    /// Adds the slices to the builder, ordered by the position of their end events in the file.
    void finish(FragmentBuilder& builder, StringTable& strings, const Ledger& ledger);

private:
    /// What NCCL's profiler records about a call.
    struct NcclCall
    {
        std::uint64_t communicator = 0;
        std::optional<std::int64_t> rank, peer, count, sequence;
        StringId elementType;
    };
    struct Stored
    {
        std::uint64_t key = 0; ///< hash of category, id, process and name
        std::uint64_t task = 0; ///< hash of id and process; the channels of a call share the call's id
        std::int64_t timeNs = 0;
        std::uint64_t offset = 0;
        StringId category, name, pid;
        bool isBegin = true;
        std::uint32_t call = Id<void>::noneValue; ///< index into m_calls
        std::int32_t channel = -1;
    };
    struct Pair
    {
        const Stored* begin = nullptr;
        TimeRange times;
        std::optional<TimeRange> onGpu; ///< of its channels
    };
    class Pairing;

    std::vector<Stored> m_events;
    std::vector<NcclCall> m_calls;
};

} // namespace collscope
