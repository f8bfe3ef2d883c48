// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/comparison/waterfall_view.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/tables/number_delegate.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace collscope {

namespace {

constexpr int barGap = 10;
constexpr int barChipSize = 10;
constexpr int lowestBar = 18;
constexpr int highestBar = 30;

/// The class whose colour represents a part in all views.
KernelClass classOf(StepPart part)
{
    switch (part) {
    case StepPart::Gemm:
        return KernelClass::Gemm;
    case StepPart::Attention:
        return KernelClass::Attention;
    case StepPart::Norm:
        return KernelClass::Norm;
    case StepPart::Elementwise:
        return KernelClass::Elementwise;
    case StepPart::Optimizer:
        return KernelClass::Optimizer;
    case StepPart::Moving:
    case StepPart::Waiting:
    case StepPart::Unsplit:
        return KernelClass::AllReduce; // the first of the warm hues
    case StepPart::Copies:
        return KernelClass::Copy;
    default:
        return KernelClass::OtherCompute;
    }
}

} // namespace

WaterfallView::WaterfallView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("waterfall"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Step time of the test versus the baseline, by part"));
    setAccessibleDescription(tr("Up and Down select a part, Enter shows it on both timelines"));
}

void WaterfallView::setWaterfall(const StepWaterfall& waterfall, const StepVerdicts& verdicts,
                                 const QString& baseLabel, const QString& testLabel, ComparedTimes times)
{
    m_times = times;
    m_waterfall = waterfall;
    m_verdicts = verdicts;
    m_baseLabel = baseLabel;
    m_testLabel = testLabel;
    m_parts.clear();
    m_spans.clear();
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        if (waterfall.base[i] != 0 || waterfall.test[i] != 0)
            m_parts.push_back(static_cast<StepPart>(i));
    }
    std::stable_sort(m_parts.begin(), m_parts.end(), [&](StepPart a, StepPart b) {
        return std::llabs(waterfall.change(a)) > std::llabs(waterfall.change(b));
    });
    std::int64_t at = waterfall.baseNs;
    std::int64_t low = std::min(waterfall.baseNs, waterfall.testNs);
    std::int64_t high = std::max(waterfall.baseNs, waterfall.testNs);
    for (const StepPart part : m_parts) {
        const std::int64_t next = at + waterfall.change(part);
        m_spans.push_back({at, next});
        low = std::min(low, next);
        high = std::max(high, next);
        at = next;
    }
    // Changes are small compared with the step, so the bars of the steps are cut off, with a visible break.
    constexpr std::int64_t leastShare = 4;
    const std::int64_t room = std::max<std::int64_t>((high - low) / 8, high / 200);
    m_fromNs = high - low > high / leastShare ? 0 : std::max<std::int64_t>(0, low - 2 * room);
    m_toNs = std::max<std::int64_t>(m_fromNs + 1, high + room);
    if (m_chosen && std::find(m_parts.begin(), m_parts.end(), *m_chosen) == m_parts.end())
        m_chosen.reset();
    updateGeometry();
    update();
}

void WaterfallView::choosePart(std::optional<StepPart> part)
{
    m_chosen = part;
    update();
}

int WaterfallView::rowHeight() const
{
    return std::clamp((height() - barGap) / std::max(1, rowCount()), lowestBar, highestBar);
}

QRect WaterfallView::rowRect(int row) const
{
    return {0, barGap / 2 + row * rowHeight(), width(), rowHeight()};
}

int WaterfallView::labelWidth() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics steps(bold);
    int widest = 0;
    for (int row = 0; row < rowCount(); ++row)
        widest = std::max(widest, steps.horizontalAdvance(labelOf(row)));
    return std::min(widest + 4 * barGap + barChipSize, width() / 2);
}

int WaterfallView::numberWidth() const
{
    int widest = 0;
    for (int row = 0; row < rowCount(); ++row)
        widest = std::max(widest, tabularWidth(fontMetrics(), numberOf(row)));
    return widest + 2 * barGap;
}

double WaterfallView::xOf(std::int64_t ns) const
{
    const double left = labelWidth();
    const double room = std::max(1.0, static_cast<double>(width()) - left - numberWidth());
    return left + static_cast<double>(ns - m_fromNs) / static_cast<double>(m_toNs - m_fromNs) * room;
}

