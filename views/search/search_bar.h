// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The search line: finds slices by name or arg, shows the number of matches and steps through them. It also
// accepts locations.

#include "views/common/location.h"
#include "views/search/slice_question.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace collscope {

class SearchBar : public QWidget
{
    Q_OBJECT

public:
    explicit SearchBar(ViewState* state, QWidget* parent = nullptr);

    SliceQuestion question() const;
    void ask(const SliceQuestion& question);
    /// Moves the focus to the line and selects its text.
    void focusLine();
    void clear();
    bool isEmpty() const;
    /// Selects and shows the next (1) or previous (-1) match.
    void step(int direction);
    void showLongest();
    QLineEdit* line() const { return m_line; }
    QString countText() const;

signals:
    /// Requests a search; Emphasis::setMatches() sets the result. An empty question clears the search.
    void asked(const collscope::SliceQuestion& question);
    /// The user pressed Escape to leave the line.
    void left();

private:
    void askNow();
    std::optional<Location> location() const; ///< location typed or pasted instead of a name
    void updateCount();

    ViewState* m_state;
    QLineEdit* m_line;
    QToolButton* m_pattern;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QTimer m_settled; ///< delays the search until typing pauses
    SliceQuestion m_asked;
    Status m_shown; ///< an error: why the typed location could not be shown
    int m_wantedStep = 0; ///< step requested by Enter before the result arrived
    bool m_isWhole = false; ///< the text is the complete name of a slice
};

} // namespace collscope
