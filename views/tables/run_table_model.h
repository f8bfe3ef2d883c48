// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Many runs as a table: one row per run directory, with the contents of its card and its metrics.

#include "metrics/core/metric.h"
#include "model/result.h"

#include <QAbstractTableModel>

namespace collscope {

/// One run in the table. Without results it is still to be loaded, or `status` is the reason.
struct RunRow
{
    QString path;
    QString name;
    Status status;
    std::vector<std::pair<QString, QString>> card; ///< field and value, as in the public table
    std::vector<std::pair<MetricRequest, MetricResult>> results;
    bool isDone = false;
};

class RunTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role
    {
        SortRole = Qt::UserRole, ///< a number if the cell has one, else the text
        LevelRole, ///< rating of a metric's value
        PathRole,
    };
    /// Rating of a value by the dashboard's thresholds.
    enum Level
    {
        NoLevel,
        Good,
        Fair,
        Poor
    };

    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Replaces all rows by rows without results, and sets the columns after the name.
    void reset(std::vector<RunRow> rows, QStringList cardFields,
               std::vector<const MetricDescriptor*> metrics);
    /// Sets the results of a run; its path identifies the row.
    void setRow(const RunRow& row);
    const std::vector<RunRow>& rows() const { return m_rows; }
    /// Key of a column for filters: "run", a card field, a metric id.
    QString key(int column) const;
    /// The metric of a column, nullptr for a card field.
    const MetricDescriptor* metricAt(int column) const;

private:
    const MetricResult* resultAt(const RunRow& row, int column) const;
    QString cardValue(const RunRow& row, int column) const;
    QVariant metricData(const RunRow& row, int column, int role) const;

    std::vector<RunRow> m_rows;
    QStringList m_cardFields;
    std::vector<const MetricDescriptor*> m_metrics;
};

} // namespace collscope
