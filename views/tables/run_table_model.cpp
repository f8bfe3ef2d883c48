// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/run_table_model.h"

#include "metrics/core/thresholds.h"
#include "views/common/format.h"

#include <QLocale>

#include <algorithm>

namespace collscope {

namespace {

RunTableModel::Level levelOf(const MetricDescriptor& metric, double value)
{
    const auto thresholds = thresholdsOf(metric.id);
    if (!thresholds || metric.direction == MetricDirection::Neutral)
        return RunTableModel::NoLevel;
    const bool high = value >= thresholds->high;
    const bool middle = value >= thresholds->middle;
    const bool isHighGood = metric.direction == MetricDirection::HigherIsBetter;
    if (high)
        return isHighGood ? RunTableModel::Good : RunTableModel::Poor;
    if (middle)
        return RunTableModel::Fair;
    return isHighGood ? RunTableModel::Poor : RunTableModel::Good;
}

} // namespace

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0
                            : 1 + static_cast<int>(m_cardFields.size() + static_cast<int>(m_metrics.size()));
}

const MetricDescriptor* RunTableModel::metricAt(int column) const
{
    const int index = column - 1 - static_cast<int>(m_cardFields.size());
    return index >= 0 && index < static_cast<int>(m_metrics.size())
        ? m_metrics[static_cast<std::size_t>(index)]
        : nullptr;
}

QString RunTableModel::key(int column) const
{
    if (column == 0)
        return QStringLiteral("run");
    const MetricDescriptor* metric = metricAt(column);
    return metric ? toText(metric->id) : m_cardFields.value(column - 1);
}

QString RunTableModel::cardValue(const RunRow& row, int column) const
{
    const QString field = m_cardFields.value(column - 1);
    const auto found = std::find_if(row.card.begin(), row.card.end(),
                                    [&](const auto& entry) { return entry.first == field; });
    return found == row.card.end() ? QString() : found->second;
}

const MetricResult* RunTableModel::resultAt(const RunRow& row, int column) const
{
    const MetricDescriptor* metric = metricAt(column);
    const auto found = std::find_if(row.results.begin(), row.results.end(),
                                    [&](const auto& entry) { return entry.first.metric == metric; });
    return found == row.results.end() ? nullptr : &found->second;
}

QVariant RunTableModel::metricData(const RunRow& row, int column, int role) const
{
    const MetricResult* result = resultAt(row, column);
    if (!result)
        return role == Qt::DisplayRole && !row.isDone ? QVariant(QStringLiteral("\u2026")) : QVariant();
    switch (role) {
    case Qt::DisplayRole:
        if (result->value)
            return QLocale().toString(*result->value, 'g', 4);
        return result->state == MetricState::Value ? tr("table") : QStringLiteral("\u2013");
    case Qt::ToolTipRole:
        return result->value ? toText(numberText(*result->value) + " " + result->unit)
                             : plainToolTip(toText(result->reason));
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    case SortRole:
        return result->value ? QVariant(*result->value) : QVariant();
    case LevelRole:
        return result->value ? levelOf(*metricAt(column), *result->value) : NoLevel;
    default:
        return {};
    }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == PathRole)
        return row.path;
    if (metricAt(index.column()))
        return metricData(row, index.column(), role);
    const QString text = index.column() == 0 ? row.name : cardValue(row, index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::ToolTipRole:
        if (index.column() > 0)
            return plainToolTip(text);
        return plainToolTip(row.status ? row.path : row.path + u'\n' + toText(row.status.error().message));
    case SortRole: {
        bool isNumber = false;
        const double number = text.toDouble(&isNumber);
        return isNumber ? QVariant(number) : QVariant(text);
    }
    case LevelRole:
        return index.column() == 0 && !row.status ? Poor : NoLevel;
    default:
        return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const MetricDescriptor* metric = metricAt(section);
    if (role == Qt::ToolTipRole && metric)
        return toText(metric->id) + u'\n' + toText(metric->meaning);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((metric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (!metric)
        return section == 0 ? tr("run") : m_cardFields.value(section - 1);
    return metric->unit == "count" || metric->unit == "ratio"
        ? toText(metric->title)
        : tr("%1, %2", "metric, unit").arg(toText(metric->title), toText(metric->unit));
}

void RunTableModel::reset(std::vector<RunRow> rows, QStringList cardFields,
                          std::vector<const MetricDescriptor*> metrics)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_cardFields = std::move(cardFields);
    m_metrics = std::move(metrics);
    endResetModel();
}

void RunTableModel::setRow(const RunRow& row)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].path != row.path)
            continue;
        m_rows[i] = row;
        emit dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), columnCount() - 1));
        return;
    }
}

} // namespace collscope
