// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The line that finds slices by name or arg, with the count and the way from one to the next; it also takes
// locations.

#include "views/location.h"
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
    /// Puts the cursor into the line, with its text selected.
    void focusLine();
    void clear();
    bool isEmpty() const;
    /// Selects and shows the next (1) or previous (-1) match.
    void step(int direction);
    void showLongest();
    QLineEdit* line() const { return m_line; }
    QString countText() const;

signals:
    /// To be answered with ViewState::setMatches(). An empty question asks for nothing.
    void asked(const collscope::SliceQuestion& question);
    /// The person is done with the line: Escape.
    void left();

private:
    void askNow();
    std::optional<Location> location() const; ///< that was typed or pasted instead of a name
    void updateCount();

    ViewState* m_state;
    QLineEdit* m_line;
    QToolButton* m_pattern;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QTimer m_settled; ///< nobody searches for each letter of a word
    SliceQuestion m_asked;
    QString m_notice; ///< why the location that was typed leads nowhere
    int m_wantedStep = 0; ///< Enter was pressed before there was an answer
    bool m_isWhole = false; ///< the text is a name that was taken from a slice
};

} // namespace collscope
