// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/evidence_controller.h"

#include "app/parts/window_context.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace collscope {

EvidenceController::EvidenceController(WindowContext& context, const TimelineView& timeline)
    : Controller(context)
    , m_timeline(timeline)
{
    constexpr int settledMs = 100;
    m_settled.setSingleShot(true);
    m_settled.setInterval(settledMs);
    const auto lookAgain = [this] { m_settled.start(); };
    connect(&m_settled, &QTimer::timeout, this, &EvidenceController::offer);
    connect(&state().emphasis(), &Emphasis::evidenceChanged, this, [this, lookAgain] {
        m_isNew = true;
        lookAgain();
    });
    connect(&state().run(), &RunContext::modelChanged, this, lookAgain);
    connect(&state().viewport(), &Viewport::visibleRangeChanged, this, lookAgain);
    connect(&m_timeline, &TimelineView::rowsChanged, this, lookAgain);
    connect(m_timeline.verticalScrollBar(), &QScrollBar::valueChanged, this, lookAgain);
}

void EvidenceController::offer()
{
    const QString about = QStringLiteral("evidence");
    const bool isNew = std::exchange(m_isNew, false);
    const bool isNone = state().emphasis().evidence().empty() && state().emphasis().evidenceRanges().empty();
    if (!state().run().model() || isNone || m_timeline.positions().isEvidenceInSight())
        context().banner->retract(about);
    else if (isNew) // otherwise it is already shown, or the user closed it
        context().banner->showMessage(
            {BannerTone::Information,
             tr("The highlighted items are outside the visible part of the timeline."), about,
             tr("Show them"), [this] { showNearest(); }});
}

/// Shows the highlighted item that is nearest to the visible range.
void EvidenceController::showNearest()
{
    const TimeRange visible = state().viewport().visibleRange();
    const auto distance = [&](TimeRange range) {
        return std::max({std::int64_t{0}, range.beginNs - visible.endNs, visible.beginNs - range.endNs});
    };
    const auto nearest = [&](const auto& all, const auto& rangeOf) {
        return std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
            return distance(rangeOf(a)) < distance(rangeOf(b));
        });
    };
    const auto& slices = state().emphasis().evidence();
    const auto& ranges = state().emphasis().evidenceRanges();
    const auto slice = nearest(slices, [&](SliceRef one) { return state().run().rangeOf(one); });
    const auto range = nearest(ranges, [](TimeRange one) { return one; });
    if (slice != slices.end())
        state().revealSlice(*slice, true);
    else if (range != ranges.end())
        state().viewport().showRange(*range);
}

} // namespace collscope
