// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/search/search_model.h"

#include "views/common/palette.h"

#include <QApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace collscope {

void SearchModel::setSlices(std::vector<SliceRef> slices)
{
    setIds({}); // no view may request slices of the previous run
    m_slices = std::move(slices);
    std::int64_t longest = 0;
    for (const SliceRef slice : m_slices)
        longest = std::max(longest, m_state->run().model()->rangeOf(slice).lengthNs());
    m_unit = columnUnit(longest);
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    std::vector<std::uint32_t> ids(m_slices.size());
    std::iota(ids.begin(), ids.end(), 0u);
    setIds(std::move(ids));
}

int SearchModel::rowOfSlice(SliceRef slice) const
{
    const auto found = std::find(m_slices.begin(), m_slices.end(), slice);
    return found == m_slices.end() ? -1 : rowOf(static_cast<std::uint32_t>(found - m_slices.begin()));
}

int SearchModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

double SearchModel::number(std::uint32_t id, int column) const
{
    const SliceRef slice = m_slices[id];
    switch (column) {
    case Start:
        return static_cast<double>(m_state->run().rangeOf(slice).beginNs);
    case Duration:
        return static_cast<double>(m_state->run().model()->rangeOf(slice).lengthNs());
    case Exposed: {
        const ExposurePtr& exposure = m_state->run().exposure();
        const std::optional<ExposedTime> time = exposure ? exposure->of(slice) : std::nullopt;
        return time ? static_cast<double>(time->ns) : unknownNumber;
    }
    default:
        return m_state->run().model()->timelineOf(slice).rank;
    }
}

std::string_view SearchModel::text(std::uint32_t id, int column) const
{
    const TraceModel& model = *m_state->run().model();
    const SliceRef slice = m_slices[id];
    return column == Name ? model.nameOf(slice) : model.text(model.track(slice.track).name);
}

RowIdModel::Heading SearchModel::heading(int column) const
{
    switch (column) {
    case Name:
        return {"name", tr("name")};
    case Start:
        return {"start_ns", tr("start ms"), tr("on the timeline's time axis"), true};
    case Duration:
        return {"duration_ns", tr("duration %1").arg(m_unit.name)};
    case Exposed:
        return {"exposed_ns", tr("exposed %1").arg(m_unit.name),
                tr("of communication: time that no compute kernel of the rank hides, waiting included")};
    case Rank:
        return {"rank", tr("rank")};
    default:
        return {"track", tr("stream or thread")};
    }
}

QString SearchModel::shown(std::uint32_t id, int column) const
{
    if (column == Name)
        return shortName(text(id, column));
    if (column == TrackName)
        return toText(text(id, column));
    const double value = number(id, column);
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    return column == Start                        ? startText(std::llround(value))
        : column == Duration || column == Exposed ? formatIn(m_unit, value)
                                                  : QString::number(value);
}

QString SearchModel::toolTip(std::uint32_t id, int column) const
{
    if (isText(column))
        return toText(text(id, column)).left(2000);
    return column == Rank || std::isnan(number(id, column))
        ? QString()
        : formatDurationExact(std::llround(number(id, column)));
}

QColor SearchModel::chip(std::uint32_t id, int column) const
{
    return column == Name
        ? kernelColor(m_state->run().model()->classOf(m_slices[id]), QApplication::palette())
        : QColor();
}

} // namespace collscope
