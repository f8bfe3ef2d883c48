// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The side panel of metrics: value, unit, why it has that value or why there is none. It shows results; app
// computes them.

#include "metrics/metric.h"
#include "views/view_state.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;

namespace collscope {

class MetricsPanel : public QWidget
{
    Q_OBJECT

public:
    using Results = std::vector<std::pair<MetricRequest, MetricResult>>;

    explicit MetricsPanel(ViewState* state, QWidget* parent = nullptr);

    /// What the scope selector says, without evidence and cancel.
    MetricOptions options() const;
    void setResults(Results results);
    const Results& results() const { return m_results; }
    /// Selects the row of a metric id; its evidence is highlighted.
    void selectMetric(std::string_view id);
    QTreeWidget* table() const { return m_table; }

signals:
    /// The scope changed: the results are to be computed again.
    void optionsChanged();
    void csvRequested();
    void jsonRequested();

private:
    void onModelChanged();
    void onRangeChanged();
    void updateRangeScope();
    void showSelected();
    void copyNumber() const;
    const std::pair<MetricRequest, MetricResult>* selected() const;
    QString explanation(const MetricRequest& request, const MetricResult& result) const;
    static void fillRow(QTreeWidgetItem& item, const MetricRequest& request, const MetricResult& result,
                        const QPalette& palette);

    ViewState* m_state;
    QComboBox* m_scope;
    QTreeWidget* m_table;
    QTextBrowser* m_explanation;
    QPushButton* m_copy;
    Results m_results;
};

} // namespace collscope
