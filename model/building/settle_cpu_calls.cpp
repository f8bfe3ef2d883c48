// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Determines which events of CPU threads are the collectives of a timeline, and the order in which they were
// called.

#include "model/cpu_calls.h"
#include "model/kernels/collective_traits.h"
#include "model/string_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace collscope {

namespace {

constexpr std::int64_t mostSettledElements = std::int64_t{1} << 48;

/// Gloo implements a reduce-scatter as an all-reduce.
bool canBe(CollectiveWord span, CollectiveWord called)
{
    return span == called || (span == CollectiveWord::AllReduce && called == CollectiveWord::ReduceScatter);
}

/// A CPU event that may be a collective of a timeline.
struct Event
{
    std::size_t track = 0, row = 0;
    TimeRange range;
    std::uint32_t call = 0; ///< index into the calls
    CollectiveWord word = CollectiveWord::Unknown;
    const Event* caller = nullptr; ///< the operator that called a span, if known
};

class Settling
{
public:
    Settling(std::vector<Track>& tracks, std::vector<CollectiveCall>& calls, Timeline& timeline,
             const std::optional<OnlyGroup>& group, StringTable& strings)
        : m_tracks(tracks)
        , m_calls(calls)
        , m_timeline(timeline)
        , m_group(group)
        , m_strings(strings)
        , m_keeps(calls.size(), true)
    { }

    void run()
    {
        for (std::size_t call = 0; call < m_calls.size(); ++call)
            m_keeps[call] = !m_calls[call].order.has_value();
        collect();
        if (!m_hasGpuWork) {
            if (!m_spans.empty())
                takeSpans();
            else if (!m_hasLibraryCalls && !isOfDevices())
                takeOperators();
        }
        dropOthers();
    }

private:
    void collect()
    {
        for (std::size_t t = 0; t < m_tracks.size(); ++t) {
            const SliceColumns& slices = m_tracks[t].slices;
            if (m_tracks[t].kind == TrackKind::GpuStream)
                m_hasGpuWork
                    = m_hasGpuWork || std::any_of(slices.category.begin(), slices.category.end(), isGpuWork);
            if (m_tracks[t].kind != TrackKind::CpuThread || slices.collective.isAllDefault())
                continue;
            std::int64_t spansUntil = std::numeric_limits<std::int64_t>::min();
            for (std::size_t row = 0; row < slices.size(); ++row) {
                const std::uint32_t call = slices.collective[row];
                if (call == SliceColumns::noRow)
                    continue;
                const CpuCallName name = cpuCallOf(m_strings.view(slices.name[row]));
                m_hasLibraryCalls = m_hasLibraryCalls || !m_calls[call].order;
                if (!m_calls[call].order)
                    continue;
                const Event event{t, row, slices.range(row), call, wordOf(name.collective), nullptr};
                if (name.kind == CpuCallName::Kind::Operator) {
                    m_operators.push_back(event);
                } else if (event.range.beginNs >= spansUntil) { // else part of the previous span
                    m_spans.push_back(event);
                    spansUntil = event.range.endNs;
                    if (!m_timeline.backend)
                        m_timeline.backend = m_strings.intern(std::string(name.backend));
                }
            }
        }
        for (std::vector<Event>* events : {&m_operators, &m_spans})
            std::stable_sort(events->begin(), events->end(), [](const Event& a, const Event& b) {
                return a.range.beginNs < b.range.beginNs;
            });
    }

    /// Whether there is evidence that the operators called a GPU library, whose kernels were not recorded.
    bool isOfDevices() const
    {
        if (m_timeline.deviceName
            || (m_timeline.backend && !isCpuBackend(m_strings.view(m_timeline.backend))))
            return true;
        return std::any_of(m_tracks.begin(), m_tracks.end(), [&](const Track& track) {
            return std::any_of(track.slices.name.begin(), track.slices.name.end(), [&](StringId name) {
                const std::string_view text = m_strings.view(name);
                return text.starts_with("nccl:") || text.starts_with("rccl:") || text.starts_with("hccl:");
            });
        });
    }

    /// Assigns each span to the first earlier operator that can have called it and has no span yet. The
    /// threads of a backend take calls from one queue, so their spans start in the order of the calls.
    void findCallers()
    {
        std::array<std::vector<const Event*>, static_cast<std::size_t>(CollectiveWord::Unknown) + 1> waiting;
        std::array<std::size_t, static_cast<std::size_t>(CollectiveWord::Unknown) + 1> next{};
        for (const Event& event : m_operators)
            waiting[static_cast<std::size_t>(event.word)].push_back(&event);
        for (Event& span : m_spans) {
            for (std::size_t word = 0; word < waiting.size(); ++word) {
                const bool fits = canBe(span.word, static_cast<CollectiveWord>(word))
                    && next[word] < waiting[word].size();
                const Event* const first = fits ? waiting[word][next[word]] : nullptr;
                if (first && first->range.beginNs <= span.range.beginNs
                    && (!span.caller || first->range.beginNs < span.caller->range.beginNs))
                    span.caller = first;
            }
            if (span.caller)
                ++next[static_cast<std::size_t>(span.caller->word)];
        }
    }

