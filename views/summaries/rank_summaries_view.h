// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands in place of the timeline where a run was merged from summaries: who held the others up, a map
// of lateness, and the way to the events of a rank.

#include "metrics/causes/straggler_report.h"
#include "metrics/summary/step_lateness.h"
#include "views/state/view_state.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace collscope {

class AnswerPage;
class LatenessLegend;
class StepLatenessCanvas;

class RankSummariesView : public QWidget
{
    Q_OBJECT

public:
    explicit RankSummariesView(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: it is being computed.
    void setReport(StragglerReportPtr report);
    /// The map, without the ranks that are hidden.
    void setLateness(StepLatenessPtr lateness);
    StepLatenessCanvas* canvas() const { return m_canvas; }
    /// The rank of which the buttons open the trace: the last one chosen, at first the worst; without a map
    /// the first one.
    std::optional<std::int32_t> chosen() const { return m_chosen; }
    void choose(std::int32_t rank);
    /// The rank and its neighbours, those of `ranks` (ascending) that are among the same eight: mostly those
    /// of its node.
    static std::vector<std::int32_t> neighboursOf(std::int32_t rank, const std::vector<std::int32_t>& ranks);
    /// "9, 11-13". `ranks`: ascending.
    static QString rangesText(const std::vector<std::int32_t>& ranks);
    /// Text shown instead of the map; empty if there is one.
    QString emptyText() const;

signals:
    void detailWanted(const std::vector<std::int32_t>& ranks);
    void commandsWanted(const std::vector<std::int32_t>& ranks); ///< those that get the events of ranks

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void showPage();
    void fitLegend();
    void updateButtons();
    std::vector<std::int32_t> neighbours() const;

    ViewState* m_state;
    StragglerReportPtr m_report;
    StepLatenessCanvas* m_canvas;
    LatenessLegend* m_legend;
    QWidget* m_map;
    AnswerPage* m_page;
    QBoxLayout* m_detail; ///< notice and buttons
    QLabel* m_notice;
    QPushButton* m_one;
    QPushButton* m_several;
    QPushButton* m_commands;
    std::optional<std::int32_t> m_chosen;
};

} // namespace collscope
