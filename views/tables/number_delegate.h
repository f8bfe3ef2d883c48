// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers in tables: digits of one width so that they stand below each other, and small bars beside them.

#include <QStyledItemDelegate>

namespace collscope {

/// Right-aligned cells are numbers; a cell with a BarRole has a bar in front of its number.
class NumberDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// Width of a number whose digits are all as wide as the widest.
int tabularWidth(const QFontMetrics& metrics, const QString& text);
/// Draws it so, right-aligned and vertically centred.
void drawTabular(QPainter& painter, const QRect& rect, const QString& text);

} // namespace collscope
