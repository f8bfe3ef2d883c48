// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The findings that cost most, as a line of cards above the timeline.

#include "metrics/findings/finding.h"
#include "views/state/view_state.h"

#include <QFrame>

#include <vector>

class QAbstractButton;
class QHBoxLayout;
class QLabel;

namespace collscope {

class FindingStrip : public QFrame
{
    Q_OBJECT

public:
    /// Number of cards.
    static constexpr std::size_t most = 3;

    explicit FindingStrip(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: they are being computed. Shows those that cost smallShare of a step or more. If nothing can
    /// be said about the run, the strip takes no room.
    void setFindings(FindingsPtr findings);
    /// Whether the user wants the strip.
    void setWanted(bool wanted);
    const std::vector<QAbstractButton*>& cards() const { return m_cards; }

signals:
    void closed(); ///< the user closed the strip
    void allWanted(); ///< the user wants to see all findings
    void rankChosen(std::int32_t rank); ///< of summaries, which have no place to show: a card was clicked

private:
    void clearCards();
    void addCard(const Finding& finding, double share);
    void updateVisibility();

    ViewState* m_state;
    FindingsPtr m_findings;
    QHBoxLayout* m_layout;
    QLabel* m_note;
    std::vector<QAbstractButton*> m_cards;
    bool m_isWanted = true;
};

} // namespace collscope
