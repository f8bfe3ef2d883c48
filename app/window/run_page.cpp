// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/window/run_page.h"

#include "app/parts/timeline_area.h"
#include "model/trace_model.h"
#include "views/summaries/rank_summaries_view.h"
#include "views/summary/finding_strip.h"
#include "views/timeline/minimap.h"

#include <QVBoxLayout>

namespace collscope {

// Widgets are created in the order in which Tab visits them.
RunPage::RunPage(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_area(new TimelineArea(state, this))
    , m_summaries(new RankSummariesView(state, this))
    , m_overview(new Minimap(state, this))
    , m_strip(new FindingStrip(state, this))
{
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_strip);
    layout->addWidget(m_area, 1);
    layout->addWidget(m_summaries, 1);
    m_summaries->hide();
}

bool RunPage::showPartsOf(const TraceModel& model)
{
    const bool hasCurves = !model.memory.empty() || !model.nvlink.empty();
    const bool isEmpty
        = (model.hang || model.history || model.network) && model.timelines.empty() && !hasCurves;
    const bool isSummarized = model.isSummarized();
    m_overview->setVisible(!isEmpty && !isSummarized);
    m_area->setVisible(!isEmpty && !isSummarized);
    m_summaries->setVisible(isSummarized);
    return isEmpty;
}

} // namespace collscope
