// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/range_model.h"

#include "model/kernels/kernel_names.h"
#include "views/common/palette.h"

#include <QApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace collscope {

namespace {

/// The kernel class, or the kind of track for slices without one.
std::string_view classLabel(KernelClass kernelClass, TrackKind kind)
{
    if (kernelClass != KernelClass::None)
        return kernelClassName(kernelClass);
    return kind == TrackKind::CpuThread    ? "CPU"
        : kind == TrackKind::GpuAnnotation ? "GPU annotation"
                                           : "other";
}

} // namespace

void RangeModel::setPivot(RangeSummaryPtr summary, RangeGrouping grouping, RangePivot pivot)
{
    setIds({}); // no view may request rows of the previous pivot
    beginResetModel(); // columns depend on the grouping
    m_summary = std::move(summary);
    m_grouping = grouping;
    m_pivot = std::move(pivot);
    endResetModel();
    std::int64_t total = 0, mean = 0, longest = 0;
    for (const RangeRow& row : m_pivot.rows) {
        total = std::max(total, row.totalNs);
        mean = std::max(mean, row.totalNs / static_cast<std::int64_t>(row.count));
        longest = std::max(longest, row.longestNs);
    }
    m_units[Total] = m_units[Exposed] = m_units[Waiting] = columnUnit(total);
    m_units[Mean] = columnUnit(mean);
    m_units[Longest] = columnUnit(longest);
    std::vector<std::uint32_t> ids(m_pivot.rows.size());
    std::iota(ids.begin(), ids.end(), 0u);
    setIds(std::move(ids));
}

int RangeModel::columnCount(const QModelIndex& parent) const
{
    const bool hasExtra = m_grouping == RangeGrouping::Name || m_grouping == RangeGrouping::Rank;
    return parent.isValid() ? 0 : hasExtra ? ColumnCount : Extra;
}

/// Ranks and tracks are sorted by position rather than alphabetically, but displayed as left-aligned names.
bool RangeModel::isText(int column) const
{
    if (column == Label)
        return m_grouping == RangeGrouping::Class || m_grouping == RangeGrouping::Name;
    return column == Extra && m_grouping == RangeGrouping::Name;
}

QVariant RangeModel::data(const QModelIndex& index, int role) const
{
    if (role == BarRole && index.column() == Share)
        return share(idAt(index.row()));
    if (role == Qt::TextAlignmentRole && index.column() == Label)
        return int(Qt::AlignVCenter) | int(Qt::AlignLeft);
    return RowIdModel::data(index, role);
}

QVariant RangeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole && section == Label)
        return int(Qt::AlignVCenter) | int(Qt::AlignLeft);
    return RowIdModel::headerData(section, orientation, role);
}

std::int32_t RangeModel::rankOf(const RangeRow& row) const
{
    return m_state->run().model()->timeline(m_state->run().model()->track(row.track).timeline).rank;
}

double RangeModel::share(std::uint32_t id) const
{
    return m_pivot.totalNs > 0
        ? static_cast<double>(m_pivot.rows[id].totalNs) / static_cast<double>(m_pivot.totalNs)
        : unknownNumber;
}

double RangeModel::number(std::uint32_t id, int column) const
{
    const RangeRow& row = m_pivot.rows[id];
    switch (column) {
    case Label: {
        if (m_grouping == RangeGrouping::Rank)
            return rankOf(row);
        // Timelines are ordered by rank, and tracks as in their timeline.
        const TraceModel& model = *m_state->run().model();
        const TimelineId timeline = model.track(row.track).timeline;
        const std::vector<TrackId>& tracks = model.timeline(timeline).tracks;
        const auto place = std::find(tracks.begin(), tracks.end(), row.track) - tracks.begin();
        return timeline.value + static_cast<double>(place) / static_cast<double>(tracks.size());
    }
    case Count:
        return static_cast<double>(row.count);
    case Total:
        return static_cast<double>(row.totalNs);
    case Exposed:
        return row.exposedNs ? static_cast<double>(*row.exposedNs) : unknownNumber;
    case Waiting:
        return row.waitingNs ? static_cast<double>(*row.waitingNs) : unknownNumber;
    case Share:
        return 100 * share(id);
    case Mean:
        return static_cast<double>(row.totalNs) / static_cast<double>(row.count);
    case Longest:
        return static_cast<double>(row.longestNs);
    default:
        break;
    }
    const auto gpu = std::find_if(m_summary->gpus.begin(), m_summary->gpus.end(),
                                  [&](const BusyGpu& busy) { return busy.rank == rankOf(row); });
    return gpu == m_summary->gpus.end() ? unknownNumber : 100 * gpu->share();
}

