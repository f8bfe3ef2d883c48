// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The rows of the Metrics panel: the most important metrics, then all in groups, with their values; metrics
// without a value are in a separate group at the end.

#include "metrics/definitions/headlines.h"

#include <QSet>
#include <QTreeWidget>

namespace collscope {

class MetricsTable : public QTreeWidget
{
    Q_OBJECT

public:
    using Results = MetricResults;

    explicit MetricsTable(QWidget* parent = nullptr);

    /// Shows the results; keeps the current metric and the expanded groups. `results` must remain valid until
    /// the next call.
    void setResults(const Results& results);
    /// Index of the current row's result; nullopt for a group or without a current row.
    std::optional<std::size_t> currentResult() const;
    /// Makes the row of a metric id current and visible: the one at the top if it is among the most important
    /// ones, else the one in its group.
    void select(std::string_view id);
    /// Shows only metrics whose title, id or alias contains the words.
    void setFilter(const QString& words);

private:
    void fillRow(QTreeWidgetItem& item, const MetricRequest& request, const MetricResult& result) const;
    void selectRow(std::string_view id, bool atTheTop);
    void addHeadlines();
    QTreeWidgetItem* addRow(QTreeWidgetItem* parent, std::size_t index);
    QTreeWidgetItem* addGroup(const QString& name, const QString& key);
    void noteExpanded(const QTreeWidgetItem& item, bool isExpanded);
    void applyFilter();
    /// Hides an item that does not fit the filter and has no part that does. Returns whether it is visible.
    bool filterItem(QTreeWidgetItem& item);

    const Results* m_results = nullptr;
    QSet<QString> m_closed; ///< groups collapsed by the user
    QSet<QString> m_opened; ///< metrics whose parts the user expanded
    QString m_filter;
};

} // namespace collscope
