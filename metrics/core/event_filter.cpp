// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/event_filter.h"

#include "metrics/core/step_rows.h"
#include "model/interval_set.h"
#include "model/kernels/collective_traits.h"
#include "model/queries/slice_query.h"
#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t patternLimit = 200;
/// The time of a match grows faster than the length of the name; the distinctive part of a name comes first.
constexpr std::size_t nameLimit = 1000;

constexpr std::uint32_t bit(KernelClass c)
{
    return 1u << static_cast<unsigned>(c);
}

constexpr std::uint32_t bit(SliceCategory c)
{
    return 1u << static_cast<unsigned>(c);
}

constexpr std::uint32_t kernelsThat(bool (*is)(KernelClass))
{
    std::uint32_t bits = 0;
    for (int c = 0; c < kernelClassCount; ++c)
        bits |= is(static_cast<KernelClass>(c)) ? 1u << c : 0u;
    return bits;
}

constexpr std::uint32_t communicationBits = kernelsThat(isCommunication);
constexpr std::uint32_t computeBits = kernelsThat(isCompute);
constexpr std::uint32_t copyBits = bit(KernelClass::Copy) | bit(KernelClass::Memset);

/// Words for the class of an event, in the order in which they are listed.
const std::vector<EventClass>& classTable()
{
    static const std::vector<EventClass> table = [] {
        std::vector<EventClass> all{
            {"communication", communicationBits},        {"compute", computeBits},
            {"kernel", communicationBits | computeBits}, {"copy", bit(KernelClass::Copy)},
            {"memset", bit(KernelClass::Memset)},        {"gpu", communicationBits | computeBits | copyBits}};
        for (const CollectiveTraits& type : allCollectiveTraits()) {
            if (type.kernelClass != KernelClass::OtherCommunication)
                all.push_back({type.word, bit(type.kernelClass)});
        }
        all.insert(all.end(),
                   {{"gemm", bit(KernelClass::Gemm)},
                    {"attention", bit(KernelClass::Attention)},
                    {"elementwise", bit(KernelClass::Elementwise)},
                    {"norm", bit(KernelClass::Norm)},
                    {"optimizer", bit(KernelClass::Optimizer)},
                    {"cpu_op", 0, bit(SliceCategory::CpuOp)},
                    {"runtime", 0, bit(SliceCategory::Runtime)},
                    {"annotation", 0, bit(SliceCategory::UserAnnotation) | bit(SliceCategory::Nvtx)},
                    {"python", 0, bit(SliceCategory::Python)}});
        return all;
    }();
    return table;
}

/// A predicate on texts, evaluated once per distinct text.
template<typename Test>
class TextTest
{
public:
    TextTest(const TraceModel& model, Test test)
        : m_model(model)
        , m_test(std::move(test))
        , m_known(model.strings.size(), Unknown)
    { }
    bool operator()(StringId id)
    {
        if (!id)
            return false;
        Answer& answer = m_known[id.value];
        if (answer == Unknown)
            answer = m_test(m_model.text(id)) ? Yes : No;
        return answer == Yes;
    }

private:
    enum Answer : std::uint8_t
    {
        Unknown,
        No,
        Yes
    };
    const TraceModel& m_model;
    Test m_test;
    std::vector<Answer> m_known;
};

/// Decides which events of one model match.
class EventMatcher
{
public:
    EventMatcher(const TraceModel& model, const EventFilter& filter)
        : m_model(model)
        , m_filter(filter)
        , m_name(model, NameTest{&filter})
        , m_group(model, GroupTest{lowered(filter.group)})
    {
        for (const EventClass& c : filter.classes) {
            m_kernelClasses |= c.kernelClasses;
            m_categories |= c.categories;
        }
    }