QString WaterfallView::labelOf(int row) const
{
    if (row == 0)
        return m_baseLabel;
    return row == rowCount() - 1 ? m_testLabel
                                 : toText(stepPartName(m_parts[static_cast<std::size_t>(row) - 1]));
}

QString WaterfallView::numberOf(int row) const
{
    if (row == 0)
        return formatDuration(m_waterfall.baseNs);
    return row == rowCount() - 1
        ? formatDuration(m_waterfall.testNs)
        : formatChange(m_waterfall.change(m_parts[static_cast<std::size_t>(row) - 1]));
}

QString WaterfallView::toolTipOf(int row) const
{
    if (row == 0 || row == rowCount() - 1)
        return (m_times == ComparedTimes::Step ? tr("%1: mean step time %2 over %3 steps of all ranks shown")
                    : m_times == ComparedTimes::Unit ? tr("%1: %2 per unit of work, mean of %3 captures")
                                                     : tr("%1: %2, mean of %3 captures"))
            .arg(labelOf(row), formatDurationExact(row == 0 ? m_waterfall.baseNs : m_waterfall.testNs),
                 formatCount(row == 0 ? m_waterfall.baseSteps : m_waterfall.testSteps));
    const StepPart part = m_parts[static_cast<std::size_t>(row) - 1];
    const auto at = static_cast<std::size_t>(part);
    const std::int64_t whole = m_waterfall.testNs - m_waterfall.baseNs;
    QString text = (m_times == ComparedTimes::Step       ? tr("%1 of a step: %2 in %3, %4 in %5")
                        : m_times == ComparedTimes::Unit ? tr("%1 of a unit of work: %2 in %3, %4 in %5")
                                                         : tr("%1 of a capture: %2 in %3, %4 in %5"))
                       .arg(labelOf(row), formatDurationExact(m_waterfall.base[at]), m_baseLabel,
                            formatDurationExact(m_waterfall.test[at]), m_testLabel);
    text += QLatin1Char('\n') + toText(deltaStatusName(m_verdicts.parts[at].status));
    if (whole != 0)
        text += QLatin1Char('\n')
            + tr("%1 of the total difference")
                  .arg(formatPercent(100.0 * static_cast<double>(m_waterfall.change(part))
                                     / static_cast<double>(whole)));
    if (part == StepPart::Unsplit)
        text += QLatin1Char('\n')
            + tr("Waiting and transfer cannot be separated: the calls of the other ranks are not known");
    return text;
}

QRectF WaterfallView::barOf(StepPart part) const
{
    const auto found = std::find(m_parts.begin(), m_parts.end(), part);
    if (found == m_parts.end())
        return {};
    const auto place = static_cast<std::size_t>(found - m_parts.begin());
    const Span& span = m_spans[place];
    const double left = xOf(std::min(span.beginNs, span.endNs));
    const double right = xOf(std::max(span.beginNs, span.endNs));
    const QRect row = rowRect(static_cast<int>(place) + 1);
    const int margin = std::max(2, row.height() / 5);
    return {left, double(row.top() + margin), std::max(2.0, right - left), double(row.height() - 2 * margin)};
}

void WaterfallView::paintChip(QPainter& painter, const QRect& box, StepPart part)
{
    const QColor color = kernelColor(classOf(part), palette());
    if (part == StepPart::Waiting)
        m_hatch.paint(painter, box, color, palette());
    else if (part == StepPart::Idle) {
        painter.setPen(surfaces(palette()).line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0, 0, -1, -1));
    } else
        painter.fillRect(box, color);
}

void WaterfallView::paintTexts(QPainter& painter, int row, int left, const QColor& ink,
                               const Surfaces& colors)
{
    const QRect box = rowRect(row);
    painter.setPen(colors.text);
    const QRect label(left, box.top(), labelWidth() - left - barGap, box.height());
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(labelOf(row), Qt::ElideMiddle, label.width()));
    painter.setPen(ink);
    drawTabular(painter, QRect(width() - numberWidth(), box.top(), numberWidth() - barGap, box.height()),
                numberOf(row));
}

