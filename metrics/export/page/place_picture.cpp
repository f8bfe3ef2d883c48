// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/place_picture.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/export/page/lane_slices.h"
#include "metrics/looks/time_ticks.h"
#include "metrics/partition/partition.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr double laneLabelWidth = 128;
constexpr double laneHeight = 15;
constexpr double levelHeight = 13;
constexpr double rankGap = 7;
constexpr double axisHeight = 18;
constexpr double widestTick = 90; ///< "123.456789 s"
constexpr std::size_t mostRanks = 4;
constexpr std::size_t mostLevels = 4;

/// Whether other ranks belong to the picture: a rank is idle alone, and late for others.
bool isAboutSeveralRanks(const Finding& finding)
{
    switch (finding.kind) {
    case FindingKind::LateRank:
    case FindingKind::UnbalancedWork:
    case FindingKind::UnbalancedExperts:
    case FindingKind::SlowKernelsOnRank:
    case FindingKind::ExposedCommunication:
    case FindingKind::SlowCollectives:
    case FindingKind::PipelineBubble:
        return true;
    default:
        return false;
    }
}

/// The rank of the place, the accused ones, then those that pay most; ascending.
std::vector<std::int32_t> ranksOf(Analysis& analysis, const Finding& finding, const FindingPlace& place)
{
    std::vector<std::int32_t> chosen{place.rank};
    const auto add = [&](std::int32_t rank) {
        if (chosen.size() < mostRanks && std::find(chosen.begin(), chosen.end(), rank) == chosen.end()
            && partitionOf(analysis).shareOf(rank))
            chosen.push_back(rank);
    };
    if (isAboutSeveralRanks(finding)) {
        std::for_each(finding.ranks.begin(), finding.ranks.end(), add);
        auto payers = finding.nsByRank;
        std::stable_sort(payers.begin(), payers.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        for (const auto& [rank, ns] : payers)
            add(rank);
        for (const RankShare& rank : partitionOf(analysis).ranks)
            if (chosen.size() < 2)
                add(rank.rank);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

bool computes(KernelClass kernelClass)
{
    return isCompute(kernelClass) || kernelClass == KernelClass::Memset; // as in the partition
}

bool isCopy(KernelClass kernelClass)
{
    return kernelClass == KernelClass::Copy;
}

class PlacePainter
{
public:
    PlacePainter(Analysis& analysis, const Finding& finding, const FindingPlace& place)
        : m_analysis(analysis)
        , m_place(place)
        , m_ranks(ranksOf(analysis, finding, place))
        , m_isAboutSeveral(isAboutSeveralRanks(finding))
        , m_allRanks(partitionOf(analysis).ranks.size())
    {
        const std::int64_t around = std::max<std::int64_t>(place.range.lengthNs() * 2 / 5, 500);
        m_shown = {std::max(place.range.beginNs - around, std::min<std::int64_t>(0, place.range.beginNs)),
                   place.range.endNs + around}; // the first event of the run is at 0
        for (const std::int32_t rank : m_ranks)
            layOut(rank);
    }

    double height() const { return m_height + axisHeight; }
    bool isEmpty() const { return m_lanes.empty(); }

    std::string caption() const
    {
        const std::string text = "The longest of its places: " + timeText(m_place.range.lengthNs())
            + " on rank " + std::to_string(m_place.rank) + ", from " + timeText(m_place.range.beginNs)
            + (m_place.range.beginNs < 0 ? " on the axis of the run." : " after the first event of the run.");
        return m_isAboutSeveral && m_ranks.size() < m_allRanks ? text + " Shown are "
                + std::to_string(m_ranks.size()) + " of " + std::to_string(m_allRanks) + " ranks."
                                                               : text;
    }

    void paint(HtmlWriter& html) const
    {
        for (const Lane& lane : m_lanes)
            html.lone("rect",
                      {{"class", "lane"},
                       {"x", lengthText(laneLabelWidth)},
                       {"y", lengthText(lane.top)},
                       {"width", lengthText(pictureWidth - laneLabelWidth)},
                       {"height", lengthText(lane.height)}});
        paintAxis(html);
        const double from = xOf(m_place.range.beginNs);
        const double to = xOf(m_place.range.endNs);
        BoxPaths marks;
        marks.add("mark", {from, 0, to - from, m_height});
        marks.add("edge", {from - 0.7, 0, 1.4, m_height});
        marks.add("edge", {to - 0.7, 0, 1.4, m_height});
        marks.write(html);
        LaneSlices slices;
        for (const Lane& lane : m_lanes) {
            writeLabel(html, 0, lane.top + lane.height / 2 + 4, lane.label, "start",
                       lane.isFirst ? "label" : "dim");
            addSlices(lane, slices);
        }
        slices.write(html);
    }

private:
    struct Lane
    {
        std::string label;
        bool isFirst = false; ///< of its rank
        const Timeline* timeline = nullptr;
        TrackId thread = {}; ///< of a lane of a CPU thread
        bool isOfThread = false;
        int firstLevel = 0;
        bool (*holds)(KernelClass) = nullptr; ///< of a lane of the GPU
        double top = 0, height = laneHeight;
    };

    double xOf(std::int64_t axisNs) const
    {
        const double at
            = static_cast<double>(axisNs - m_shown.beginNs) / static_cast<double>(m_shown.lengthNs());
        return laneLabelWidth + std::clamp(at, 0.0, 1.0) * (pictureWidth - laneLabelWidth);
    }
    TimeRange ownRange(const Timeline& timeline) const
    {
        return m_analysis.clocks().fromAxis(m_analysis.model().indexOf(timeline), m_shown);
    }
    const Timeline* timelineOf(std::int32_t rank) const
    {
        const RankShare* const share = partitionOf(m_analysis).shareOf(rank);
        for (const Timeline* timeline : share ? share->timelines : std::vector<const Timeline*>()) {
            if (timeline->range.overlaps(ownRange(*timeline)))
                return timeline;
        }
        return nullptr;
    }
    bool hasSlices(const Lane& lane) const
    {
        bool has = false;
        forEachGpuSlice(lane, [&](const Track&, std::size_t) { has = true; });
        return has;
    }
    template<typename Act>
    void forEachGpuSlice(const Lane& lane, const Act& act) const
    {
        for (const TrackId id : lane.timeline->tracks) {
            const Track& track = m_analysis.model().track(id);
            if (track.kind != TrackKind::GpuStream)
                continue;
            forEachOverlapping(track.slices, ownRange(*lane.timeline), [&](std::size_t row) {
                if (lane.holds(track.slices.kernelClass[row]))
                    act(track, row);
            });
        }
    }

    void layOut(std::int32_t rank)
    {
        const Timeline* const timeline = timelineOf(rank);
        if (!timeline)
            return;
        const std::string name = "rank " + std::to_string(rank);
        add({.label = name + " \u00b7 compute", .isFirst = true, .timeline = timeline, .holds = computes});
        Lane communication{.label = "communication", .timeline = timeline, .holds = isCommunication};
        Lane copies{.label = "copies", .timeline = timeline, .holds = isCopy};
        for (Lane* lane : {&communication, &copies}) {
            if (hasSlices(*lane))
                add(std::move(*lane));
        }
        if (m_place.slice && timeline == &m_analysis.model().timelineOf(m_place.slice))
            addThread(*timeline);
        m_height += rankGap;
    }
    /// The thread that shows the cause.
    void addThread(const Timeline& timeline)
    {
        const Track& track = m_analysis.model().track(m_place.slice.track);
        if (track.kind != TrackKind::CpuThread)
            return;
        const int own = track.slices.depth[m_place.slice.row];
        Lane lane{.label = "CPU thread",
                  .timeline = &timeline,
                  .thread = m_place.slice.track,
                  .isOfThread = true,
                  .firstLevel = std::max(0, own - 2)};
        const int last = std::min<int>(track.maxDepth, lane.firstLevel + static_cast<int>(mostLevels) - 1);
        lane.height = levelHeight * static_cast<double>(last - lane.firstLevel + 1);
        if (lane.firstLevel > 0 || last < track.maxDepth)
            lane.label += ", part";
        add(std::move(lane));
    }
    void add(Lane lane)
    {
        lane.top = m_height;
        m_height += lane.height + 2;
        m_lanes.push_back(std::move(lane));
    }

    void addSlices(const Lane& lane, LaneSlices& slices) const
    {
        const TraceModel& model = m_analysis.model();
        const std::size_t index = model.indexOf(*lane.timeline);
        const auto put = [&](const Track& track, std::size_t row, double top, double height) {
            const TimeRange range = m_analysis.clocks().toAxis(index, track.slices.range(row));
            const double from = xOf(range.beginNs);
            slices.add({from, top, xOf(range.endNs) - from, height}, track.slices.kernelClass[row],
                       model.text(track.slices.name[row]), range.lengthNs());
        };
        if (!lane.isOfThread) {
            forEachGpuSlice(lane, [&](const Track& track, std::size_t row) {
                put(track, row, lane.top + 1, lane.height - 2);
            });
            return;
        }
        const Track& track = model.track(lane.thread);
        const int levels = static_cast<int>(lane.height / levelHeight + 0.5);
        forEachOverlapping(track.slices, ownRange(*lane.timeline), [&](std::size_t row) {
            const int level = track.slices.depth[row] - lane.firstLevel;
            if (level >= 0 && level < levels)
                put(track, row, lane.top + level * levelHeight, levelHeight - 1);
        });
    }

    void paintAxis(HtmlWriter& html) const
    {
        const std::int64_t step = niceTickNs(static_cast<double>(m_shown.lengthNs()) / 6);
        BoxPaths ticks;
        for (std::int64_t at = (m_shown.beginNs / step + (m_shown.beginNs > 0 ? 1 : 0)) * step;
             at < m_shown.endNs; at += step) {
            const double x = xOf(at);
            ticks.add("rule", {x, 0, 0.8, m_height});
            if (x < pictureWidth - widestTick)
                writeLabel(html, x + 3, m_height + 12, tickText(at, step), "start", "dim");
        }
        ticks.write(html);
    }

    Analysis& m_analysis;
    const FindingPlace& m_place;
    std::vector<std::int32_t> m_ranks;
    bool m_isAboutSeveral;
    std::size_t m_allRanks;
    TimeRange m_shown;
    std::vector<Lane> m_lanes;
    double m_height = 0;
};

} // namespace

void writePlacePicture(HtmlWriter& html, Analysis& analysis, const Finding& finding)
{
    if (finding.places.all().empty())
        return;
    const PlacePainter painter(analysis, finding, finding.places.all().front());
    if (!painter.isEmpty())
        writePicture(html, painter.height(), painter.caption(), [&] { painter.paint(html); });
}

} // namespace collscope
