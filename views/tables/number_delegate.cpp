// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/number_delegate.h"

#include "views/common/theme.h"
#include "views/tables/table_text.h"

#include <QApplication>
#include <QIcon>
#include <QPainter>

#include <algorithm>

namespace collscope {

namespace {

constexpr int padding = 8;
constexpr int barWidth = 44;
constexpr int barHeight = 7;
constexpr int chipSize = 12;

int digitWidth(const QFontMetrics& metrics)
{
    int widest = 0;
    for (char16_t digit = u'0'; digit <= u'9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QChar(digit)));
    return widest;
}

/// Negative digits count backwards, so only plain ones get the common width.
bool isDigit(QChar c)
{
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

} // namespace

int tabularWidth(const QFontMetrics& metrics, const QString& text)
{
    const int digit = digitWidth(metrics);
    int width = 0;
    for (const QChar c : text)
        width += isDigit(c) ? digit : metrics.horizontalAdvance(c);
    return width;
}

void drawTabular(QPainter& painter, const QRect& rect, const QString& text)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const int digit = digitWidth(metrics);
    const int baseline = rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) / 2;
    int x = rect.right() + 1 - tabularWidth(metrics, text);
    for (const QChar c : text) {
        const int own = metrics.horizontalAdvance(c);
        const int width = isDigit(c) ? digit : own;
        painter.drawText(x + (width - own) / 2, baseline, c);
        x += width;
    }
}

void NumberDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const bool isNumber = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    if (isNumber)
        cell.text.clear();
    const QWidget* widget = option.widget;
    (widget ? widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, widget);
    if (!isNumber)
        return;
    const Surfaces colors = surfaces(option.palette);
    painter->save();
    const QVariant share = index.data(BarRole);
    if (share.isValid()) {
        const QRect track(option.rect.left() + padding, option.rect.center().y() - barHeight / 2, barWidth,
                          barHeight);
        painter->fillRect(track, colors.line);
        const double part = std::clamp(share.toDouble(), 0.0, 1.0);
        const int filled = part > 0 ? std::max(1, static_cast<int>(barWidth * part)) : 0;
        const QVariant brush = index.data(BarColorRole);
        painter->fillRect(QRect(track.topLeft(), QSize(filled, barHeight)),
                          brush.isValid() ? brush.value<QColor>() : colors.accent);
    }
    painter->setFont(cell.font);
    const QVariant ink = index.data(Qt::ForegroundRole);
    painter->setPen(ink.isValid() ? ink.value<QColor>() : colors.text);
    drawTabular(*painter, option.rect.adjusted(padding, 0, -padding, 0), text);
    painter->restore();
}

/// Keeps the colour of a chip in a selected row, where styles would tint it.
void NumberDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant chip = index.data(Qt::DecorationRole);
    if (chip.typeId() != QMetaType::QColor)
        return;
    const qreal ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
    QPixmap pixmap(QSize(chipSize, chipSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(chip.value<QColor>());
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected})
        icon.addPixmap(pixmap, mode);
    option->icon = icon;
    option->decorationSize = QSize(chipSize, chipSize);
}

QSize NumberDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (!(index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight))
        return size + QSize(padding, 0);
    const int text = tabularWidth(option.fontMetrics, index.data(Qt::DisplayRole).toString());
    const int bar = index.data(BarRole).isValid() ? barWidth + padding : 0;
    return {text + bar + 2 * padding + 2, size.height()};
}

} // namespace collscope
