// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Stragglers tab: which ranks made others wait, which ranks waited, and in which collectives. The numbers
// are those of the metric "straggler" over the same window.

#include "metrics/causes/straggler_report.h"
#include "views/state/view_state.h"

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

    /// nullptr: it is being computed.
    void setReport(StragglerReportPtr report);
    const StragglerReportPtr& report() const { return m_report; }
    CellTable* ranks() const { return m_ranks; }
    CellTable* groups() const { return m_groups; }
    CellTable* worst() const { return m_worst; }
    /// The sentence at the top.
    QString verdictText() const;
    /// Text shown instead of tables; empty if there are tables.
    QString emptyText() const;

signals:
    void rankActivated(std::int32_t rank); ///< Enter or double click on a rank

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillRanks();
    void fitSplitter(); ///< once, when the tables have content and the panel is visible
    void fillGroups();
    void fillWorst();
    void chooseRank(int index);

    ViewState* m_state;
    StragglerReportPtr m_report;
    /// rank whose worst collectives are shown; kept across reports of a run
    std::optional<std::int32_t> m_rank;
    QSplitter* m_splitter;
    AnswerPage* m_page;
    bool m_isSplitterFit = false; ///< or moved by the user
    CellTable* m_ranks;
    QTabBar* m_sideTabs;
    QStackedWidget* m_side;
    CellTable* m_groups;
    CellTable* m_worst;
};

} // namespace collscope
