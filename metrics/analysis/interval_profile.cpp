// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/interval_profile.h"

#include "metrics/core/statistics.h"
#include "model/cpu_calls.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <unordered_map>

namespace collscope {

namespace {

constexpr std::size_t mostGaps = 256;
constexpr std::int32_t copyFromHost = 1; ///< CUPTI's copyKind

struct Item
{
    TimeRange range; ///< clipped
    SliceRef slice;
    StringId name;
    bool startsInside = false;
};

double blocksOf(const KernelDetail* detail)
{
    if (!detail)
        return 0;
    double blocks = 1;
    for (const std::uint32_t size : detail->grid)
        blocks *= size;
    return blocks;
}

bool isFromHost(std::string_view name, const KernelDetail* detail)
{
    return (detail && detail->copyKind == copyFromHost) || name.find("HtoD") != std::string_view::npos;
}

class Profiler
{
public:
    Profiler(const TraceModel& model, const Timeline& timeline, TimeRange range, SliceRef ending,
             std::int64_t namesUntilNs)
        : m_model(model)
        , m_ending(ending)
        , m_named{range.beginNs, std::max(range.endNs, namesUntilNs)}
    {
        m_profile.range = range;
        m_ownStream = ending ? model.track(ending.track).stream : -1;
        m_profile.onCpu = std::any_of(timeline.collectives.begin(), timeline.collectives.end(),
                                      [](const CollectiveCall& call) { return call.isOfCpu(); });
        for (const TrackId id : timeline.tracks) {
            const Track& track = model.track(id);
            if (m_profile.onCpu && track.kind == TrackKind::CpuThread)
                addThread(id, track);
            else if (track.kind == TrackKind::GpuStream)
                forEachOverlapping(track.slices, m_named, [&](std::size_t row) { add(id, track, row); });
        }
    }

    IntervalProfile finish()
    {
        const IntervalSet own(std::move(m_own));
        const IntervalSet compute(std::move(m_compute));
        const IntervalSet communication(std::move(m_communication));
        const IntervalSet copies(std::move(m_copies));
        m_profile.covering = own.united(compute);
        const IntervalSet kernels = m_profile.covering.united(communication);
        const IntervalSet busy = kernels.united(copies);
        m_profile.ownStreamNs = own.lengthNs();
        m_profile.computeNs = m_profile.covering.lengthNs() - own.lengthNs();
        m_profile.communicationNs = kernels.lengthNs() - m_profile.covering.lengthNs();
        m_profile.copyNs = busy.lengthNs() - kernels.lengthNs();
        m_profile.idleNs = m_profile.lengthNs() - busy.lengthNs();
        std::sort(
            m_profile.names.begin(), m_profile.names.end(),
            [](const IntervalProfile::Named& a, const IntervalProfile::Named& b) { return a.name < b.name; });
        findGaps();
        return std::move(m_profile);
    }

private:
    void add(TrackId id, const Track& track, std::size_t row)
    {
        const SliceColumns& slices = track.slices;
        if (isGpuWork(slices.category[row]))
            addPart({id, static_cast<std::uint32_t>(row)}, track, slices.kernelClass[row],
                    slices.category[row] != SliceCategory::Kernel);
    }

    void addPart(SliceRef slice, const Track& track, KernelClass kind, bool isCopy)
    {
        const SliceColumns& slices = track.slices;
        const std::uint32_t row = slice.row;
        const TimeRange whole = slices.range(row);
        const TimeRange part = whole.intersected(m_profile.range);
        const TimeRange named = isCommunication(kind) ? part : whole.intersected(m_named);
        if (named.isEmpty())
            return;
        addName(slice, slices.name[row], kind, isCopy, named, whole.lengthNs());
        if (part.isEmpty())
            return;
        m_items.push_back({part, slice, slices.name[row], whole.beginNs >= m_profile.range.beginNs});
        if (isCopy)
            m_copies.push_back(part);
        else if (!isCommunication(kind))
            m_compute.push_back(part);
        else if (m_ending && !m_profile.onCpu && track.stream == m_ownStream)
            m_own.push_back(part);
        else
            m_communication.push_back(part);
    }

    /// Adds a CPU thread: the collectives of a backend, and the outermost operators, whose time includes that
    /// of the operators inside them.
    void addThread(TrackId id, const Track& track)
    {
        const SliceColumns& slices = track.slices;
        std::int64_t operatorsUntilNs = std::numeric_limits<std::int64_t>::min();
        forEachOverlapping(slices, m_named, [&](std::size_t row) {
            const TimeRange whole = slices.range(row);
            const KernelClass kind = slices.kernelClass[row];
            if (isCommunication(kind)) {
                addPart({id, static_cast<std::uint32_t>(row)}, track, kind, false);
            } else if (slices.category[row] == SliceCategory::CpuOp && whole.beginNs >= operatorsUntilNs
                       && cpuCallOf(m_model.text(slices.name[row])).kind == CpuCallName::Kind::None) {
                operatorsUntilNs = whole.endNs;
                addPart({id, static_cast<std::uint32_t>(row)}, track, KernelClass::OtherCompute, false);
            }
        });
    }

