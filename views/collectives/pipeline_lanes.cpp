// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/pipeline_lanes.h"

#include "model/queries/slice_query.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

constexpr int rowPadding = 2; ///< px above a lane
constexpr int totalsHeight = 20;
constexpr int numbersHeight = 15;
constexpr int laneGap = 2;
constexpr int lowestLane = 32;
constexpr int highestLane = 64;
constexpr std::int64_t tolerancePixels = 2;

struct LaneText
{
    Q_DECLARE_TR_FUNCTIONS(PipelineLanes)
};

QString percent(const Bubble& bubble)
{
    const auto share = bubble.share();
    if (!share)
        return {};
    return formatPercent(100 * *share);
}

/// One line of pixels that is stretched over a lane: draws thousands of kernels at the cost of one image.
class PixelLine
{
public:
    explicit PixelLine(int width)
        : m_image(std::max(width, 1), 1, QImage::Format_ARGB32_Premultiplied)
    {
        m_image.fill(Qt::transparent);
    }
    void fill(int left, int right, const QColor& color, float coverage)
    {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(0));
        for (int x = std::max(left, 0); x < std::min(right, m_image.width()); ++x) {
            const auto mix = [&](int over, int under) {
                return static_cast<int>(std::lround(static_cast<float>(over) * coverage
                                                    + static_cast<float>(under) * (1 - coverage)));
            };
            const QRgb under = line[x];
            line[x] = qRgba(mix(color.red(), qRed(under)), mix(color.green(), qGreen(under)),
                            mix(color.blue(), qBlue(under)), mix(255, qAlpha(under)));
        }
    }
    void paint(QPainter& painter, const QRect& lane) const { painter.drawImage(lane, m_image); }

private:
    QImage m_image;
};

} // namespace

void paintWaiting(Hatch& hatch, QPainter& painter, const QRect& box, const QPalette& palette)
{
    constexpr int narrow = 4;
    QColor hue = kernelColor(KernelClass::SendRecv, palette);
    if (box.width() >= narrow)
        return hatch.paint(painter, box, hue, palette);
    hue.setAlphaF(0.5f);
    painter.fillRect(box, hue);
}

PipelineLanes::PipelineLanes(ViewState* state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("pipelineLanes"));
    setAccessibleName(tr("Pipeline stages"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // same as the timeline, so that their pixel columns align
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    const auto repaint = [this] { viewport()->update(); };
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::rangeChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::sliceChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::hoverTimeChanged, this, repaint);
    connect(&state->run(), &RunContext::clocksChanged, this, repaint);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        m_gesture.become(DragKind::None); // it started on another axis
        m_zoomRange.reset();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, repaint);
}

void PipelineLanes::setStages(std::vector<PipelineStage> stages)
{
    m_stages = std::move(stages);
    updateScrollBar();
    viewport()->update();
}

void PipelineLanes::setBubbles(BubbleTablePtr bubbles)
{
    m_bubbles = std::move(bubbles);
    viewport()->update();
}

const RankBubble* PipelineLanes::bubblesOf(const PipelineStage& stage) const
{
    if (!m_bubbles || m_bubbles->failure || !stage.rank)
        return nullptr;
    const auto found = std::find_if(m_bubbles->ranks.begin(), m_bubbles->ranks.end(),
                                    [&](const RankBubble& rank) { return rank.rank == *stage.rank; });
    return found == m_bubbles->ranks.end() ? nullptr : &*found;
}

/// The stages share the available height, within bounds.
int PipelineLanes::rowHeight() const
{
    const int room = viewport()->height() - totalsHeight;
    return std::clamp(room / std::max(1, static_cast<int>(m_stages.size())), lowestLane, highestLane);
}

int PipelineLanes::lanesWidth() const
{
    return std::max(1, viewport()->width() - timelineHeaderWidth);
}

void PipelineLanes::updateScrollBar()
{
    const int room = std::max(1, viewport()->height() - totalsHeight);
    verticalScrollBar()->setRange(0, std::max(0, rowHeight() * static_cast<int>(m_stages.size()) - room));
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setSingleStep(lowestLane / 2);
}

QRect PipelineLanes::laneRect(std::size_t stage) const
{
    return {timelineHeaderWidth,
            rowPadding + static_cast<int>(stage) * rowHeight() - verticalScrollBar()->value(), lanesWidth(),
            rowHeight() - rowPadding - numbersHeight - laneGap};
}

