// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A tab that answers a question: the verdict, its basis and, below them, the content that shows it. Without
// an answer, one sentence gives the reason.

#include <QWidget>

class QLabel;

namespace collscope {

class ContentStack;

class AnswerPage : public QWidget
{
    Q_OBJECT

public:
    explicit AnswerPage(QWidget* content, QWidget* parent = nullptr);

    /// Puts a widget to the left of the verdict, such as the number that it is about. Takes ownership.
    void setLead(QWidget* lead);
    void showAnswer(const QString& verdict, const QString& basis, const QString& basisToolTip = {});
    /// Shows `sentence` instead of an answer: what to do, or what is still in progress.
    void showEmpty(const QString& sentence);

private:
    QWidget* m_header;
    QLabel* m_verdict;
    QLabel* m_basis;
    ContentStack* m_pages;
    QWidget* m_content;
};

} // namespace collscope
