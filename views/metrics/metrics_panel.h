// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The side panel of metrics: value, unit, why it has that value or why there is none. It shows results; app
// computes them.

#include "views/metrics/metrics_table.h"
#include "views/view_state.h"

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

    /// What the scope selector says, without evidence and cancel.
    MetricOptions options() const;
    /// Counts the selected range only, from now on. Without one nothing changes.
    void chooseSelectedRange();
    void setResults(Results results);
    const Results& results() const { return m_results; }
    /// The selected metric once more, with evidence and what other tools print; shows and highlights them.
    void setExplained(const MetricRequest& request, const MetricResult& result);
    /// Selects the row of a metric id; its evidence is highlighted when it is there.
    void selectMetric(std::string_view id);
    /// The same, or the first one that has a value where this one has none.
    void selectMetricWithValue(std::string_view id);
    MetricsTable* table() const { return m_table; }

signals:
    /// A metric was selected whose evidence has not been asked for yet.
    void explanationWanted(const collscope::MetricRequest& request);
    /// The scope changed: the results are to be computed again.
    void optionsChanged();
    /// A link to a place in the guide was followed: "metrics#Step time".
    void guideWanted(const QString& place);
    void csvRequested();
    void jsonRequested();

private:
    void onModelChanged();
    void onRangeChanged();
    void updateRangeScope();
    void showSelected();
    void onSelected();
    void copyNumber() const;
    void copyExplanation() const;
    const std::pair<MetricRequest, MetricResult>* selected() const;

    ViewState* m_state;
    QComboBox* m_scope;
    QLineEdit* m_filter;
    MetricsTable* m_table;
    QTextBrowser* m_explanation;
    QPushButton* m_copy;
    QPushButton* m_copyExplanation;
    Results m_results;
    std::set<std::string> m_explained; ///< names of the results that have their evidence
};

} // namespace collscope
