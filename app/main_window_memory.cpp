// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// GPU memory in the main window: the chart below the timeline, the tab, and the replay for both.

#include "app/main_window.h"
#include "app/stop_request.h"
#include "app/window_parts.h"
#include "views/memory/memory_chart.h"
#include "views/memory/memory_view.h"

namespace collscope {

void MainWindow::buildMemoryTab()
{
    m_memory = new MemoryView(&m_state, m_tabs);
    addWantedTab(*m_tabs, m_memory, tr("Memory"));
    connect(&m_state, &ViewState::modelChanged, this, &MainWindow::replayMemory);
    connect(&m_state, &ViewState::memoryMomentChanged, this, [this] {
        if (!m_memory->history())
            replayMemory(); // of another GPU
    });
}

void MainWindow::replayMemory()
{
    m_memoryJob.cancel();
    const TraceModelPtr model = m_state.model();
    const auto& moment = m_state.memoryMoment();
    if (!model || !moment)
        return;
    m_memoryJob.ask(
        [model, of = moment->of](QPromise<MemoryHistoryPtr>& promise, const std::stop_token& stop) {
            if (MemoryHistoryPtr history = memoryHistory(*model, of, asksWhetherToStop(stop)))
                promise.addResult(std::move(history));
        });
}

void MainWindow::onMemoryReplayed(const MemoryHistoryPtr& history)
{
    m_memoryChart->setHistory(history);
    m_memory->setHistory(history);
    emit memoryReplayed();
}

} // namespace collscope
