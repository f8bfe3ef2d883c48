// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a trace event means: phases and categories -> slices, instants and flows of a FragmentBuilder. No JSON
// here.

#include "model/fragment.h"
#include "model/readers/args_steps.h"
#include "model/readers/async_slices.h"
#include "model/readers/kineto_args.h"
#include "model/readers/merged_ranks.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace collscope {

/// The fields of one event as text of the file. Views are valid while the event's text is.
struct RawEvent
{
    RawEvent() = default;
    RawEvent(const RawEvent&) = delete; ///< setArgs points into args
    RawEvent& operator=(const RawEvent&) = delete;

    char phase = 0;
    std::string_view name, category, ts, dur, pid, tid, id;
    KinetoArgs args;
    std::string_view argsJson; ///< the whole args object of a counter or metadata event
    std::vector<std::string_view*> setArgs; ///< the fields of args that the event has
    bool repeatsKey = false; ///< it says a key twice; the last one counts

    void clear()
    {
        phase = 0;
        repeatsKey = false;
        name = category = ts = dur = pid = tid = id = argsJson = {};
        for (std::string_view* field : setArgs)
            *field = {};
        setArgs.clear();
    }
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
    /// Takes over what is open in the sink of the text behind this one's; `tracks` and `names` are its
    /// indices and ids here.
    void takeFrom(KinetoEventSink& later, const std::vector<std::uint32_t>& tracks,
                  const std::vector<StringId>& names);
    /// An end event without a begin event before it waits for takeFrom(): the begin may be in the text
    /// before.
    void setIsPart() { m_isPart = true; }

    /// The time of a ts; nullopt, and the event excluded, if it is none or outside any plausible range.
    std::optional<std::int64_t> timeOf(std::string_view ts, std::uint64_t offset);
    /// The length of a complete event, 0 where none can be read; nullopt, and the event excluded, if it is
    /// absurd or below 0.
    std::optional<std::int64_t> durationOf(std::string_view dur, std::uint64_t offset);
    void countShown() { ++m_fragment.source.shown; }
    void exclude(std::string_view code, std::uint64_t offset, std::string_view explanation,
                 std::uint64_t events = 1);
    void notice(std::string_view code, std::uint64_t offset, std::string_view explanation);

    std::optional<std::int64_t> firstStartNs;
    std::optional<std::int32_t> collectiveRank;
    RankOfPid rankOfPid; ///< that events of a merged file say
    ArgsSteps steps; ///< that events say in their args

private:
    /// A slice with what its args say, before it is in the builder.
    struct Described
    {
        SliceRow row;
        std::uint32_t track = 0;
        std::optional<KernelDetail> detail;
        std::optional<CollectiveCall> call;
    };
    struct LastTrack
    {
        std::string pid, tid;
        std::uint32_t index = Id<void>::noneValue;
    };

    void excludeAbsurd(std::uint64_t offset);
    void commitComplete(const RawEvent& event, std::uint64_t offset);
    void commitBegin(const RawEvent& event, std::uint64_t offset);
    void commitEnd(const RawEvent& event, std::uint64_t offset);
    void commitAsync(const RawEvent& event, std::uint64_t offset);
    void commitFlow(const RawEvent& event, std::int64_t timeNs);
    /// What a GPU holds, by a "[memory]" event.
    void addMemory(const RawEvent& event, std::int64_t timeNs);
    /// False, and the event excluded, if it has no sound time.
    bool describe(const RawEvent& event, std::uint64_t offset, Described& slice);
    void addSlice(const Described& slice);
    /// The rank of a process, by a text that says it; the first one counts.
    void noteRank(std::string_view pid, std::string_view rankText);
    std::uint32_t trackOf(const RawEvent& event, TrackKind kind);
    /// Key of m_open. An end event need not repeat the category, so it cannot be matched by track.
    std::uint64_t threadOf(const RawEvent& event);
    void endSlice(std::uint64_t thread, std::int64_t timeNs, std::uint64_t offset);
    KernelClass kernelClassOf(StringId name);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    std::vector<std::int8_t> m_kernelClassOf; ///< by string id, -1 = not asked yet
    std::unordered_map<std::uint64_t, std::vector<Described>> m_open; ///< B events by pid and tid
    /// The last flow end of a phase: they come in runs, too.
    struct LastFlow
    {
        std::string pid, tid, category;
        std::uint32_t place = Id<void>::noneValue;
    };
    struct LooseEnd
    {
        std::uint64_t thread;
        std::int64_t timeNs;
        std::uint64_t offset;
    };
    AsyncSlices m_async;
    std::vector<LooseEnd> m_looseEnds; ///< E events of a part whose begin lies before it
    bool m_isPart = false;
    Described m_described; ///< of the event at hand; a member because it is large and most of it stays unset
    LastFlow m_lastFlow[3]; ///< by phase
    struct MemoryCounters
    {
        std::int64_t device = -1;
        std::uint32_t allocated = 0, reserved = 0;
    };
    MemoryCounters m_lastMemory; ///< of the GPU that the last such event was about
    LastTrack m_last[3]; ///< by kind: events of one thread come in runs
};

} // namespace collscope
