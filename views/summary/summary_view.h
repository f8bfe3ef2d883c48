// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Summary tab: how long a step takes, what it is made of, and what costs time, worst first.

#include "metrics/findings/finding.h"
#include "views/state/view_state.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace collscope {

class AnswerPage;
class CellTable;
class GainButton;
class PartsBar;

/// Where more is said about a finding.
enum class WhyPlace : std::uint8_t
{
    None,
    Gaps, ///< those of its cause
    CauseChain, ///< of the selected collective
    Collectives,
    Job, ///< its history
    Network
};
WhyPlace whyPlaceOf(const Finding& finding);

class SummaryView : public QWidget
{
    Q_OBJECT

public:
    explicit SummaryView(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: they are being computed.
    void setFindings(FindingsPtr findings);
    /// The findings of the table, by row.
    const std::vector<const Finding*>& shown() const { return m_shown; }
    CellTable* table() const { return m_table; }
    GainButton* whatIf() const { return m_whatIf; }
    PartsBar* parts() const { return m_parts; }
    /// Text shown instead of an answer; empty if there is one.
    QString emptyText() const;

signals:
    /// The user asks why the chosen finding is so. Its worst place is selected.
    void whyWanted(const collscope::Finding& finding);
    /// Of summaries, which have no place to show: the rank of a finding was chosen, or activated by Enter or
    /// a double click.
    void rankChosen(std::int32_t rank);
    void rankActivated(std::int32_t rank);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillTable();
    void fillParts();
    void fitColumns(); ///< leaves the finding room in a narrow window
    bool hasEvents() const;
    void choose(int row);
    void activate(int row);
    /// Shows the worst place of a finding: its rank, the range, and the slice if there is one.
    void showWorst(const Finding& finding);

    ViewState* m_state;
    FindingsPtr m_findings;
    std::vector<const Finding*> m_shown; ///< into *m_findings
    QLabel* m_stepTime;
    PartsBar* m_parts;
    CellTable* m_table;
    QLabel* m_advice;
    QToolButton* m_why; ///< about the chosen finding
    GainButton* m_whatIf; ///< likewise
    const Finding* m_chosen = nullptr;
    AnswerPage* m_page;
};

} // namespace collscope
