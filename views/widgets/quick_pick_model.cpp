// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/quick_pick_model.h"

#include "views/common/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace collscope {

namespace {

constexpr int pickMargin = 14;
constexpr int checkWidth = 22;
constexpr int pickGap = 10;

/// Separator of path and text, also in the combined text that is searched.
const QString arrow = QStringLiteral(" \u203a ");

QString pathAndText(const QuickPickItem& item)
{
    return item.path + arrow + item.text;
}

/// Draws a text with some letters in bold, cut at `right`; returns the x of its end.
int drawLetters(QPainter& painter, const QRect& line, int right, const QString& text,
                const std::vector<qsizetype>& bold)
{
    QFont heavy = painter.font();
    heavy.setWeight(QFont::Bold);
    QTextCharFormat format;
    format.setFont(heavy);
    QList<QTextLayout::FormatRange> ranges;
    for (const qsizetype at : bold)
        ranges << QTextLayout::FormatRange{static_cast<int>(at), 1, format};
    const auto laidOut = [&](QTextLayout& layout) {
        layout.setFormats(ranges);
        layout.beginLayout();
        QTextLine only = layout.createLine();
        only.setNumColumns(static_cast<int>(layout.text().size()));
        layout.endLayout();
        return only.naturalTextWidth();
    };
    QTextLayout layout(text, painter.font());
    double width = laidOut(layout);
    const int room = right - line.left();
    // Bold letters are wider than the regular ones that were measured for eliding.
    for (int allowed = room; width > room && allowed > 0; allowed -= pickGap) {
        layout.setText(painter.fontMetrics().elidedText(text, Qt::ElideRight, allowed));
        const auto shown = layout.text().size() - 1;
        ranges.removeIf([&](const QTextLayout::FormatRange& range) { return range.start >= shown; });
        width = laidOut(layout);
    }
    const double height = layout.lineAt(0).height();
    layout.draw(&painter, QPointF(line.left(), line.top() + (line.height() - height) / 2));
    return line.left() + static_cast<int>(width);
}

void drawCheck(QPainter& painter, const QRect& box)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(painter.pen().color(), 1.6));
    const QPointF middle = QRectF(box).center();
    QPainterPath tick(middle + QPointF(-4.5, 0.5));
    tick.lineTo(middle + QPointF(-1.5, 3.5));
    tick.lineTo(middle + QPointF(4.5, -3.5));
    painter.drawPath(tick);
    painter.restore();
}

} // namespace

void QuickPickModel::setItems(std::vector<QuickPickItem> items)
{
    beginResetModel();
    m_items = std::move(items);
    m_pattern = FuzzyPattern();
    m_rows.resize(m_items.size());
    std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
    m_hasChecks = std::any_of(m_items.begin(), m_items.end(),
                              [](const QuickPickItem& item) { return item.isChecked.has_value(); });
    endResetModel();
}

void QuickPickModel::setPattern(const FuzzyPattern& pattern)
{
    beginResetModel();
    if (!pattern.narrows(m_pattern) || pattern.isEmpty()) {
        m_rows.resize(m_items.size());
        std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
    }
    m_pattern = pattern;
    struct Match
    {
        bool needsPath;
        int score;
        qsizetype length;
        std::size_t item;
    };
    std::vector<Match> matches;
    for (const std::size_t i : m_pattern.isEmpty() ? std::vector<std::size_t>() : m_rows) {
        const QuickPickItem& item = m_items[i];
        if (const auto inText = m_pattern.score(item.text))
            matches.push_back({false, *inText, item.text.size(), i});
        else if (const auto inBoth = item.path.isEmpty() ? std::nullopt : m_pattern.score(pathAndText(item)))
            matches.push_back({true, *inBoth, item.text.size(), i});
    }
    if (!m_pattern.isEmpty()) {
        std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
            return std::tie(a.needsPath, b.score, a.length, a.item)
                < std::tie(b.needsPath, a.score, b.length, b.item);
        });
        m_rows.clear();
        for (const Match& match : matches)
            m_rows.push_back(match.item);
    }
    endResetModel();
}

int QuickPickModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant QuickPickModel::data(const QModelIndex& index, int role) const
{
    const QuickPickItem& item = itemAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.text;
    case Qt::ToolTipRole:
        return item.reason;
    case Qt::AccessibleTextRole: {
        QStringList parts{item.path.isEmpty() ? item.text : pathAndText(item), item.note, item.reason};
        if (item.isChecked)
            parts << (*item.isChecked ? tr("on") : tr("off"));
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    default:
        return {};
    }
}

/// Items that cannot be chosen can still be highlighted, so that their reason is readable.
Qt::ItemFlags QuickPickModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

void QuickPickDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    const QuickPickItem& item = m_model->itemAt(index.row());
    const Surfaces colors = surfaces(option.palette);
    painter->save();
    painter->setClipRect(option.rect);
    painter->setFont(option.font);
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colors.selection);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, colors.grid);
    const QRect line = option.rect.adjusted(pickMargin, 0, -pickMargin, 0);
    painter->setPen(item.isEnabled ? colors.text : colors.dimText);
    if (item.isChecked.value_or(false))
        drawCheck(*painter, QRect(line.left() - 3, line.top(), checkWidth - 8, line.height()));
    QRect rest = line.adjusted(m_model->hasChecks() ? checkWidth : 0, 0, 0, 0);
    const int noteWidth = option.fontMetrics.horizontalAdvance(item.note);
    const int right = rest.right() - (noteWidth > 0 ? noteWidth + pickGap : 0);

    std::vector<qsizetype> inText = m_model->pattern().positions(item.text);
    std::vector<qsizetype> inPath;
    if (inText.empty() && !item.path.isEmpty()) {
        const qsizetype textBegin = item.path.size() + arrow.size();
        for (const qsizetype at : m_model->pattern().positions(pathAndText(item))) {
            if (at < textBegin)
                inPath.push_back(at);
            else
                inText.push_back(at - textBegin);
        }
    }
    const QPen pen = painter->pen();
    if (!item.path.isEmpty()) {
        painter->setPen(colors.dimText);
        rest.setLeft(drawLetters(*painter, rest, right, item.path + arrow, inPath));
        painter->setPen(pen);
    }
    rest.setLeft(drawLetters(*painter, rest, right, item.text, inText));
    painter->setPen(colors.dimText);
    if (!item.isEnabled && !item.reason.isEmpty()) {
        const QRect place(rest.left() + pickGap, rest.top(), right - rest.left() - pickGap, rest.height());
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(item.reason, Qt::ElideRight, place.width()));
    }
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, item.note);
    painter->restore();
}

QSize QuickPickDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {0, option.fontMetrics.height() + 12};
}

} // namespace collscope
