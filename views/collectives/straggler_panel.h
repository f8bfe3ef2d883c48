// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Stragglers tab: who made the others wait, who waited, and in which collectives. The numbers are those
// of the metric "straggler", over the same window.

#include "metrics/multirank/straggler_report.h"
#include "views/view_state.h"

#include <QWidget>

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace collscope {

class AnswerPage;
class CellTable;

class StragglerPanel : public QWidget
{
    Q_OBJECT

public:
    explicit StragglerPanel(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: it is being worked out.
    void setReport(StragglerReportPtr report);
    const StragglerReportPtr& report() const { return m_report; }
    CellTable* ranks() const { return m_ranks; }
    CellTable* groups() const { return m_groups; }
    CellTable* worst() const { return m_worst; }
    /// The sentence on top.
    QString verdictText() const;
    /// What is shown instead of tables; empty if there are some.
    QString emptyText() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillRanks();
    void fitSplitter(); ///< once, when there is something to measure and room to share
    void fillGroups();
    void fillWorst();
    void chooseRank(int index);

    ViewState* m_state;
    StragglerReportPtr m_report;
    std::optional<std::int32_t> m_rank; ///< whose worst collectives are shown; kept over reports of a run
    QSplitter* m_splitter;
    AnswerPage* m_page;
    bool m_isSplitterFit = false; ///< or moved by hand
    CellTable* m_ranks;
    QTabBar* m_sideTabs;
    QStackedWidget* m_side;
    CellTable* m_groups;
    CellTable* m_worst;
};

} // namespace collscope
