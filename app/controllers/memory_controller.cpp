// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/memory_controller.h"

#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "app/runtime/stop_request.h"
#include "views/memory/memory_chart.h"
#include "views/memory/memory_view.h"

namespace collscope {

MemoryController::MemoryController(WindowContext& context, MemoryChart& chart)
    : Controller(context)
    , m_chart(chart)
    , m_view(new MemoryView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_other#memory");
    connect(&state().run(), &RunContext::modelChanged, this, &MemoryController::replay);
    connect(&state().selection(), &ViewSelection::memoryMomentChanged, this, [this] {
        if (!m_view->history())
            replay(); // of another GPU
    });
}

bool MemoryController::isComputing() const
{
    return m_view->isComputing();
}

void MemoryController::replay()
{
    m_job.cancel();
    const TraceModelPtr model = state().run().model();
    const auto& moment = state().selection().memoryMoment();
    if (!model || !moment)
        return;
    m_job.ask([model, of = moment->of](QPromise<MemoryHistoryPtr>& promise, const std::stop_token& stop) {
        if (MemoryHistoryPtr history = memoryHistory(*model, of, asksWhetherToStop(stop)))
            promise.addResult(std::move(history));
    });
}

/// Where nothing else is on the axis, snapshots that were taken hours apart share it: each fills the chart.
void MemoryController::showWhole(const MemoryHistory& history)
{
    const TraceModel& model = *state().run().model();
    const TimeRange own = model.memory[history.of.snapshot].range();
    const TimeRange visible = state().viewport().visibleRange();
    const bool isAlone = model.timelines.empty() && model.nvlink.empty();
    if (isAlone && !own.isEmpty() && 2 * own.intersected(visible).lengthNs() < visible.lengthNs())
        state().viewport().showRange(own);
}

void MemoryController::onReplayed(const MemoryHistoryPtr& history)
{
    showWhole(*history);
    m_chart.setHistory(history);
    m_view->setHistory(history);
    // Without a timeline the summary cannot answer, and a hang is the better answer.
    const TraceModel& model = *state().run().model();
    if (model.timelines.empty() && !model.hang)
        context().chooseTab(m_view);
    emit ready();
}

} // namespace collscope
