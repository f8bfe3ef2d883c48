// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a trace event means: phases and categories -> slices, instants and flows of a FragmentBuilder. No JSON
// here.

#include "model/fragment.h"
#include "model/readers/kineto_args.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace collscope {

/// The fields of one event as text of the file. Views are valid while the event's text is.
struct RawEvent
{
    char phase = 0;
    std::string_view name, category, ts, dur, pid, tid, id;
    KinetoArgs args;
};

/// Takes events one by one and counts what becomes of each: shown, or excluded under a diagnostic.
class KinetoEventSink
{
public:
    KinetoEventSink(TraceFragment& fragment, FragmentBuilder& builder)
        : m_fragment(fragment)
        , m_builder(builder)
    { }

    /// Any event but counters (C) and metadata (M), whose args have names of their own.
    void commit(const RawEvent& event, std::uint64_t offset);
    /// One value of a counter event.
    void addCounter(std::string_view name, std::int64_t timeNs, double value);
    /// Accounts for begin events that never ended.
    void finish();

    void countShown() { ++m_fragment.source.shown; }
    void exclude(std::string_view code, std::uint64_t offset, std::string_view explanation,
                 std::uint64_t events = 1);
    void notice(std::string_view code, std::uint64_t offset, std::string_view explanation);

    std::optional<std::int64_t> firstStartNs;
    std::optional<std::int32_t> collectiveRank;

private:
    struct OpenSlice
    {
        SliceRow row;
        std::uint32_t track;
    };
    struct LastTrack
    {
        std::string pid, tid;
        std::uint32_t index = Id<void>::noneValue;
    };

    void commitComplete(const RawEvent& event, std::uint64_t offset);
    void commitBegin(const RawEvent& event, std::uint64_t offset);
    void commitEnd(const RawEvent& event, std::uint64_t offset);
    void commitFlow(const RawEvent& event, std::int64_t timeNs);
    bool makeRow(const RawEvent& event, std::uint64_t offset, SliceRow& row);
    void addSlice(const RawEvent& event, const SliceRow& row);
    std::uint32_t trackOf(const RawEvent& event, TrackKind kind);
    KernelClass kernelClassOf(StringId name);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    std::vector<std::int8_t> m_kernelClassOf; ///< by string id, -1 = not asked yet
    std::unordered_map<std::uint32_t, std::vector<OpenSlice>> m_open; ///< B events by track
    LastTrack m_last[3]; ///< by kind: events of one thread come in runs
};

} // namespace collscope
