// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Draws numbers in tables with tabular digits, so that they line up, and small bars next to them.

#include <QStyledItemDelegate>

namespace collscope {

/// Treats right-aligned cells as numbers; a cell with a BarRole gets a bar before its number.
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

/// Width of a number in which every digit is as wide as the widest.
int tabularWidth(const QFontMetrics& metrics, const QString& text);
/// Draws a number with tabular digits, right-aligned and vertically centred.
void drawTabular(QPainter& painter, const QRect& rect, const QString& text);

} // namespace collscope