/// Paints the step of a run (the first and the last row).
void WaterfallView::paintStep(QPainter& painter, int row, std::int64_t ns, const Surfaces& colors)
{
    QFont font = this->font();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    paintTexts(painter, row, barGap, colors.text, colors);
    const QRect box = rowRect(row);
    const int margin = std::max(2, box.height() / 5);
    const QRectF bar(labelWidth(), box.top() + margin, xOf(ns) - labelWidth(), box.height() - 2 * margin);
    painter.fillRect(bar, colors.dimText);
    if (isCut()) { // the bar starts at zero, far to the left
        painter.setPen(QPen(colors.base, 2));
        for (const double x : {bar.left() + 8, bar.left() + 13})
            painter.drawLine(QPointF(x + 3, bar.top() - 1), QPointF(x - 3, bar.bottom() + 1));
    }
}

/// Colour of a part that is better or worse; invalid for other parts.
QColor WaterfallView::inkOf(StepPart part, const Surfaces& colors) const
{
    if (m_times == ComparedTimes::Capture)
        return {};
    switch (m_verdicts.parts[static_cast<std::size_t>(part)].status) {
    case DeltaStatus::Better:
    case DeltaStatus::Gone:
        return colors.better;
    case DeltaStatus::Worse:
    case DeltaStatus::New:
        return colors.worse;
    case DeltaStatus::NotApplicable: // the part was zero in the baseline
        return m_waterfall.change(part) > 0 ? colors.worse : QColor();
    default:
        return {};
    }
}

void WaterfallView::paintPart(QPainter& painter, int row, StepPart part, const Surfaces& colors)
{
    const QRect box = rowRect(row);
    if (m_chosen == part)
        painter.fillRect(box, colors.selection);
    paintChip(painter, {barGap, box.center().y() - barChipSize / 2, barChipSize, barChipSize}, part);
    painter.setFont(font());
    const QColor ink = inkOf(part, colors);
    paintTexts(painter, row, 2 * barGap + barChipSize, ink.isValid() ? ink : colors.text, colors);
    const QRectF bar = barOf(part);
    painter.fillRect(bar, ink.isValid() ? ink : m_waterfall.change(part) == 0 ? colors.line : colors.dimText);
    // Connects to the start of the next bar.
    const double end = xOf(m_spans[static_cast<std::size_t>(row) - 1].endNs);
    painter.setPen(QPen(colors.dimText, 0, Qt::DotLine));
    painter.drawLine(QPointF(end, bar.bottom()), QPointF(end, bar.bottom() + box.height() - bar.height()));
}

void WaterfallView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_waterfall.baseSteps == 0)
        return;
    const Surfaces colors = surfaces(palette());
    paintStep(painter, 0, m_waterfall.baseNs, colors);
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        paintPart(painter, static_cast<int>(i) + 1, m_parts[i], colors);
    paintStep(painter, rowCount() - 1, m_waterfall.testNs, colors);
    if (hasFocus()) {
        painter.setPen(colors.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

int WaterfallView::rowAt(QPoint position) const
{
    const int row = (position.y() - barGap / 2) / rowHeight();
    return m_parts.empty() || row < 0 || row >= rowCount() ? -1 : row;
}

void WaterfallView::chooseRow(int row)
{
    if (row < 0)
        return;
    const bool isStep = row == 0 || row == rowCount() - 1;
    choosePart(isStep ? std::nullopt : std::optional(m_parts[static_cast<std::size_t>(row) - 1]));
    emit partChosen(m_chosen);
}

void WaterfallView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        chooseRow(rowAt(event->position().toPoint()));
}

void WaterfallView::keyPressEvent(QKeyEvent* event)
{
    const auto found = m_chosen ? std::find(m_parts.begin(), m_parts.end(), *m_chosen) : m_parts.end();
    const int row = found == m_parts.end() ? 0 : static_cast<int>(found - m_parts.begin()) + 1;
    switch (m_parts.empty() ? 0 : event->key()) {
    case Qt::Key_Up:
        return chooseRow(std::max(0, row - 1));
    case Qt::Key_Down:
        return chooseRow(std::min(rowCount() - 2, row + 1));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return chooseRow(row);
    default:
        QWidget::keyPressEvent(event);
    }
}

bool WaterfallView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        QToolTip::showText(help->globalPos(), row < 0 ? QString() : plainToolTip(toolTipOf(row)), this);
        return true;
    }
    return QWidget::event(event);
}

QSize WaterfallView::sizeHint() const
{
    return {420, barGap + rowCount() * 24};
}

QSize WaterfallView::minimumSizeHint() const
{
    return {280, barGap + rowCount() * lowestBar};
}

} // namespace collscope
