// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Content or, if there is none, one dim sentence that explains why and what to do.

#include <QStackedWidget>

class QLabel;
class QPushButton;

namespace collscope {

/// Add contents with addWidget().
class ContentStack : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ContentStack(QWidget* parent = nullptr);

    /// Shows `reason`, with a button labelled `offer` unless that is empty. Without a reason it shows
    /// `content`.
    void present(QWidget* content, const QString& reason, const QString& offer = {});

signals:
    void offerTaken();

private:
    QWidget* m_page;
    QLabel* m_reason;
    QPushButton* m_offer;
};

} // namespace collscope
