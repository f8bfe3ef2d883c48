// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a window has to tell, in a line above its content instead of a box in the way.

#include <QFrame>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace collscope {

enum class BannerTone
{
    Information,
    Warning, ///< what is on show is not all of it
    Error ///< what was asked for did not happen
};

struct BannerMessage
{
    BannerTone tone = BannerTone::Error;
    QString text; ///< plain
    QString about; ///< what it is about: of each subject there is one message, the latest
    QString actionText = {}; ///< of a button that does something about it; empty: no button
    std::function<void()> action = {};
};

/// Shows the latest of its messages and hides when there is none; when that one is closed, the one before it
/// comes back. Takes no focus by itself; Tab leads to its buttons, and there Esc closes.
class Banner : public QFrame
{
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    void showMessage(const BannerMessage& message);
    /// What was wrong with a subject is so no longer.
    void retract(const QString& about);
    /// The message on show; nullptr if there is none.
    const BannerMessage* message() const { return m_messages.empty() ? nullptr : &m_messages.back(); }

signals:
    void closed(); ///< the last message, by a person

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void closeMessage();
    void runAction();
    void showLatest();

    std::vector<BannerMessage> m_messages; ///< the latest last
    QLabel* m_text;
    QPushButton* m_action;
};

} // namespace collscope
