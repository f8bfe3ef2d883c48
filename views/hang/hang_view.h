// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Hang": who made the job hang, what to do first, and what that rests on.

#include "metrics/hang/hang_grid.h"
#include "views/state/view_state.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace collscope {

class AnswerPage;
class CellTable;
class HangCanvas;
class StackPair;

class HangView : public QWidget
{
    Q_OBJECT

public:
    explicit HangView(ViewState* state, QWidget* parent = nullptr);

    /// Whether the run has anything of a job that hung.
    bool isWanted() const;
    /// nullptr: it is being examined. The case refers to the run that is open.
    void setCase(HangCasePtr own);
    const HangCasePtr& hangCase() const { return m_case; }
    HangCanvas* canvas() const { return m_canvas; }
    CellTable* path() const { return m_path; }
    StackPair* stacks() const { return m_stacks; }
    QComboBox* findings() const { return m_findings; }
    QComboBox* groups() const { return m_groups; }
    QLabel* details() const { return m_details; }
    QToolButton* copyButton() const { return m_copy; }
    QString verdictText() const;

signals:
    void wantedChanged();

private:
    static QString titleOf(const ReportedFinding& finding);
    void fill();
    void showFinding();
    void showGroup();
    void showCell(int row, int column);
    void showHeadline();
    void showWaits();
    void showPath(std::uint32_t rank);
    void setWaits(const QString& title, const std::vector<WaitsAlike>& waits);
    void copy() const;

    ViewState* m_state;
    HangCasePtr m_case;
    TraceModelPtr m_model; ///< keeps what the case refers to
    std::vector<StuckGroup> m_stuck; ///< by index in m_groups
    QComboBox* m_findings;
    QComboBox* m_groups;
    QToolButton* m_copy;
    HangCanvas* m_canvas;
    QLabel* m_details;
    CellTable* m_path;
    StackPair* m_stacks;
    AnswerPage* m_page;
};

} // namespace collscope