    bool looksAt(const Track& track) const
    {
        if (track.kind == TrackKind::GpuStream)
            return m_kernelClasses != 0
                && (m_filter.streams.empty()
                    || std::find(m_filter.streams.begin(), m_filter.streams.end(), track.stream)
                        != m_filter.streams.end());
        return track.kind == TrackKind::CpuThread && m_categories != 0 && m_filter.streams.empty();
    }
    bool counts(const Timeline& timeline, const Track& track, std::size_t row)
    {
        const SliceColumns& slices = track.slices;
        if (track.kind == TrackKind::GpuStream ? (m_kernelClasses & bit(gpuClass(slices, row))) == 0
                                               : (m_categories & bit(slices.category[row])) == 0)
            return false;
        if (!m_filter.group.empty()) {
            const std::uint32_t collective = slices.collective[row];
            if (collective == SliceColumns::noRow)
                return false;
            const CollectiveCall& call = timeline.collectives[collective];
            if (!m_group(call.group) && !m_group(call.groupDescription))
                return false;
        }
        return !m_filter.nameRegex || m_name(slices.name[row]);
    }
    std::optional<std::int64_t> bytes(const Timeline& timeline, const SliceColumns& slices,
                                      std::size_t row) const
    {
        if (const std::uint32_t collective = slices.collective[row]; collective != SliceColumns::noRow) {
            const CollectiveCall& call = timeline.collectives[collective];
            const auto size = messageBytes(call, m_model.text(call.elementType));
            return size ? std::optional(static_cast<std::int64_t>(*size)) : std::nullopt;
        }
        const std::uint32_t detail = slices.detail[row];
        const bool sized = detail != SliceColumns::noRow && timeline.kernelDetails[detail].bytes >= 0;
        return sized ? std::optional(timeline.kernelDetails[detail].bytes) : std::nullopt;
    }

private:
    struct NameTest
    {
        const EventFilter* filter;
        bool operator()(std::string_view name) const { return filter->countsName(name); }
    };
    struct GroupTest
    {
        std::string part;
        bool operator()(std::string_view group) const
        {
            return lowered(group).find(part) != std::string::npos;
        }
    };
    /// GPU work without a named class counts as compute, as in all metrics (activeKindOf).
    static KernelClass gpuClass(const SliceColumns& slices, std::size_t row)
    {
        switch (slices.category[row]) {
        case SliceCategory::Kernel:
            return isKernel(slices.kernelClass[row]) ? slices.kernelClass[row] : KernelClass::OtherCompute;
        case SliceCategory::Memcpy:
            return isCommunication(slices.kernelClass[row]) ? slices.kernelClass[row] : KernelClass::Copy;
        case SliceCategory::Memset:
            return KernelClass::Memset;
        default:
            return KernelClass::None;
        }
    }

    const TraceModel& m_model;
    const EventFilter& m_filter;
    TextTest<NameTest> m_name;
    TextTest<GroupTest> m_group;
    std::uint32_t m_kernelClasses = 0, m_categories = 0;
};

/// Sums the events of one window.
class WindowSums
{
public:
    WindowSums(const TraceModel& model, EventMatcher& matcher, const MetricOptions& options)
        : m_model(model)
        , m_matcher(matcher)
        , m_options(options)
    { }

    EventSums measure(const RankWindows::Part& part, const StepRows& rows, std::size_t step,
                      std::vector<SliceRef>* evidence)
    {
        m_sums = {};
        m_busy.clear();
        for (const TrackId id : part.timeline->tracks) {
            const Track& track = m_model.track(id);
            if (!m_matcher.looksAt(track))
                continue;
            const bool onGpu = track.kind == TrackKind::GpuStream;
            const bool whole = onGpu && m_options.attribution == MetricOptions::Attribution::Launch;
            const TimeRange window = onGpu ? rows.window(step) : part.steps[step].range;
            m_trackBegin = m_busy.size();
            forEachOverlapping(track.slices, window, [&](std::size_t row) {
                if ((++m_turns & 0xFFFFu) == 0 && m_options.cancelled())
                    m_stopped = true;
                if (m_stopped || (whole && !rows.belongs(id, row, step))
                    || !m_matcher.counts(*part.timeline, track, row))
                    return;
                add(*part.timeline, track.slices, row, window, whole);
                if (evidence)
                    evidence->push_back({id, static_cast<std::uint32_t>(row)});
            });
        }
        m_sums.unionNs = IntervalSet(std::exchange(m_busy, {})).lengthNs();
        return m_sums;
    }

private:
    void add(const Timeline& timeline, const SliceColumns& slices, std::size_t row, TimeRange window,
             bool whole)
    {
        const TimeRange clipped = slices.range(row).intersected(window);
        ++m_sums.overlapping;
        m_sums.sumNs += clipped.lengthNs();
        // Slices of a track are sorted by start: a slice that touches the last interval of the track extends
        // it.
        if (m_busy.size() > m_trackBegin && clipped.beginNs <= m_busy.back().endNs)
            m_busy.back().endNs = std::max(m_busy.back().endNs, clipped.endNs);
        else if (!clipped.isEmpty())
            m_busy.push_back(clipped);
        if (!whole && !window.contains(slices.startNs[row]))
            return;
        ++m_sums.count;
        if (const auto size = m_matcher.bytes(timeline, slices, row))
            m_sums.bytes += *size;
        else
            ++m_sums.unsized;
    }

