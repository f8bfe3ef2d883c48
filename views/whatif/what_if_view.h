// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "What would help?": scenarios of the replay, what each one gains, and how sure that is. A click on
// one emphasises the slices that it saves; the timeline can show how the run would look.

#include "metrics/whatif/what_if_answer.h"
#include "views/state/view_state.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace collscope {

class AnswerPage;
class CellTable;
class GateStrip;

using WhatIfAnswerPtr = std::shared_ptr<const WhatIfAnswer>;

class WhatIfView : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfView(ViewState* state, QWidget* parent = nullptr);

    enum class Ask : std::uint8_t
    {
        IfSeen,
        EvenUnseen
    };
    /// Requests an answer, unless there is one or it was requested.
    void ask(Ask when = Ask::IfSeen);
    /// nullptr: there is none yet.
    void setAnswer(WhatIfAnswerPtr answer);
    /// The answer to what the user tried, on top of the others.
    void addTried(ScenarioAnswer answer);
    /// Tries a scenario as if the user had written it, as soon as the run is replayed.
    void tryScenario(const QString& text);
    const WhatIfAnswerPtr& answer() const { return m_answer; }
    const std::vector<ScenarioAnswer>& shown() const { return m_shown; }
    CellTable* table() const { return m_table; }
    QLineEdit* line() const { return m_line; }
    QToolButton* ghostButton() const { return m_ghost; }
    QString verdictText() const;
    /// Text shown instead of scenarios; empty if there are some.
    QString emptyText() const;

signals:
    /// Requests an answer through setAnswer(). Emitted only while the view is visible or somebody asked,
    /// because computing it takes time.
    void answerWanted();
    /// Requests an answer through addTried().
    void scenarioWanted(const collscope::Scenario& scenario);
    /// Requests the lanes of a scenario for the timeline; none: no lanes.
    void ghostWanted(const std::optional<collscope::Scenario>& scenario);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    void choose(int row);
    void askGhost();
    void readLine();
    void fillCompletions();

    ViewState* m_state;
    WhatIfAnswerPtr m_answer;
    bool m_isAsked = false;
    bool m_triesLine = false; ///< what the line says, when there is an answer
    std::vector<ScenarioAnswer> m_tried; ///< the last one first
    std::vector<ScenarioAnswer> m_shown; ///< by row
    int m_chosen = -1; ///< row
    QLineEdit* m_line;
    QToolButton* m_ghost;
    GateStrip* m_gates;
    CellTable* m_table;
    AnswerPage* m_page;
};

} // namespace collscope
