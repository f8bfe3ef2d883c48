// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/peak_chart.h"

#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QPainter>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int nearPeak = 14; ///< px
constexpr int markerSpacing = 12; ///< px; a less prominent peak closer than this to another is unmarked
constexpr int mostPeaks = 64;
constexpr int calmPeaks = 8;

} // namespace

PeakChart::PeakChart(ViewState* state, QWidget* parent)
    : TimelineChart(state, parent)
    , m_peakCount(new QSpinBox(this))
    , m_lastControls(new QBoxLayout(QBoxLayout::LeftToRight))
{
    m_peakCount->setRange(0, mostPeaks);
    m_peakCount->setValue(calmPeaks);
    m_peakCount->setPrefix(QString::fromUtf8("\u25be "));
    m_peakCount->setObjectName(QStringLiteral("peakCount"));
    m_peakCount->setAccessibleName(tr("Number of peaks to mark"));
    m_peakCount->setToolTip(tr("Number of peaks to mark (most prominent in view)"));
    m_peakCount->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // same height as the button
    m_lastControls->setSpacing(4);
    m_lastControls->addWidget(logButton());
    m_lastControls->addWidget(m_peakCount, 1);
    arrangeControls();
    const auto repaint = [this] { viewport()->update(); };
    connect(m_peakCount, &QSpinBox::valueChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::peakChanged, this, [this, repaint] {
        const ViewSelection& selection = this->state()->selection();
        if (const auto rank = selection.peak() ? selection.rankOf(*selection.peak()) : std::nullopt)
            showRank(*rank);
        repaint();
    });
    connect(&state->selection(), &ViewSelection::sliceChanged, this, [this, repaint] {
        if (const SliceRef slice = this->state()->selection().slice())
            showRank(this->state()->run().model()->timelineOf(slice).rank);
        repaint();
    });
    connect(&state->emphasis(), &Emphasis::evidenceChanged, this, &PeakChart::followEvidence);
}

/// Stays at a GPU that is part of the evidence.
void PeakChart::followEvidence()
{
    const std::vector<SliceRef>& slices = state()->emphasis().evidence();
    const auto rankOf = [this](SliceRef slice) { return state()->run().model()->timelineOf(slice).rank; };
    const auto isShown = [&](SliceRef slice) { return rankOf(slice) == shownRank(); };
    if (!slices.empty() && std::none_of(slices.begin(), slices.end(), isShown))
        showRank(rankOf(slices.front()));
}

void PeakChart::arrangeControls()
{
    const int wanted = logButton()->sizeHint().width() + m_lastControls->spacing()
        + m_peakCount->minimumSizeHint().width();
    m_lastControls->setDirection(wanted > headerWidth() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

int PeakChart::peakCount() const
{
    return m_peakCount->value();
}

void PeakChart::setPeakCount(int count)
{
    m_peakCount->setValue(count);
}

void PeakChart::setMarkers(std::vector<Marker> markers)
{
    m_markers = std::move(markers);
    viewport()->update();
}

std::optional<int> PeakChart::peakColumn(std::size_t index) const
{
    const TimeRange range = m_markers[index].range;
    const double x = axis().xOf(range.beginNs + range.lengthNs() / 2);
    return x < 0 || x > plot().width() ? std::nullopt : std::optional(static_cast<int>(plot().left() + x));
}

std::optional<std::size_t> PeakChart::peakOfSelection() const
{
    const auto work = state()->selection().gpuWork();
    if (!work || work->first != shownRank())
        return std::nullopt;
    std::optional<std::size_t> highest;
    for (std::size_t i = 0; i < m_markers.size(); ++i) {
        const bool isHigher = !highest || m_markers[i].height > m_markers[*highest].height;
        if (isHigher && m_markers[i].range.overlaps(work->second))
            highest = i;
    }
    return highest;
}

/// Indices into m_markers: the peak of the selection, then the others by prominence.
std::vector<std::size_t> PeakChart::markedPeaks() const
{
    std::vector<std::size_t> marked;
    std::vector<int> taken;
    const auto mark = [&](std::size_t i) {
        const auto column = peakColumn(i);
        const auto tooClose = [&](int other) { return std::abs(other - *column) < markerSpacing; };
        if (!column || marked.size() >= static_cast<std::size_t>(peakCount())
            || std::any_of(taken.begin(), taken.end(), tooClose))
            return;
        taken.push_back(*column);
        marked.push_back(i);
    };
    if (const auto ofSelection = peakOfSelection())
        mark(*ofSelection);
    for (std::size_t i = 0; i < m_markers.size(); ++i)
        mark(i);
    return marked;
}

std::optional<QPoint> PeakChart::peakPosition(std::size_t index) const
{
    const std::vector<std::size_t> marked = markedPeaks();
    if (std::find(marked.begin(), marked.end(), index) == marked.end())
        return std::nullopt;
    return QPoint(peakColumn(index).value_or(0), topMargin - 7);
}

std::optional<std::size_t> PeakChart::peakNear(QPoint position) const
{
    std::optional<std::size_t> nearest;
    int best = nearPeak + 1;
    for (const std::size_t i : markedPeaks()) {
        const int distance = std::abs(peakColumn(i).value_or(0) - position.x());
        if (distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

/// Labels the selected peak, otherwise the peak of the selected slice, otherwise the highest visible peak.
QRectF PeakChart::paintStrip(QPainter& painter)
{
    const Surfaces colors = surfaces(palette());
    const auto peak = state()->selection().peak();
    const auto ofSelection = peakOfSelection();
    std::optional<std::pair<int, double>> most;
    std::size_t named = 0;
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t i : markedPeaks()) {
        const bool isChosen = peak && *peak == peakAt(i);
        const bool isOfSelection = ofSelection == i;
        const std::pair weight(isChosen ? 2 : isOfSelection ? 1 : 0, m_markers[i].height);
        if (!most || weight > *most) {
            most = weight;
            named = i;
        }
        painter.setBrush(isChosen ? colors.worse : isOfSelection ? colors.accent : colors.dimText);
        const QPointF tip(peakColumn(i).value_or(0) + 0.5, topMargin - 2);
        painter.drawPolygon(QPolygonF({tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)}));
    }
    return most ? paintPeakText(painter, named) : QRectF();
}

QRectF PeakChart::paintPeakText(QPainter& painter, std::size_t index) const
{
    const Surfaces colors = surfaces(palette());
    const int x = peakColumn(index).value_or(0);
    const TimeRange range = m_markers[index].range;
    const QString text = peakText(index) + QStringLiteral(" \u00b7 ")
        + MomentText(*state()).of(range.beginNs, std::max<std::int64_t>(range.lengthNs(), 1));
    const int textWidth = QFontMetrics(font()).horizontalAdvance(text);
    const double left = x + 10 + textWidth < plot().right() ? x + 10 : x - 10 - textWidth;
    const QRectF box(left - 3, 1, textWidth + 6, topMargin - 3);
    painter.setPen(colors.text);
    painter.fillRect(box, colors.base);
    painter.drawText(QRectF(left, 0, textWidth + 2, topMargin - 2), Qt::AlignVCenter | Qt::AlignLeft, text);
    return box.united(QRectF(x - 6, 1, 12, topMargin - 3));
}

void PeakChart::clickAt(QPoint position)
{
    if (const auto index = peakNear(position))
        state()->selection().setPeak(peakAt(*index));
}

void PeakChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        arrangeControls();
    TimelineChart::changeEvent(event);
}

} // namespace collscope