    void addName(SliceRef slice, StringId name, KernelClass kind, bool isCopy, TimeRange part,
                 std::int64_t wholeNs)
    {
        const auto [place, isNew] = m_places.try_emplace(name.value, m_profile.names.size());
        if (isNew) {
            const bool fromHost = isCopy && isFromHost(m_model.text(name), m_model.detailOf(slice));
            m_profile.names.push_back({name, kind, fromHost, 0, 0, 0});
        }
        IntervalProfile::Named& named = m_profile.names[place->second];
        const double share = static_cast<double>(part.lengthNs()) / static_cast<double>(wholeNs);
        named.ns += part.lengthNs();
        named.calls += share;
        named.blocks += isCopy ? 0 : share * blocksOf(m_model.detailOf(slice));
    }

    void findGaps()
    {
        std::sort(m_items.begin(), m_items.end(), [](const Item& a, const Item& b) {
            return a.range.beginNs != b.range.beginNs ? a.range.beginNs < b.range.beginNs : a.slice < b.slice;
        });
        std::unordered_map<std::uint32_t, std::uint32_t> ordinals;
        std::int64_t busyUntil = m_profile.range.beginNs;
        for (const Item& item : m_items) {
            const std::uint32_t ordinal = item.startsInside ? ordinals[item.name.value]++ : 0;
            if (item.range.beginNs > busyUntil)
                m_profile.gaps.push_back({{busyUntil, item.range.beginNs}, item.slice, item.name, ordinal});
            busyUntil = std::max(busyUntil, item.range.endNs);
        }
        if (busyUntil < m_profile.range.endNs)
            m_profile.gaps.push_back({{busyUntil, m_profile.range.endNs}, m_ending, StringId(), 0});
    }

    const TraceModel& m_model;
    const SliceRef m_ending;
    const TimeRange m_named; ///< range in which names count
    std::int32_t m_ownStream = -1;
    IntervalProfile m_profile;
    std::vector<TimeRange> m_own, m_compute, m_communication, m_copies;
    std::vector<Item> m_items;
    std::unordered_map<std::uint32_t, std::size_t> m_places;
};

template<typename F>
std::int64_t medianNs(std::span<const IntervalProfile> profiles, const F& f)
{
    std::vector<double> values;
    for (const IntervalProfile& profile : profiles)
        values.push_back(static_cast<double>(f(profile)));
    return std::llround(middleOf(std::move(values)));
}

/// Splits the difference of one name into more work and slower work.
void splitDifference(IntervalDifference::Named& named)
{
    const std::int64_t differenceNs = named.own.ns - named.otherNs;
    const double moreCalls = named.own.calls - named.otherCalls;
    double moreNs = 0;
    if (std::abs(moreCalls) >= 0.5) {
        const double perCall = named.otherCalls >= 0.5 ? static_cast<double>(named.otherNs) / named.otherCalls
            : named.own.calls > 0                      ? static_cast<double>(named.own.ns) / named.own.calls
                                                       : 0;
        moreNs = moreCalls * perCall;
    } else if (differenceNs > 0 && named.otherBlocks > 0 && named.own.blocks > 1.05 * named.otherBlocks) {
        moreNs = std::min(static_cast<double>(differenceNs),
                          static_cast<double>(named.otherNs) * (named.own.blocks / named.otherBlocks - 1));
    }
    named.moreNs = std::llround(moreNs);
    named.longerNs = differenceNs - named.moreNs;
}

std::vector<IntervalDifference::Named> compareNames(const IntervalProfile& own,
                                                    std::span<const IntervalProfile> others)
{
    std::vector<IntervalDifference::Named> result;
    std::unordered_map<std::uint32_t, std::size_t> places;
    const auto placeOf = [&](const IntervalProfile::Named& named) {
        const auto [place, isNew] = places.try_emplace(named.name.value, result.size());
        if (isNew) {
            IntervalDifference::Named& added = result.emplace_back();
            added.own = named;
            added.own.ns = 0;
            added.own.calls = added.own.blocks = 0;
        }
        return place->second;
    };
    for (const IntervalProfile::Named& named : own.names)
        result[placeOf(named)].own = named;
    for (const IntervalProfile& other : others) {
        for (const IntervalProfile::Named& named : other.names)
            placeOf(named);
    }
    struct Figures
    {
        std::vector<double> ns, calls, blocks;
    };
    std::vector<Figures> figures(result.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        for (std::vector<double>* column : {&figures[i].ns, &figures[i].calls, &figures[i].blocks})
            column->assign(others.size(), 0.0);
    }
    for (std::size_t o = 0; o < others.size(); ++o) {
        for (const IntervalProfile::Named& named : others[o].names) {
            Figures& of = figures[places[named.name.value]];
            of.ns[o] = static_cast<double>(named.ns);
            of.calls[o] = named.calls;
            of.blocks[o] = named.blocks;
        }
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i].otherNs = std::llround(middleOf(std::move(figures[i].ns)));
        result[i].otherCalls = middleOf(std::move(figures[i].calls));
        result[i].otherBlocks = middleOf(std::move(figures[i].blocks));
        splitDifference(result[i]);
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const IntervalDifference::Named& a, const IntervalDifference::Named& b) {
                         return std::abs(a.ns()) > std::abs(b.ns());
                     });
    return result;
}

