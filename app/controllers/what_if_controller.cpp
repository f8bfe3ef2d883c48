// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/what_if_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/actions.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "metrics/whatif/finding_scenario.h"
#include "views/collectives/cause_view.h"
#include "views/common/format.h"
#include "views/ranks/rank_tree.h"
#include "views/summary/summary_view.h"
#include "views/whatif/gain_button.h"
#include "views/whatif/what_if_view.h"

#include <algorithm>

namespace collscope {

WhatIfController::WhatIfController(WindowContext& context, const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new WhatIfView(&context.state, context.tabs))
    , m_replay([this](const WhatIfAnswerPtr& answer) {
        m_view->setAnswer(answer);
        emit ready();
        findNextGain();
    })
    , m_play([this](const ScenarioAnswerPtr& answer) { m_view->addTried(*answer); })
    , m_ghost([this](const GhostLanesPtr& ghost) { state().setGhost(ghost); })
    , m_gain([this](const ScenarioAnswerPtr& answer) {
        m_wanted.erase(m_wanted.begin());
        emit gainKnown(answer);
        findNextGain();
    })
{
    setHelpPlace(m_view, "views_ranks#what-would-help");
    // What was asked with other clocks is not answered any more.
    connect(&state().run(), &RunContext::clocksChanged, this, [this] {
        m_play.cancel();
        m_gain.cancel();
        m_wanted.clear();
    });
    context.actions->bind(QStringLiteral("whatIfHere"), this, [this] {
        this->context().showTab(m_view);
        if (const SliceRef slice = state().selection().slice())
            m_view->tryScenario(scenarioAt(slice));
    });
    connect(m_view, &WhatIfView::answerWanted, this, &WhatIfController::replay);
    connect(m_view, &WhatIfView::scenarioWanted, this, &WhatIfController::play);
    connect(m_view, &WhatIfView::ghostWanted, this, &WhatIfController::showGhost);
}

/// What is worth a question about a slice: a faster kernel, more bandwidth, or a rank like the others.
QString WhatIfController::scenarioAt(SliceRef slice) const
{
    constexpr int percent = 50;
    const TraceModel& model = *state().run().model();
    const KernelClass kind = model.classOf(slice);
    if (isCommunication(kind))
        return bandwidthOf(slice);
    const auto kernel = isKernel(kind) ? scenarioOfKernel(model.nameOf(slice), percent) : std::nullopt;
    return kernel ? toText(kernel->spec) : QStringLiteral("rank=%1").arg(model.timelineOf(slice).rank);
}

/// Of the groups of a collective.
QString WhatIfController::bandwidthOf(SliceRef slice) const
{
    const RunCollectivesPtr& run = state().run().collectives();
    const std::optional<std::uint32_t> instance = run ? run->instanceOf(slice) : std::nullopt;
    const ParallelismKind kind = instance
        ? run->callOf(run->matching.membersOf(run->matching.instances[*instance]).front()).parallelismKind
        : ParallelismKind::Unknown;
    return toText(scenarioOfGroups("bandwidth", kind, "2").spec);
}

void WhatIfController::serve(SummaryView& summary, CauseView& causes, RankTree& ranks)
{
    for (GainButton* const button : {summary.whatIf(), causes.whatIf()}) {
        connect(button, &GainButton::gainWanted, this, &WhatIfController::wantGain);
        connect(button, &GainButton::whatIfWanted, this, &WhatIfController::tryOut);
        connect(this, &WhatIfController::gainKnown, button, &GainButton::setGain);
    }
    connect(&ranks, &RankTree::whatIfWanted, this, [this](const std::vector<std::int32_t>& asked) {
        if (const auto scenario = scenarioOfRanks(asked))
            tryOut(*scenario);
    });
}

void WhatIfController::tryOut(const Scenario& scenario)
{
    context().showTab(m_view);
    m_view->tryScenario(toText(scenario.spec));
}

void WhatIfController::wantGain(const Scenario& scenario)
{
    const bool isWanted = std::any_of(m_wanted.begin(), m_wanted.end(),
                                      [&](const Scenario& own) { return own.spec == scenario.spec; });
    if (!isWanted)
        m_wanted.push_back(scenario);
    findNextGain();
}

void WhatIfController::findNextGain()
{
    // The graph of a larger run takes seconds and gigabytes: not without being asked for.
    constexpr std::uint64_t mostSlices = 20'000'000;
    if (m_wanted.empty() || m_gain.isPending())
        return;
    const WhatIfAnswerPtr& answer = m_view->answer();
    if (!answer) {
        if (!m_replay.isPending() && state().run().model()->sliceCount() <= mostSlices)
            m_view->ask(WhatIfView::Ask::EvenUnseen);
        return;
    }
    if (answer->isRefused())
        return m_wanted.clear();
    m_gain.start(
        state().run().model(), m_metrics.runOptions(),
        [scenario = m_wanted.front(), replay = answer->replay](const TraceModel&, const MetricOptions&) {
            return std::make_shared<const ScenarioAnswer>(replay->answer(scenario));
        });
}

void WhatIfController::cancel()
{
    m_replay.cancel();
    m_play.cancel();
    m_ghost.cancel();
    m_gain.cancel();
    m_wanted.clear();
}

bool WhatIfController::isComputing() const
{
    return m_replay.isPending() || m_play.isPending() || m_ghost.isPending() || m_gain.isPending();
}

/// Of the whole run: other ranks decide how long a step takes.
void WhatIfController::replay()
{
    m_replay.start(state().run().model(), m_metrics.runOptions(),
                   [](const TraceModel& model, const MetricOptions& options) {
                       Analysis analysis(model, options);
                       return std::make_shared<const WhatIfAnswer>(answerWhatIf(analysis, {}));
                   });
}

void WhatIfController::play(const Scenario& scenario)
{
    m_play.start(state().run().model(), m_metrics.runOptions(),
                 [scenario, replay = m_view->answer()->replay](const TraceModel&, const MetricOptions&) {
                     return std::make_shared<const ScenarioAnswer>(replay->answer(scenario));
                 });
}

void WhatIfController::showGhost(const std::optional<Scenario>& scenario)
{
    m_ghost.cancel();
    if (!scenario)
        return state().setGhost(nullptr);
    m_ghost.start(
        state().run().model(), m_metrics.runOptions(),
        [scenario = *scenario, replay = m_view->answer()->replay](const TraceModel&, const MetricOptions&) {
            return std::make_shared<const GhostLanes>(replay->ghostOf(scenario));
        });
}

} // namespace collscope
