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

/// Ranks of consecutive numbers.
struct RankBlock
{
    std::int32_t first = 0, last = 0;
    friend bool operator==(const RankBlock&, const RankBlock&) = default;
};

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
    /// The rank of which the buttons open the trace: the last one clicked, at first the worst.
    std::optional<std::int32_t> chosen() const { return m_chosen; }
    /// The rank and its neighbours, eight together: mostly those of its node.
    static RankBlock neighboursOf(std::int32_t rank, std::int32_t highestRank);
    /// Text shown instead of the map; empty if there is one.
    QString emptyText() const;

signals:
    void detailWanted(const collscope::RankBlock& ranks);
    void commandsWanted(const collscope::RankBlock& ranks); ///< those that get the events of ranks

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void choose(std::int32_t rank);
    void showPage();
    void updateButtons();
    RankBlock neighbours() const;

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
