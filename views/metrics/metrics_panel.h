// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The Metrics panel: values, units and, without a value, the reason. It shows results; `app` computes them.

#include "views/metrics/metrics_table.h"
#include "views/state/view_state.h"

#include <QWidget>

#include <set>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace collscope {

class MetricsPanel : public QWidget
{
    Q_OBJECT

public:
    using Results = MetricsTable::Results;

    explicit MetricsPanel(ViewState* state, QWidget* parent = nullptr);

    /// The options of the scope selector, without evidence and cancel.
    MetricOptions options() const;
    /// Sets the scope to the selected range. Without a range nothing changes.
    void chooseSelectedRange();
    void setResults(Results results);
    const Results& results() const { return m_results; }
    /// Sets the result of the selected metric with its evidence and the values other tools report; shows and
    /// highlights them.
    void setExplained(const MetricRequest& request, const MetricResult& result);
    /// Selects the row of a metric id; its evidence is highlighted as soon as it is available.
    void selectMetric(std::string_view id);
    /// Selects the row of a metric id or, if that metric has no value, the first one that has.
    void selectMetricWithValue(std::string_view id);
    MetricsTable* table() const { return m_table; }

signals:
    /// The selected metric's evidence has not been requested yet.
    void explanationWanted(const collscope::MetricRequest& request);
    /// The scope changed; the results must be computed again.
    void optionsChanged();
    /// A link into the guide was clicked: "metrics#Step time".
    void guideWanted(const QString& place);
    void csvRequested();
    void jsonRequested();

private:
    void onModelChanged();
    void updateScope(int scope, const QString& title, bool isSelected, const QString& howToSelect);
    void updateRangeScope();
    void updateStepScope();
    void showSelected();
    void onSelected();
    void copyNumber();
    void copyExplanation();
    const std::pair<MetricRequest, MetricResult>* selected() const;

    ViewState* m_state;
    QComboBox* m_scope;
    QLineEdit* m_filter;
    MetricsTable* m_table;
    QTextBrowser* m_explanation;
    QPushButton* m_copy;
    QPushButton* m_copyExplanation;
    Results m_results;
    std::set<std::string> m_explained; ///< names of the results that have evidence
};

} // namespace collscope