std::string_view RangeModel::text(std::uint32_t id, int column) const
{
    const RangeRow& row = m_pivot.rows[id];
    if (column == Label && m_grouping == RangeGrouping::Name)
        return m_state->run().model()->text(row.name);
    return classLabel(row.kernelClass, m_state->run().model()->track(row.track).kind);
}

RowIdModel::Heading RangeModel::heading(int column) const
{
    const auto unit = [&] { return m_units[static_cast<std::size_t>(column)].name; };
    switch (column) {
    case Label:
        switch (m_grouping) {
        case RangeGrouping::Class:
            return {"class", tr("class")};
        case RangeGrouping::Name:
            return {"name", tr("name")};
        case RangeGrouping::Rank:
            return {"rank", tr("rank"), {}, true};
        case RangeGrouping::Track:
            break;
        }
        return {"track", tr("stream or thread"), {}, true};
    case Count:
        return {"count", tr("count"), tr("slices that overlap the range")};
    case Total:
        return {"total_ns", tr("total %1").arg(unit()),
                tr("sum of durations, clipped to the range; nested slices count at every level")};
    case Exposed:
        return {"exposed_ns", tr("exposed %1").arg(unit()),
                tr("of communication and copies: time in the range that no compute kernel of the rank hides; "
                   "those that are exposed at the same time share it equally")};
    case Waiting:
        return {"waiting_ns", tr("waiting %1").arg(unit()),
                tr("of the exposed time: until the last rank arrived")};
    case Share:
        return {"share_percent", tr("share %"),
                tr("of the total time of all slices of the chosen kind, before filtering")};
    case Mean:
        return {"mean_ns", tr("mean %1").arg(unit()), tr("total / count")};
    case Longest:
        return {"longest_ns", tr("longest %1").arg(unit()),
                tr("longest part of one slice inside the range; double-click to show that slice")};
    default:
        break;
    }
    if (m_grouping == RangeGrouping::Name)
        return {"class", tr("class")};
    return {"gpu_busy_percent", tr("GPU utilization %"),
            tr("time with any kernel, copy or memset, regardless of the filter")};
}

QString RangeModel::trackLabel(const RangeRow& row) const
{
    const TraceModel& model = *m_state->run().model();
    const Track& track = model.track(row.track);
    QString label = tr("rank %1 \u00b7 %2").arg(rankOf(row)).arg(toText(model.text(track.name)));
    return track.lane > 0 ? tr("%1, overlapping").arg(label) : label;
}

QString RangeModel::shown(std::uint32_t id, int column) const
{
    if (column == Label) {
        const RangeRow& row = m_pivot.rows[id];
        return m_grouping == RangeGrouping::Rank ? tr("rank %1").arg(rankOf(row))
            : m_grouping == RangeGrouping::Track ? trackLabel(row)
            : m_grouping == RangeGrouping::Name  ? shortName(text(id, column))
                                                 : toText(text(id, column));
    }
    if (isText(column))
        return toText(text(id, column));
    const double value = number(id, column);
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    if (column == Count)
        return formatCount(static_cast<std::uint64_t>(value));
    if (column == Share || column == Extra)
        return QLocale().toString(value, 'f', 1);
    return formatIn(m_units[static_cast<std::size_t>(column)], value);
}

QVariant RangeModel::raw(std::uint32_t id, int column) const
{
    return column == Label && m_grouping == RangeGrouping::Track ? trackLabel(m_pivot.rows[id])
                                                                 : RowIdModel::raw(id, column);
}

QString RangeModel::toolTip(std::uint32_t id, int column) const
{
    if (column == Label && m_grouping == RangeGrouping::Name)
        return toText(text(id, column)).left(2000);
    if (column == Longest)
        return tr("%1 on rank %2")
            .arg(formatDurationExact(m_pivot.rows[id].longestNs))
            .arg(rankOf(m_pivot.rows[id]));
    const bool isSum = column == Total || column == Mean || column == Exposed || column == Waiting;
    return isSum && !std::isnan(number(id, column)) ? formatDurationExact(std::llround(number(id, column)))
                                                    : QString();
}

QColor RangeModel::chip(std::uint32_t id, int column) const
{
    const bool isOfClass = m_grouping == RangeGrouping::Class || m_grouping == RangeGrouping::Name;
    return column == Label && isOfClass ? kernelColor(m_pivot.rows[id].kernelClass, QApplication::palette())
                                        : QColor();
}

} // namespace collscope