    void takeSpans()
    {
        findCallers();
        std::vector<const Event*> inOrder;
        for (const Event& span : m_spans)
            inOrder.push_back(&span);
        const auto calledNs = [](const Event* span) {
            return span->caller ? span->caller->range.beginNs : span->range.beginNs;
        };
        std::stable_sort(inOrder.begin(), inOrder.end(),
                         [&](const Event* a, const Event* b) { return calledNs(a) < calledNs(b); });
        for (const Event* span : inOrder)
            take(*span, span->caller ? *span->caller : *span);
    }

    void takeOperators()
    {
        for (const Event& event : m_operators)
            take(event, event);
    }

    /// `called`: the operator, if known. It states the requested collective.
    void take(const Event& event, const Event& called)
    {
        CollectiveCall& call = m_calls[event.call];
        const CollectiveCall asked = m_calls[called.call];
        m_keeps[event.call] = true;
        call.order = m_taken++;
        call.name = asked.name;
        call.kind = classOfWord(called.word);
        if (!call.elementType)
            call.elementType = asked.elementType;
        call.inElements = asked.inElements ? asked.inElements : call.inElements;
        call.outElements = &called == &event ? call.outElements : asked.outElements;
        // Only the root has the parts of all ranks. The size that every rank knows is that of its own part.
        if (called.word == CollectiveWord::Scatter) {
            call.inElements = call.outElements;
            call.elementType = {}; // only the root records it, too
        }
        if (called.word == CollectiveWord::Gather)
            call.outElements = call.inElements;
        if (m_group)
            nameGroup(call, asked);
        completeSizes(call);
        SliceColumns& slices = m_tracks[event.track].slices;
        slices.kernelClass.set(event.row, call.kind);
    }

    void nameGroup(CollectiveCall& call, const CollectiveCall& asked) const
    {
        call.group = m_group->name;
        call.groupDescription = m_group->description;
        call.groupRanks = m_group->ranks;
        if (m_group->size > 0)
            call.groupSize = m_group->size;
        const auto rankOf = [&](std::optional<std::int64_t> place) {
            const bool isKnown
                = place && *place >= 0 && static_cast<std::size_t>(*place) < m_group->rankList.size();
            return isKnown ? std::optional<std::int64_t>(m_group->rankList[static_cast<std::size_t>(*place)])
                           : std::nullopt;
        };
        call.sourceRank = rankOf(asked.sourceRank);
        call.destinationRank = rankOf(asked.destinationRank);
    }

    /// Derives received sizes from sent sizes, and vice versa.
    static void completeSizes(CollectiveCall& call)
    {
        const std::int64_t ranks = call.groupSize.value_or(0);
        std::optional<std::int64_t>& in = call.inElements;
        std::optional<std::int64_t>& out = call.outElements;
        const CollectiveTraits* const traits = collectiveTraits(call.kind);
        switch (traits ? traits->sizeRule : SizeRule::Same) {
        case SizeRule::Gathers:
            if (!out && in && ranks > 0 && *in <= mostSettledElements / ranks)
                out = *in * ranks;
            break;
        case SizeRule::Scatters:
            if (!out && in && ranks > 0 && *in % ranks == 0)
                out = *in / ranks;
            else if (!in && out && ranks > 0 && *out <= mostSettledElements / ranks)
                in = *out * ranks;
            break;
        case SizeRule::Unknown:
            break; // a gather or scatter: the size differs on the root
        case SizeRule::Same:
            if (!out)
                out = in;
            else if (!in)
                in = out;
        }
    }

    void dropOthers()
    {
        std::vector<std::uint32_t> place(m_calls.size(), SliceColumns::noRow);
        std::uint32_t kept = 0;
        for (std::size_t call = 0; call < m_calls.size(); ++call) {
            if (!m_keeps[call])
                continue;
            place[call] = kept;
            if (kept != call)
                m_calls[kept] = m_calls[call];
            ++kept;
        }
        if (kept == m_calls.size())
            return;
        m_calls.resize(kept);
        for (Track& track : m_tracks) {
            for (std::size_t row = 0; !track.slices.collective.isAllDefault() && row < track.slices.size();
                 ++row) {
                const std::uint32_t call = track.slices.collective[row];
                if (call != SliceColumns::noRow)
                    track.slices.collective.set(row, place[call]);
            }
        }
    }

    std::vector<Track>& m_tracks;
    std::vector<CollectiveCall>& m_calls;
    Timeline& m_timeline;
    const std::optional<OnlyGroup>& m_group;
    StringTable& m_strings;
    std::vector<bool> m_keeps; ///< by call
    std::vector<Event> m_spans, m_operators;
    std::int64_t m_taken = 0;
    bool m_hasGpuWork = false;
    bool m_hasLibraryCalls = false; ///< record_param_comms: calls of a GPU library
};

} // namespace

void settleCpuCalls(std::vector<Track>& tracks, std::vector<CollectiveCall>& calls, Timeline& timeline,
                    const std::optional<OnlyGroup>& group, StringTable& strings)
{
    const bool hasAny = std::any_of(calls.begin(), calls.end(),
                                    [](const CollectiveCall& call) { return call.order.has_value(); });
    if (hasAny)
        Settling(tracks, calls, timeline, group, strings).run();
}

} // namespace collscope
