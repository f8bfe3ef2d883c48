// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QDropEvent;

namespace collscope {

class ViewState;

/// Covers the run window while files are dragged over it, and says what dropping them does.
class DropOverlay : public QLabel
{
    Q_OBJECT

public:
    /// `window` accepts drops from now on.
    DropOverlay(const ViewState& state, QWidget& window);

signals:
    void opened(const QStringList& paths);
    void compared(const QStringList& paths); ///< dropped with Ctrl: compare with the current run

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isComparing(const QDropEvent& event) const;
    void enter(QDropEvent& event);
    void explain(const QDropEvent& event);
    void drop(QDropEvent& event);
    void cover();

    const ViewState& m_state;
    QWidget& m_window;
};

} // namespace collscope
