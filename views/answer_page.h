// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How a tab answers a question: the verdict, what it is based on, and below them the content that shows it;
// or one sentence that says why there is no answer.

#include <QWidget>

class QLabel;

namespace collscope {

class ContentStack;

class AnswerPage : public QWidget
{
    Q_OBJECT

public:
    explicit AnswerPage(QWidget* content, QWidget* parent = nullptr);

    void showAnswer(const QString& verdict, const QString& basis, const QString& basisToolTip = {});
    /// What there is to do, or to wait for, instead of an answer.
    void showEmpty(const QString& sentence);

private:
    QLabel* m_verdict;
    QLabel* m_basis;
    ContentStack* m_pages;
    QWidget* m_content;
};

} // namespace collscope
