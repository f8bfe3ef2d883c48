// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/unmatched_model.h"

#include "metrics/calls/calls.h"
#include "views/common/palette.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace { } // namespace

void UnmatchedModel::setCollectives(CollectiveRowsPtr collectives)
{
    setIds({});
    m_collectives = std::move(collectives);
    std::int64_t longest = 0;
    if (m_collectives) {
        for (const Unmatched& unmatched : m_collectives->run->matching.unmatched)
            longest = std::max(longest, m_collectives->run->callOf(unmatched.call).durationNs());
    }
    m_unit = columnUnit(longest);
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    applyFilter();
}

void UnmatchedModel::setFilter(CollectiveFilter filter)
{
    m_filter = std::move(filter);
    applyFilter();
}

/// An unmatched call does not belong to a group of the matching, but it names a group.
bool UnmatchedModel::isInGroups(const Call& call) const
{
    const GroupFilter& groups = m_filter.groups;
    return (!groups.parallelismKind || *groups.parallelismKind == call.parallelismKind)
        && (!groups.group
            || m_collectives->run->matching.groups[*groups.group].text
                == groupText(*m_collectives->model, call));
}

void UnmatchedModel::applyFilter()
{
    std::vector<std::uint32_t> ids;
    const CollectiveWords words(m_filter.words);
    const std::size_t count = m_collectives ? m_collectives->run->matching.unmatched.size() : 0;
    for (std::uint32_t id = 0; id < count; ++id) {
        const UnmatchedRow row = m_collectives->unmatched(id);
        const bool fits = (!m_filter.range || m_filter.range->overlaps(row.range)) && isInGroups(*row.call);
        if (fits
            && (words.isEmpty()
                || words.fit(*m_collectives, *row.call, groupText(*m_collectives->model, *row.call))))
            ids.push_back(id);
    }
    setIds(std::move(ids));
}

int UnmatchedModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

bool UnmatchedModel::isText(int column) const
{
    return column == Name || column == Group || column == Reason;
}

std::string_view UnmatchedModel::text(std::uint32_t id, int column) const
{
    const UnmatchedRow row = m_collectives->unmatched(id);
    switch (column) {
    case Name:
        return m_collectives->nameOf(*row.call);
    case Group:
        return row.call->meta ? m_collectives->model->text(row.call->meta->group) : std::string_view();
    default:
        return unmatchedReasonText(row.reason);
    }
}

double UnmatchedModel::number(std::uint32_t id, int column) const
{
    const UnmatchedRow row = m_collectives->unmatched(id);
    switch (column) {
    case Rank:
        return row.rank;
    case Start:
        return static_cast<double>(row.range.beginNs);
    case Duration:
        return static_cast<double>(row.call->durationNs());
    default:
        return row.call->bytes ? static_cast<double>(*row.call->bytes) : unknownNumber;
    }
}

QString UnmatchedModel::shown(std::uint32_t id, int column) const
{
    if (column == Group)
        return toText(groupText(*m_collectives->model, *m_collectives->unmatched(id).call));
    if (isText(column))
        return toText(text(id, column));
    const double value = number(id, column);
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    switch (column) {
    case Rank:
        return QString::number(value);
    case Start:
        return startText(std::llround(value));
    case Size:
        return formatBytes(value);
    default:
        return formatIn(m_unit, value);
    }
}

QVariant UnmatchedModel::raw(std::uint32_t id, int column) const
{
    return column == Group ? QVariant(shown(id, column)) : RowIdModel::raw(id, column);
}

QString UnmatchedModel::toolTip(std::uint32_t id, int column) const
{
    if (column == Name)
        return toText(m_collectives->model->nameOf(m_collectives->unmatched(id).call->slice));
    return column == Start || column == Duration ? formatDurationExact(std::llround(number(id, column)))
                                                 : shown(id, column);
}

QColor UnmatchedModel::chip(std::uint32_t id, int column) const
{
    return column == Name ? kernelColor(m_collectives->unmatched(id).call->kind, QApplication::palette())
                          : QColor();
}

RowIdModel::Heading UnmatchedModel::heading(int column) const
{
    switch (column) {
    case Name:
        return {"collective", tr("collective")};
    case Rank:
        return {"rank", tr("rank")};
    case Group:
        return {"process_group", tr("process group")};
    case Start:
        return {"start_ns", tr("start ms"), {}, true};
    case Duration:
        return {"duration_ns", tr("duration %1").arg(m_unit.name)};
    case Size:
        return {"message_bytes", tr("size")};
    default:
        return {"why_unmatched", tr("why it was not matched")};
    }
}

} // namespace collscope