/// The visible range in a timeline's own time, in which its slices are stored.
TimeAxis PipelineLanes::axisOf(TimelineId timeline) const
{
    return {m_state->run().clocks().fromAxis(timeline.value, m_state->viewport().visibleRange()),
            static_cast<double>(lanesWidth())};
}

std::optional<std::size_t> PipelineLanes::stageAt(int y) const
{
    if (y < 0 || y >= viewport()->height() - totalsHeight)
        return std::nullopt;
    const auto stage
        = static_cast<std::size_t>((y + verticalScrollBar()->value()) / std::max(1, rowHeight()));
    return stage < m_stages.size() ? std::optional(stage) : std::nullopt;
}

StageWork PipelineLanes::workOf(TrackId track, std::size_t row) const
{
    const SliceColumns& slices = m_state->run().model()->track(track).slices;
    switch (activeKindOf(slices, row)) {
    case ActiveCompute:
        return StageWork::Compute;
    case ActiveCopy:
        return StageWork::Copy;
    case ActiveCommunication: {
        const bool known = m_bubbles && !m_bubbles->p2p.isOne.empty();
        const bool waits
            = known ? m_bubbles->p2p.holds(track, row) : slices.kernelClass[row] == KernelClass::SendRecv;
        return waits ? StageWork::Waiting : StageWork::Communication;
    }
    default:
        return StageWork::Idle; // memsets do not count as work of a stage
    }
}

TimeRange PipelineLanes::rangeOf(const StepBubble& step) const
{
    const auto timeline = m_state->run().model()->indexOf(*step.timeline);
    return m_state->run().clocks().toAxis(timeline, step.range);
}

std::pair<StageWork, SliceRef> PipelineLanes::workAt(QPoint position) const
{
    std::pair<StageWork, SliceRef> best{StageWork::Idle, {}};
    const auto index = stageAt(position.y());
    if (!index || position.x() < timelineHeaderWidth || !laneRect(*index).contains(position))
        return best;
    const TraceModel& model = *m_state->run().model();
    for (const std::int64_t tolerance : {std::int64_t{0}, tolerancePixels}) {
        for (const TimelineId id : m_stages[*index].timelines) {
            const TimeAxis axis = axisOf(id);
            const std::int64_t time = axis.timeAt(position.x() - timelineHeaderWidth);
            for (const TrackId track : model.timeline(id).tracks) {
                if (model.track(track).kind != TrackKind::GpuStream)
                    continue;
                const auto row = sliceAt(model.track(track).slices, time, 0, tolerance * axis.nsPerPixel());
                const StageWork work = row ? workOf(track, *row) : StageWork::Idle;
                if (work > best.first)
                    best = {work, {track, *row}};
            }
        }
        if (best.first != StageWork::Idle)
            break;
    }
    return best;
}

void PipelineLanes::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const Surfaces colors = surfaces(palette());
    painter.fillRect(viewport()->rect(), colors.base);
    if (!m_state->run().model())
        return;
    painter.save();
    painter.setClipRect(0, 0, viewport()->width(), viewport()->height() - totalsHeight);
    for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
        const QRect lane = laneRect(stage);
        if (lane.top() < viewport()->height() && lane.top() + rowHeight() > 0)
            paintStage(painter, stage);
    }
    painter.restore();
    paintTotals(painter);
    painter.fillRect(timelineHeaderWidth - 1, 0, 1, viewport()->height(), colors.line);
    paintOverlays(painter);
}

void PipelineLanes::paintStage(QPainter& painter, std::size_t index)
{
    const PipelineStage& stage = m_stages[index];
    const QRect lane = laneRect(index);
    const RankBubble* const bubbles = bubblesOf(stage);
    paintHeader(painter, {0, lane.top(), timelineHeaderWidth, lane.height() + numbersHeight},
                tr("stage %1").arg(stage.stage),
                stage.rank ? tr("rank %1").arg(*stage.rank) : tr("not loaded"),
                bubbles ? std::optional(bubbles->total) : std::nullopt);
    paintWork(painter, stage, lane);
    if (!bubbles)
        return;
    for (const StepBubble& step : bubbles->steps)
        paintNumbers(painter, lane.bottom() + 1, rangeOf(step), step.bubble, 1);
}

