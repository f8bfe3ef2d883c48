// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Something to see; or, in its place, one dim sentence that says why there is nothing and what to do.

#include <QStackedWidget>

class QLabel;
class QPushButton;

namespace collscope {

/// Contents are added with addWidget().
class ContentStack : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ContentStack(QWidget* parent = nullptr);

    /// Shows the reason, with a button that does something about it if `offer` names that; without a reason,
    /// one of the contents.
    void present(QWidget* content, const QString& reason, const QString& offer = {});

signals:
    void offerTaken();

private:
    QWidget* m_page;
    QLabel* m_reason;
    QPushButton* m_offer;
};

} // namespace collscope
