// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A popup for choosing one of many items by typing a few letters and pressing Enter.

#include "views/widgets/quick_pick_model.h"

#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace collscope {

/// A popup in the upper part of its window: a line edit and the matching items, best match first
/// (FuzzyPattern). Arrows, PgUp, PgDn, Home and End move; Enter or a click chooses; Esc, a click elsewhere or
/// loss of focus closes it. It is a child of the window rather than a separate window, so that its position
/// does not depend on the window manager. One instance per window is enough for any kind of item.
///
///     m_quickPick->open(items, tr("Go to track"), [this](const QString& id) { goToTrack(id); });
class QuickPick : public QFrame
{
    Q_OBJECT

public:
    using Picked = std::function<void(const QString& id)>;

    /// Creates the popup hidden; open() shows it.
    explicit QuickPick(QWidget* window);
    ~QuickPick() override;

    /// Shows items, in the given order until something is typed, and replaces the current items if already
    /// open. `placeholder` states what is chosen. `picked` is called at most once, after the popup has closed
    /// and the focus has returned to its previous widget. Tens of thousands of items are searched without
    /// noticeable delay.
    void open(std::vector<QuickPickItem> items, const QString& placeholder, Picked picked);
    bool isOpen() const { return !isHidden(); }
    void dismiss();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool handleKey(int key);
    void search(const QString& typed);
    void moveTo(int row);
    void pick(const QModelIndex& index);
    void place();

    QuickPickModel* m_model;
    QLineEdit* m_line;
    QListView* m_list;
    QLabel* m_nothing;
    Picked m_picked;
    QPointer<QWidget> m_focusBefore;
};

} // namespace collscope
