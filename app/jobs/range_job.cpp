// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/range_job.h"

#include "metrics/partition/exposure.h"

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
    connect(&state->run(), &RunContext::modelChanged, this, &RangeJob::start);
    connect(&state->run(), &RunContext::clocksChanged, this, &RangeJob::start);
    connect(&state->run(), &RunContext::exposureChanged, this, &RangeJob::start);
    connect(&state->preferences(), &ViewPreferences::hiddenRanksChanged, this, &RangeJob::start);
    connect(&state->selection(), &ViewSelection::rangeChanged, this, &RangeJob::start);
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, &RangeJob::startSoon);
}

TimeRange RangeJob::wantedRange() const
{
    return m_state->selection().range().value_or(m_state->viewport().visibleRange());
}

void RangeJob::start()
{
    m_settled.stop();
    m_job.cancel();
    m_asked.reset();
    if (!m_state->run().model())
        return;
    m_asked = wantedRange();
    m_job.start(m_state->run().model(), MetricOptions(),
                [range = *m_asked, clocks = m_state->run().clocks(),
                 hidden = m_state->preferences().hiddenRanks(), exposure = m_state->run().exposure()](
                    const TraceModel& model, const MetricOptions& options) -> RangeSummaryPtr {
                    auto summary = summarizeRange(model, clocks, range, hidden, options.cancelled);
                    if (summary && exposure)
                        addExposure(model, *exposure, clocks, hidden, options.cancelled, *summary);
                    return summary;
                });
}

void RangeJob::startSoon()
{
    if (!m_state->run().model() || m_asked == wantedRange())
        return;
    m_job.cancel();
    m_asked.reset();
    m_settled.start();
}

void RangeJob::onSummarized(const RangeSummaryPtr& summary)
{
    m_state->selection().setSummary(summary);
    emit finished();
}

} // namespace collscope
