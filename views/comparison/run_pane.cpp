// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/comparison/run_pane.h"

#include "views/common/format.h"
#include "views/timeline/timeline_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

RunPane::RunPane(const QString& role, QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(role, this))
    , m_facts(new QLabel(this))
    , m_timeline(new TimelineView(&m_state, this))
    , m_role(role)
{
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(10, 4, 10, 4);
    heading->setSpacing(10);
    heading->addWidget(m_title);
    heading->addWidget(m_facts, 1);
    for (QLabel* label : {m_title, m_facts}) {
        label->setTextFormat(Qt::PlainText);
        label->setMinimumWidth(1); // a long name must not shrink the other pane
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addWidget(m_timeline, 1);
    m_timeline->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // keeps both plots at the same width
    m_timeline->setAccessibleName(tr("Timeline: %1").arg(role));
    // The rows of groups move down what was shown before they came.
    connect(&m_state.run(), &RunContext::groupsChanged, this, [this] {
        if (m_state.selection().slice())
            m_state.scrollTo(m_state.selection().slice());
    });
}

void RunPane::showModel(const TraceModelPtr& model, const RunCollectivesPtr& collectives,
                        const QString& label)
{
    m_title->setText(tr("%1: %2").arg(m_role, label));
    m_title->setToolTip(plainToolTip(toText(model->paths.empty() ? "" : model->paths.front())));
    const std::size_t ranks = model->ranks().size();
    m_facts->setText(ranks == 1 ? tr("1 rank") : tr("%1 ranks").arg(ranks));
    if (m_state.run().model() != model)
        m_state.setModel(model);
    if (collectives)
        m_state.setCollectives(collectives);
}

void RunPane::setRun(const ComparedRunPtr& run)
{
    m_run = run;
    if (!run)
        return;
    showModel(run->model, run->options.collectives, toText(run->sheets.label));
    m_state.setClockChoice(run->options.clocks);
    const std::size_t steps = run->steps().size();
    m_facts->setText(tr("%1 \u00b7 %2")
                         .arg(m_facts->text(),
                              !run->hasSteps() ? tr("no step markers")
                                  : steps == 1 ? tr("1 step counted")
                                               : tr("%1 steps counted").arg(steps)));
}

void RunPane::showLocation(const ComparedLocation& place)
{
    m_state.emphasis().setEvidence(place.slices,
                                   place.gap ? std::vector<TimeRange>{*place.gap} : std::vector<TimeRange>());
    if (place.slice)
        m_state.revealSlice(place.slice, true);
    else
        m_state.selection().setSlice({});
}

void RunPane::showRank(std::int32_t rank)
{
    if (!m_run)
        return;
    for (const Timeline& timeline : m_run->model->timelines) {
        if (timeline.rank != rank || timeline.tracks.empty())
            continue;
        m_state.preferences().setRankHidden(rank, false);
        return m_timeline->navigator().goToTrack(timeline.tracks.front());
    }
}

std::int64_t RunPane::beginOfTransfer(std::uint32_t instance) const
{
    const RunCollectives& collectives = *m_run->options.collectives;
    std::int64_t begin = m_state.run().range().beginNs;
    for (const CallRef member : collectives.matching.membersOf(collectives.matching.instances[instance]))
        begin = std::max(begin, m_state.run().rangeOf(collectives.callOf(member).slice).beginNs);
    return begin;
}

} // namespace collscope