void PipelineLanes::paintWork(QPainter& painter, const PipelineStage& stage, const QRect& lane)
{
    struct Piece
    {
        DrawRect rect;
        StageWork work = StageWork::Idle;
    };
    const TraceModel& model = *m_state->run().model();
    const Surfaces colors = surfaces(palette());
    const QPalette palette = this->palette();
    std::vector<Piece> pieces;
    for (const TimelineId id : stage.timelines) {
        const TimeAxis axis = axisOf(id);
        for (const Step& step : model.timeline(id).steps) {
            const double left = std::max(axis.xOf(step.range.beginNs), 0.0);
            const double right = std::min(axis.xOf(step.range.endNs), axis.width());
            if (right > left) // the background of the lane shows where the stage is idle
                painter.fillRect(QRectF(lane.left() + std::floor(left), lane.top(),
                                        std::max(1.0, std::floor(right) - std::floor(left) - 1),
                                        lane.height()),
                                 colors.grid);
        }
        for (const TrackId track : model.timeline(id).tracks) {
            if (model.track(track).kind != TrackKind::GpuStream)
                continue;
            TimelineRow row;
            row.timeline = id;
            row.tracks = {track};
            for (const DrawRect& rect : drawRow(model, row, axis))
                pieces.push_back({rect, workOf(track, rect.slice.row)});
        }
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.work < b.work; });
    PixelLine line(lane.width());
    const auto edges = [](const DrawRect& rect) {
        const int left = static_cast<int>(std::floor(rect.x));
        const int right = std::max(left + 1, static_cast<int>(std::floor(rect.x + rect.width)));
        return std::pair(left, right - left > 3 ? right - 1 : right);
    };
    for (const Piece& piece : pieces) {
        const auto [left, right] = edges(piece.rect);
        if (piece.work == StageWork::Waiting)
            paintWaiting(m_hatch, painter, {lane.left() + left, lane.top(), right - left, lane.height()},
                         palette);
        else if (piece.work != StageWork::Idle)
            line.fill(left, right, kernelColor(piece.rect.kernelClass, palette), piece.rect.coverage);
    }
    line.paint(painter, lane);
    if (lane.height() < painter.fontMetrics().height() - 2)
        return;
    for (const Piece& piece : pieces) {
        const auto [left, right] = edges(piece.rect);
        const QRect box(lane.left() + left + 4, lane.top(), right - left - 6, lane.height());
        if (piece.work != StageWork::Compute || !piece.rect.name || box.width() < minLabelWidth)
            continue;
        const QString name = painter.fontMetrics().elidedText(shortName(model.text(piece.rect.name)),
                                                              Qt::ElideRight, box.width());
        if (!tellsAName(name))
            continue;
        painter.setPen(textOn(kernelColor(piece.rect.kernelClass, palette)));
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, name);
    }
}

void PipelineLanes::paintHeader(QPainter& painter, const QRect& area, const QString& title,
                                const QString& note, const std::optional<Bubble>& sum) const
{
    const Surfaces colors = surfaces(palette());
    const QRect line(area.left() + 10, area.top(), area.width() - 18, painter.fontMetrics().height());
    painter.save();
    QFont bold = painter.font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(colors.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
    painter.restore();
    painter.setPen(colors.dimText);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, note);
    if (!sum)
        return;
    const QRect second(line.left(), area.bottom() + 1 - numbersHeight, line.width(), numbersHeight);
    painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter, tr("bubble"));
    painter.drawText(second, Qt::AlignRight | Qt::AlignVCenter, percent(*sum));
}

/// Paints the numbers of a step at its right end; fewer numbers for shorter steps.
void PipelineLanes::paintNumbers(QPainter& painter, int top, TimeRange range, const Bubble& bubble,
                                 std::int64_t ranks) const
{
    const TimeAxis axis(m_state->viewport().visibleRange(), static_cast<double>(lanesWidth()));
    const double left = std::max(axis.xOf(range.beginNs), 0.0) + 4;
    const double right = std::min(axis.xOf(range.endNs), axis.width()) - 5;
    const QString share = percent(bubble);
    if (right <= left || share.isEmpty())
        return;
    painter.setPen(surfaces(palette()).dimText);
    for (const QString& text :
         {(ranks > 1 ? tr("busy %1 per rank \u00b7 bubble %2") : tr("busy %1 \u00b7 bubble %2"))
              .arg(formatDuration(bubble.busyNs() / std::max<std::int64_t>(ranks, 1)), share),
          tr("bubble %1").arg(share), share}) {
        if (painter.fontMetrics().horizontalAdvance(text) > right - left)
            continue;
        painter.drawText(QRectF(timelineHeaderWidth + left, top, right - left, numbersHeight),
                         Qt::AlignRight | Qt::AlignVCenter, text);
        return;
    }
}

