// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A message line above the content of a window, instead of a modal box.

#include <QFrame>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace collscope {

enum class BannerTone
{
    Information,
    Warning, ///< not all of the data is shown
    Error ///< a requested action failed
};

struct BannerMessage
{
    BannerTone tone = BannerTone::Error;
    QString text; ///< plain text
    QString about; ///< subject; only the latest message of each subject is kept
    QString actionText = {}; ///< label of a button that resolves the problem; empty: no button
    std::function<void()> action = {};
};

/// Shows the latest of its messages and hides when none is left. Closing a message shows the previous one.
/// The banner never takes the focus by itself; Tab reaches its buttons, where Esc closes the message.
class Banner : public QFrame
{
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    void showMessage(const BannerMessage& message);
    /// Removes the message about a subject, because it no longer applies.
    void retract(const QString& about);
    /// The current message; nullptr if there is none.
    const BannerMessage* message() const { return m_messages.empty() ? nullptr : &m_messages.back(); }

signals:
    void closed(); ///< the user closed the last message

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void closeMessage();
    void runAction();
    void showLatest();

    std::vector<BannerMessage> m_messages; ///< oldest first
    QLabel* m_text;
    QPushButton* m_action;
};

} // namespace collscope
