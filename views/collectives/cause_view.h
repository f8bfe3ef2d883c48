// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Why slow?": the chain of measured facts that explains a slow step or a late arrival, one sentence
// per line. Each sentence links to the slices and the time range that show it.

#include "metrics/causes/cause_answer.h"
#include "views/state/view_state.h"

#include <QWidget>

class QComboBox;
class QListWidget;
class QToolButton;

namespace collscope {

class AnswerPage;
class GainButton;

class CauseView : public QWidget
{
    Q_OBJECT

public:
    explicit CauseView(ViewState* state, QWidget* parent = nullptr);

    /// Explains the selected collective, otherwise the step in the middle of the visible range.
    void explainHere();
    void setAnswer(CauseAnswerPtr answer);
    const CauseAnswerPtr& answer() const { return m_answer; }
    const CauseQuestion& question() const { return m_question; }
    QComboBox* steps() const { return m_steps; }
    QToolButton* collectiveButton() const { return m_collective; }
    QListWidget* clauses() const { return m_clauses; }
    GainButton* whatIf() const { return m_whatIf; }
    QString verdictText() const;
    /// Text shown instead of sentences; empty if there are sentences.
    QString emptyText() const;

signals:
    /// Requests an answer through setAnswer(). Emitted only while the view is visible, because computing it
    /// takes time.
    void answerWanted(const collscope::CauseQuestion& question);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillSteps();
    void updateCollectiveButton();
    void ask(const CauseQuestion& question);
    void askIfSeen();
    void showAnswer();
    void showClause(int row);
    void offerScenario();
    void copyAll();

    ViewState* m_state;
    CauseQuestion m_question; ///< empty: nothing to explain
    CauseAnswerPtr m_answer;
    bool m_isAsked = false; ///< the question has been sent
    QComboBox* m_steps;
    QToolButton* m_collective;
    GainButton* m_whatIf; ///< the rank to blame were like its peers
    QToolButton* m_copy;
    QListWidget* m_clauses;
    AnswerPage* m_page;
};

} // namespace collscope
