// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/hang/hang_canvas.h"

#include "metrics/hang/hang_text.h"
#include "metrics/looks/hang_looks.h"
#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace collscope {

namespace {

constexpr int margin = 8;
constexpr int gap = 2;

/// Colours of a cell; its letter says the same.
struct CellColors
{
    QColor fill, ink;
};

CellColors colorsOf(HangCell cell, const Surfaces& colors)
{
    const auto mixed = [&](const QColor& color, double share) {
        const auto part = [&](int a, int b) { return static_cast<int>(share * a + (1 - share) * b); };
        return QColor(part(color.red(), colors.base.red()), part(color.green(), colors.base.green()),
                      part(color.blue(), colors.base.blue()));
    };
    switch (cell) {
    case HangCell::NotCalled:
        return {mixed(colors.worse, 0.85), colors.base};
    case HangCell::OtherArguments:
        return {mixed(colors.worse, 0.85), colors.base};
    case HangCell::Inside:
        return {mixed(colors.warning, 0.85), colors.base};
    case HangCell::Waiting:
        return {mixed(colors.accent, 0.30), colors.text};
    case HangCell::Started:
        return {mixed(colors.accent, 0.55), colors.text};
    case HangCell::Done:
        return {mixed(colors.better, 0.16), colors.dimText};
    case HangCell::Unknown:
        break;
    }
    return {mixed(colors.line, 0.5), colors.dimText};
}

/// hangCellLabels, for translators.
constexpr std::array<const char*, hangCellCount> translated{
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "not called"),
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "inside the call: the CPU has not returned from it"),
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "called, not finished"),
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "started on the GPU, not finished"),
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "finished"),
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "called with arguments that do not fit"),
    QT_TRANSLATE_NOOP("collscope::HangCanvas", "not known")};
static_assert(std::equal(translated.begin(), translated.end(), hangCellLabels.begin()));

} // namespace

QString hangCellText(HangCell cell)
{
    return HangCanvas::tr(translated[static_cast<std::size_t>(cell)]);
}

HangCanvas::HangCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("hangGrid"));
    setAccessibleName(tr("Ranks and their last calls"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setMouseTracking(true);
}

void HangCanvas::setGrid(HangCasePtr own, HangGrid grid, std::optional<std::int64_t> marked)
{
    m_case = std::move(own);
    m_grid = std::move(grid);
    m_marked = marked;
    m_chosen.reset();
    layOut();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    viewport()->update();
}

void HangCanvas::choose(Place place)
{
    m_chosen = place;
    const QRect cell = cellRect(place);
    const int top = m_rowHeight;
    if (cell.top() < top)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.top() - top);
    else if (cell.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.bottom() - viewport()->height());
    viewport()->update();
    emit cellChosen(place.row, place.column);
}

QString HangCanvas::rowText(const HangGrid::Row& row) const
{
    const QString ranks = toText(ranksText(m_case->job, row.ranks));
    return row.ranks.size() > 1 ? tr("%1: %2 alike").arg(ranks).arg(row.ranks.size()) : ranks;
}

void HangCanvas::layOut()
{
    const QFontMetrics metrics = fontMetrics();
    m_rowHeight = metrics.height() + 8;
    m_cellWidth = m_rowHeight;
    for (const std::int64_t number : m_grid.numbers)
        m_cellWidth = std::max(m_cellWidth, metrics.horizontalAdvance(QString::number(number)) + 10);
    m_labelWidth = 0;
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics widest(bold);
    constexpr std::size_t mostMeasured = 200;
    for (std::size_t i = 0; m_case && i < std::min(m_grid.rows.size(), mostMeasured); ++i)
        m_labelWidth = std::max(m_labelWidth, widest.horizontalAdvance(rowText(m_grid.rows[i])));
    m_labelWidth = std::min(m_labelWidth + 2 * margin, std::max(120, viewport()->width() / 2));
    const int height = m_rowHeight * (static_cast<int>(m_grid.rows.size()) + 1) + margin;
    const int width = m_labelWidth + m_cellWidth * static_cast<int>(m_grid.numbers.size()) + margin;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(m_rowHeight);
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(m_cellWidth);
}

QSize HangCanvas::sizeHint() const
{
    return {420, 200};
}

void HangCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

QRect HangCanvas::headerRect(int column) const
{
    return {m_labelWidth + column * m_cellWidth - horizontalScrollBar()->value(), 0, m_cellWidth,
            m_rowHeight};
}

QRect HangCanvas::cellRect(Place place) const
{
    return headerRect(place.column)
        .translated(0, m_rowHeight * (place.row + 1) - verticalScrollBar()->value());
}

std::optional<HangCanvas::Place> HangCanvas::placeAt(QPoint position) const
{
    if (position.y() < m_rowHeight || m_rowHeight == 0 || m_grid.numbers.empty())
        return std::nullopt;
    const int row = (position.y() - m_rowHeight + verticalScrollBar()->value()) / m_rowHeight;
    const int left = position.x() - m_labelWidth + horizontalScrollBar()->value();
    const int column = position.x() < m_labelWidth ? -1 : left / m_cellWidth;
    if (row < 0 || row >= static_cast<int>(m_grid.rows.size())
        || column >= static_cast<int>(m_grid.numbers.size()))
        return std::nullopt;
    return Place{row, column};
}

void HangCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (!m_case || m_grid.rows.empty())
        return;
    // Only what is in sight, however many ranks there are.
    const int first = verticalScrollBar()->value() / m_rowHeight;
    const int count = viewport()->height() / m_rowHeight + 2;
    const int last = std::min(first + count, static_cast<int>(m_grid.rows.size()));
    for (int row = first; row < last; ++row)
        paintRow(painter, row);
    paintHeader(painter);
}

void HangCanvas::paintHeader(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    painter.fillRect(0, 0, viewport()->width(), m_rowHeight, colors.base);
    for (int column = 0; column < static_cast<int>(m_grid.numbers.size()); ++column) {
        const QRect cell = headerRect(column);
        if (cell.right() <= m_labelWidth || cell.left() > viewport()->width())
            continue;
        const std::int64_t number = m_grid.numbers[static_cast<std::size_t>(column)];
        QFont font = painter.font();
        font.setBold(m_marked == number);
        painter.setFont(font);
        painter.setPen(m_marked == number ? colors.text : colors.dimText);
        painter.drawText(cell, Qt::AlignCenter, QString::number(number));
    }
    painter.setFont(this->font());
    painter.fillRect(0, 0, m_labelWidth, m_rowHeight, colors.base);
    painter.setPen(colors.dimText);
    painter.drawText(QRect(margin, 0, m_labelWidth - margin, m_rowHeight), Qt::AlignVCenter, tr("call"));
}

void HangCanvas::paintRow(QPainter& painter, int row) const
{
    const Surfaces colors = surfaces(palette());
    const HangGrid::Row& own = m_grid.rows[static_cast<std::size_t>(row)];
    for (int column = 0; column < static_cast<int>(own.cells.size()); ++column) {
        const QRect cell = cellRect({row, column}).adjusted(gap / 2, gap / 2, -gap / 2, -gap / 2);
        if (cell.right() <= m_labelWidth || cell.left() > viewport()->width())
            continue;
        const HangCell state = own.cells[static_cast<std::size_t>(column)];
        const CellColors look = colorsOf(state, colors);
        painter.fillRect(cell, look.fill);
        painter.setPen(look.ink);
        painter.drawText(cell, Qt::AlignCenter, QString(QLatin1Char(letterOf(state))));
        if (m_chosen == Place{row, column}) {
            painter.setPen(QPen(colors.text, 2));
            painter.drawRect(cell.adjusted(1, 1, -1, -1));
        }
    }
    const QRect label = QRect(0, cellRect({row, 0}).top(), m_labelWidth, m_rowHeight);
    painter.fillRect(label, colors.base);
    QFont font = this->font();
    font.setBold(own.isNamed);
    painter.setFont(font);
    painter.setPen(own.isNamed || own.distance > 0 ? colors.text : colors.dimText);
    const QString text
        = painter.fontMetrics().elidedText(rowText(own), Qt::ElideMiddle, m_labelWidth - 2 * margin);
    painter.drawText(label.adjusted(margin, 0, -margin, 0), Qt::AlignVCenter, text);
    painter.setFont(this->font());
}

QString HangCanvas::toolTipOf(Place place) const
{
    const HangGrid::Row& row = m_grid.rows[static_cast<std::size_t>(place.row)];
    QString text = rowText(row);
    if (place.column >= 0)
        text += tr("\nCall %1: %2")
                    .arg(m_grid.numbers[static_cast<std::size_t>(place.column)])
                    .arg(hangCellText(row.cells[static_cast<std::size_t>(place.column)]));
    if (row.distance > 0)
        text += tr("\n%n waits lead from here to who is waited for", nullptr, static_cast<int>(row.distance));
    return text;
}

bool HangCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const std::optional<Place> place = placeAt(help->pos());
        QToolTip::showText(help->globalPos(), place ? toolTipOf(*place) : QString(), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void HangCanvas::mousePressEvent(QMouseEvent* event)
{
    const std::optional<Place> place = placeAt(event->position().toPoint());
    if (place && event->button() == Qt::LeftButton)
        choose({place->row, std::max(place->column, 0)});
}

void HangCanvas::keyPressEvent(QKeyEvent* event)
{
    const int rows = static_cast<int>(m_grid.rows.size());
    const int columns = static_cast<int>(m_grid.numbers.size());
    if (rows == 0 || columns == 0)
        return QAbstractScrollArea::keyPressEvent(event);
    Place place = m_chosen.value_or(Place{});
    switch (event->key()) {
    case Qt::Key_Up:
        --place.row;
        break;
    case Qt::Key_Down:
        ++place.row;
        break;
    case Qt::Key_Left:
        --place.column;
        break;
    case Qt::Key_Right:
        ++place.column;
        break;
    case Qt::Key_Home:
        place.row = 0;
        break;
    case Qt::Key_End:
        place.row = rows - 1;
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    choose({std::clamp(place.row, 0, rows - 1), std::clamp(place.column, 0, columns - 1)});
}

} // namespace collscope