    const TraceModel& m_model;
    EventMatcher& m_matcher;
    const MetricOptions& m_options;
    EventSums m_sums;
    std::vector<TimeRange> m_busy; ///< disjoint and sorted per track
    std::size_t m_trackBegin = 0; ///< first of the current track in m_busy
    std::uint32_t m_turns = 0;
    bool m_stopped = false;
};

std::string numbersText(const char* label, const std::vector<std::int32_t>& numbers)
{
    std::string text;
    for (const std::int32_t number : numbers)
        text += (text.empty() ? std::string(", ") + label : std::string()) + " " + std::to_string(number);
    return text;
}

} // namespace

std::span<const EventClass> eventClasses()
{
    return classTable();
}

bool EventFilter::countsRank(std::int32_t rank) const
{
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

bool EventFilter::readsOperators() const
{
    return std::any_of(classes.begin(), classes.end(), [](const EventClass& own) {
        return (own.categories & (bit(SliceCategory::CpuOp) | bit(SliceCategory::Python))) != 0;
    });
}

bool EventFilter::canHaveBytes() const
{
    return std::all_of(classes.begin(), classes.end(), [](const EventClass& c) {
        return c.categories == 0 && (c.kernelClasses & ~(communicationBits | copyBits)) == 0;
    });
}

bool EventFilter::countsName(std::string_view name) const
{
    name = name.substr(0, nameLimit);
    return !nameRegex || std::regex_search(name.begin(), name.end(), *nameRegex);
}

std::string EventFilter::text() const
{
    std::string text;
    for (const EventClass& c : classes)
        text += (text.empty() ? "" : " or ") + std::string(c.word);
    if (nameRegex)
        text += ", name ~ /" + name + "/";
    if (!group.empty())
        text += ", group " + group;
    return text + numbersText("ranks", ranks) + numbersText("streams", streams);
}

std::string setNamePattern(EventFilter& filter, const std::string& pattern)
{
    if (pattern.empty())
        return "is empty; omit it to count every name";
    if (pattern.size() > patternLimit)
        return "has " + std::to_string(pattern.size()) + " characters; the limit is "
            + std::to_string(patternLimit);
    // A search finds the same matches without ".*" at the ends of the pattern, and faster.
    std::string core = pattern;
    while (core.starts_with(".*") && !core.starts_with(".*?"))
        core.erase(0, 2);
    while (core.ends_with(".*") && !core.ends_with("\\.*"))
        core.erase(core.size() - 2);
    auto flags = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;
#ifdef __GLIBCXX__
    // Without backtracking, time stays polynomial and the stack small for any pattern.
    flags |= std::regex_constants::__polynomial;
#endif
    try {
        filter.nameRegex = std::make_shared<const std::regex>(core, flags);
    } catch (const std::regex_error& error) {
        if (error.code() == std::regex_constants::error_complexity)
            return "has a back-reference (\\1), which is not supported";
        return std::string("is not a valid regular expression: ") + error.what();
    }
    filter.name = pattern;
    return {};
}

EventSums& EventSums::operator+=(const EventSums& other)
{
    unionNs += other.unionNs;
    sumNs += other.sumNs;
    bytes += other.bytes;
    count += other.count;
    unsized += other.unsized;
    overlapping += other.overlapping;
    return *this;
}

std::vector<RankEvents> measureEvents(const TraceModel& model, const Selection& selection,
                                      const EventFilter& filter, const MetricOptions& options,
                                      std::vector<SliceRef>* evidence)
{
    EventMatcher matcher(model, filter);
    WindowSums sums(model, matcher, options);
    std::vector<RankEvents> table;
    for (const RankWindows& windows : selection.ranks) {
        if (!filter.countsRank(windows.rank))
            continue;
        RankEvents& rank = table.emplace_back();
        rank.rank = windows.rank;
        for (const RankWindows::Part& part : windows.parts) {
            const StepRows rows(model, *part.timeline, part.steps, options.attribution);
            for (std::size_t step = 0; step < part.steps.size(); ++step) {
                if (options.cancelled())
                    return table;
                rank.steps.push_back(sums.measure(part, rows, step, evidence));
                rank.total += rank.steps.back();
            }
        }
    }
    return table;
}

} // namespace collscope
