// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The items of a QuickPick that match the typed text, best match first, and the painting of a row.

#include "views/widgets/fuzzy_match.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

#include <optional>
#include <vector>

namespace collscope {

/// An item that can be chosen.
struct QuickPickItem
{
    QString id; ///< passed to the callback
    QString text; ///< the searched text, shown with the matched letters in bold
    QString path = {}; ///< dim, before the text: the parent path; searched together with the text
    QString note = {}; ///< dim, on the right: shortcut or kind
    bool isEnabled = true;
    QString reason = {}; ///< dim, after the text: why it cannot be chosen
    std::optional<bool> isChecked = {}; ///< for items that are on or off
};

class QuickPickModel : public QAbstractListModel
{
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setItems(std::vector<QuickPickItem> items);
    /// Of equal matches, the shorter text comes first, then the item that was added first. Matches in the
    /// text alone come before matches that need the path.
    void setPattern(const FuzzyPattern& pattern);
    const FuzzyPattern& pattern() const { return m_pattern; }
    const QuickPickItem& itemAt(int row) const { return m_items[m_rows[static_cast<std::size_t>(row)]]; }
    /// Whether any item is on or off; then all rows reserve space for a check mark.
    bool hasChecks() const { return m_hasChecks; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<QuickPickItem> m_items;
    std::vector<std::size_t> m_rows; ///< indices into m_items
    FuzzyPattern m_pattern;
    bool m_hasChecks = false;
};

class QuickPickDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    QuickPickDelegate(const QuickPickModel* model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    { }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const QuickPickModel* m_model;
};

} // namespace collscope