std::vector<IntervalDifference::Gap> compareGaps(const IntervalProfile& own,
                                                 std::span<const IntervalProfile> others)
{
    std::vector<IntervalDifference::Gap> result;
    for (const IntervalProfile::Gap& gap : own.gaps)
        result.push_back({gap, 0});
    const auto longer
        = [](const IntervalDifference::Gap& a, const IntervalDifference::Gap& b) { return a.ns() > b.ns(); };
    std::stable_sort(result.begin(), result.end(), longer);
    result.resize(std::min(result.size(), mostGaps));

    const auto keyOf
        = [](const IntervalProfile::Gap& gap) { return std::uint64_t{gap.name.value} << 32 | gap.ordinal; };
    std::unordered_map<std::uint64_t, std::vector<double>> lengths;
    for (const IntervalDifference::Gap& gap : result)
        lengths.try_emplace(keyOf(gap.own), others.size(), 0.0);
    for (std::size_t o = 0; o < others.size(); ++o) {
        for (const IntervalProfile::Gap& gap : others[o].gaps) {
            if (const auto found = lengths.find(keyOf(gap)); found != lengths.end())
                found->second[o] = static_cast<double>(gap.range.lengthNs());
        }
    }
    for (IntervalDifference::Gap& gap : result)
        gap.otherNs = std::llround(middleOf(lengths[keyOf(gap.own)]));
    std::erase_if(result, [](const IntervalDifference::Gap& gap) { return gap.ns() <= 0; });
    std::stable_sort(result.begin(), result.end(), longer);
    return result;
}

} // namespace

double middleOf(std::vector<double> values)
{
    return values.empty() ? 0 : medianOf(std::move(values));
}

IntervalProfile profileInterval(const TraceModel& model, const Timeline& timeline, TimeRange range,
                                SliceRef ending, std::int64_t namesUntilNs)
{
    return Profiler(model, timeline, range, ending, namesUntilNs).finish();
}

IntervalDifference compareIntervals(const IntervalProfile& own, std::span<const IntervalProfile> others)
{
    using Profile = IntervalProfile;
    IntervalDifference difference;
    difference.lengthNs = own.lengthNs() - medianNs(others, [](const Profile& p) { return p.lengthNs(); });
    difference.computeNs = own.computeNs - medianNs(others, [](const Profile& p) { return p.computeNs; });
    difference.communicationNs = own.allCommunicationNs()
        - medianNs(others, [](const Profile& p) { return p.allCommunicationNs(); });
    difference.copyNs = own.copyNs - medianNs(others, [](const Profile& p) { return p.copyNs; });
    difference.idleNs = own.idleNs - medianNs(others, [](const Profile& p) { return p.idleNs; });
    difference.names = compareNames(own, others);
    difference.gaps = compareGaps(own, others);
    return difference;
}

std::vector<SliceRef> longestNamed(const TraceModel& model, const Timeline& timeline, TimeRange range,
                                   StringId name, std::size_t most, bool onCpu)
{
    std::vector<SliceRef> found;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind == TrackKind::GpuAnnotation || (track.kind == TrackKind::CpuThread && !onCpu))
            continue;
        forEachOverlapping(track.slices, range, [&](std::size_t row) {
            if (track.slices.name[row] == name)
                found.push_back({id, static_cast<std::uint32_t>(row)});
        });
    }
    std::stable_sort(found.begin(), found.end(), [&](SliceRef a, SliceRef b) {
        return model.rangeOf(a).lengthNs() > model.rangeOf(b).lengthNs();
    });
    found.resize(std::min(found.size(), most));
    return found;
}

} // namespace collscope