/// Paints the totals over all ranks for each step, the values used by the metric.
void PipelineLanes::paintTotals(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const int top = viewport()->height() - totalsHeight;
    painter.fillRect(0, top, viewport()->width(), totalsHeight, colors.base);
    painter.fillRect(0, top, viewport()->width(), 1, colors.line);
    const bool known = m_bubbles && !m_bubbles->failure;
    painter.setPen(known ? colors.text : colors.dimText);
    const QRect header(10, top + 1, timelineHeaderWidth - 18, totalsHeight - 1);
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter,
                     known           ? tr("all %1 ranks").arg(m_bubbles->ranks.size())
                         : m_bubbles ? tr("no numbers")
                                     : tr("summing\u2026"));
    if (!known)
        return;
    painter.drawText(header, Qt::AlignRight | Qt::AlignVCenter, percent(m_bubbles->all));
    struct StepSum
    {
        TimeRange range;
        Bubble bubble;
        std::int64_t ranks = 0;
    };
    std::map<std::int64_t, StepSum> steps;
    for (const RankBubble& rank : m_bubbles->ranks) {
        for (const StepBubble& step : rank.steps) {
            const auto [entry, isNew] = steps.try_emplace(step.number);
            StepSum& sum = entry->second;
            sum.range = isNew ? rangeOf(step) : sum.range.united(rangeOf(step));
            sum.bubble += step.bubble;
            ++sum.ranks;
        }
    }
    for (const auto& [number, step] : steps)
        paintNumbers(painter, top + (totalsHeight - numbersHeight) / 2 + 1, step.range, step.bubble,
                     step.ranks);
}

void PipelineLanes::paintOverlays(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const TimeAxis axis(m_state->viewport().visibleRange(), static_cast<double>(lanesWidth()));
    painter.save();
    painter.setClipRect(timelineHeaderWidth, 0, lanesWidth(), viewport()->height());
    const auto x = [&](std::int64_t ns) {
        return timelineHeaderWidth
            + static_cast<int>(std::floor(std::clamp(axis.xOf(ns), -2.0, axis.width() + 2)));
    };
    const auto shade = [&](TimeRange range, QColor color) {
        color.setAlpha(38);
        painter.fillRect(x(range.beginNs), 0, std::max(1, x(range.endNs) - x(range.beginNs)),
                         viewport()->height(), color);
    };
    if (const auto range = m_state->selection().range())
        shade(*range, colors.accent);
    if (m_zoomRange)
        shade(*m_zoomRange, colors.dimText);
    const SliceRef selected = m_state->selection().slice();
    for (std::size_t stage = 0; selected && stage < m_stages.size(); ++stage) {
        const auto& own = m_stages[stage].timelines;
        const TimelineId timeline = m_state->run().model()->track(selected.track).timeline;
        if (std::find(own.begin(), own.end(), timeline) == own.end()
            || m_state->run().model()->track(selected.track).kind != TrackKind::GpuStream)
            continue;
        const TimeRange range = m_state->run().rangeOf(selected);
        const QRect lane = laneRect(stage);
        QPen pen(colors.accent, 2);
        painter.setPen(pen);
        painter.setClipRect(timelineHeaderWidth, 0, lanesWidth(), viewport()->height() - totalsHeight);
        painter.drawRect(x(range.beginNs), lane.top(), std::max(2, x(range.endNs) - x(range.beginNs)),
                         lane.height());
        painter.setClipRect(timelineHeaderWidth, 0, lanesWidth(), viewport()->height());
    }
    if (const auto hover = m_state->selection().hoverTime()) {
        QPen pen(colors.dimText, 1, Qt::DashLine);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLine(x(*hover), 0, x(*hover), viewport()->height());
    }
    painter.restore();
}

} // namespace collscope
