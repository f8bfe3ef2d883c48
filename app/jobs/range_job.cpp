// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/range_job.h"

#include "metrics/analysis/range_summary.h"

namespace collscope {

namespace {
constexpr int rangeSettleMs = 100;
}

RangeJob::RangeJob(ViewState* state)
    : m_state(state)
{
    m_settled.setSingleShot(true);
    m_settled.setInterval(rangeSettleMs);
    connect(&m_settled, &QTimer::timeout, this, &RangeJob::start);
    connect(state, &ViewState::modelChanged, this, &RangeJob::start);
    connect(state, &ViewState::clocksChanged, this, &RangeJob::start);
    connect(state, &ViewState::hiddenRanksChanged, this, &RangeJob::start);
    connect(state, &ViewState::selectedRangeChanged, this, &RangeJob::start);
    connect(state, &ViewState::visibleRangeChanged, this, &RangeJob::startSoon);
}

TimeRange RangeJob::wantedRange() const
{
    return m_state->selectedRange().value_or(m_state->visibleRange());
}

void RangeJob::start()
{
    m_settled.stop();
    m_job.cancel();
    m_asked.reset();
    if (!m_state->model())
        return;
    m_asked = wantedRange();
    m_job.start(m_state->model(), MetricOptions(),
                [range = *m_asked, clocks = m_state->clocks(),
                 hidden = m_state->hiddenRanks()](const TraceModel& model, const MetricOptions& options) {
                    return summarizeRange(model, clocks, range, hidden, options.cancelled);
                });
}

void RangeJob::startSoon()
{
    if (!m_state->model() || m_asked == wantedRange())
        return;
    m_job.cancel();
    m_asked.reset();
    m_settled.start();
}

void RangeJob::onSummarized(const RangeSummaryPtr& summary)
{
    m_state->setRangeSummary(summary);
    emit finished();
}

} // namespace collscope
