// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Interprets trace events: phases and categories -> slices, instants and flows of a FragmentBuilder. Does not
// parse JSON.

#include "model/building/fragment.h"
#include "model/readers/kineto/args_steps.h"
#include "model/readers/kineto/async_slices.h"
#include "model/readers/kineto/kineto_args.h"
#include "model/readers/xla/merged_ranks.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace collscope {

/// The fields of one event as text of the file. Views are valid as long as the event's text.
struct RawEvent
{
    RawEvent() = default;
    RawEvent(const RawEvent&) = delete; ///< setArgs points into args
    RawEvent& operator=(const RawEvent&) = delete;

    char phase = 0;
    std::string_view name, category, ts, dur, pid, tid, id;
    KinetoArgs args;
    std::string_view argsJson; ///< the complete args object of a counter or metadata event
    std::vector<std::string_view*> setArgs; ///< the fields of args that the event has
    bool repeatsKey = false; ///< a key occurs twice; the last one counts

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

/// Receives events one by one and counts each as shown, or as excluded under a diagnostic.
class KinetoEventSink
{
public:
    KinetoEventSink(TraceFragment& fragment, FragmentBuilder& builder)
        : m_fragment(fragment)
        , m_builder(builder)
    { }

    /// Adds any event except counters (C) and metadata (M), whose arg names are arbitrary.
    void commit(const RawEvent& event, std::uint64_t offset);
    /// Adds one value of a counter event.
    void addCounter(std::string_view name, std::int64_t timeNs, double value);
    /// Accounts for begin events that never ended.
    void finish();
    /// Moves in the open events of the sink for the text that follows; `tracks` and `names` translate its
    /// indices and ids.
    void takeFrom(KinetoEventSink& later, const std::vector<std::uint32_t>& tracks,
                  const std::vector<StringId>& names);
    /// Makes an end event without a preceding begin event wait for takeFrom(): the begin event may be in the
    /// text before.
    void setIsPart() { m_isPart = true; }

    /// Parses a ts. Returns nullopt and excludes the event if it is not a time or outside any plausible
    /// range.
    std::optional<std::int64_t> timeOf(std::string_view ts, std::uint64_t offset);
    /// Parses the length of a complete event; 0 if it cannot be read. Returns nullopt and excludes the event
    /// if it is absurd or negative.
    std::optional<std::int64_t> durationOf(std::string_view dur, std::uint64_t offset);
    void countShown() { ++m_fragment.source.shown; }
    void exclude(std::string_view code, std::uint64_t offset, std::string_view explanation,
                 std::uint64_t events = 1);
    void notice(std::string_view code, std::uint64_t offset, std::string_view explanation);

    std::optional<std::int64_t> firstStartNs;
    std::optional<std::int32_t> collectiveRank;
    RankOfPid rankOfPid; ///< stated by events of a merged file
    ArgsSteps steps; ///< stated in the args of events

private:
    /// A slice with the details from its args, before it is added to the builder.
    struct Described
    {
        SliceRow row;
        std::uint32_t track = 0;
        std::optional<KernelDetail> detail;
        std::optional<CollectiveCall> call;
        std::optional<SyncDetail> sync;
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
    /// Adds the memory in use on a GPU, from a "[memory]" event.
    void addMemory(const RawEvent& event, std::int64_t timeNs);
    /// Returns false and excludes the event if its time is invalid.
    bool describe(const RawEvent& event, std::uint64_t offset, Described& slice);
    void addSlice(const Described& slice);
    /// Records the rank of a process from the text that states it; the first one counts.
    void noteRank(std::string_view pid, std::string_view rankText);
    std::uint32_t trackOf(const RawEvent& event, TrackKind kind);
    /// Key of m_open. An end event need not repeat the category, so it cannot be matched by track.
    std::uint64_t threadOf(const RawEvent& event);
    void endSlice(std::uint64_t thread, std::int64_t timeNs, std::uint64_t offset);
    KernelClass kernelClassOf(StringId name);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    std::vector<std::int8_t> m_kernelClassOf; ///< by string id; -1 = not yet determined
    std::unordered_map<std::uint64_t, std::vector<Described>> m_open; ///< B events by pid and tid
    /// The last flow end of a phase; consecutive flow ends often share these fields.
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
    std::vector<LooseEnd> m_looseEnds; ///< E events of a part whose B event is before the part
    bool m_isPart = false;
    Described m_described; ///< of the current event; a member because it is large and most of it stays unset
    LastFlow m_lastFlow[3]; ///< by phase
    struct MemoryCounters
    {
        std::int64_t device = -1;
        std::uint32_t allocated = 0, reserved = 0;
    };
    MemoryCounters m_lastMemory; ///< of the GPU of the last "[memory]" event
    LastTrack m_last[3]; ///< by kind; consecutive events often belong to the same thread
};

} // namespace collscope
