// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Type a few letters, press Enter: one of many things is chosen.

#include <QFrame>
#include <QPointer>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace collscope {

class QuickPickModel;

/// Something that can be picked.
struct QuickPickItem
{
    QString id; ///< for whoever asked
    QString text; ///< what is searched and, with the letters found in bold, shown
    QString path = {}; ///< dim, before the text: where it belongs; searched together with the text
    QString note = {}; ///< dim, on the right: shortcut or kind
    bool isEnabled = true;
    QString reason = {}; ///< dim, behind the text: why it cannot be picked
    std::optional<bool> isChecked = {}; ///< of what is on or off
};

/// A popup in the upper part of its window: a line to type in and the items that match it, the best first
/// (FuzzyPattern). Arrows, PgUp, PgDn, Home and End move, Enter or a click picks, Esc, a click elsewhere or
/// the loss of focus closes. It is a child of the window, not a window of its own: no window manager has to
/// be asked where it goes. One per window is enough, for any kind of item.
///
///     m_quickPick->open(items, tr("Go to track"), [this](const QString& id) { goToTrack(id); });
class QuickPick : public QFrame
{
    Q_OBJECT

public:
    using Picked = std::function<void(const QString& id)>;

    /// Hidden until it is opened.
    explicit QuickPick(QWidget* window);
    ~QuickPick() override;

    /// Shows items, in this order until something is typed; in place of others if it is open. `placeholder`
    /// says what is picked. `picked` is called once at most, with the popup closed and the focus where it was
    /// before. Some ten thousand items are searched without a pause.
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
