// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/what_if_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/actions.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/common/format.h"
#include "views/whatif/what_if_view.h"

namespace collscope {

WhatIfController::WhatIfController(WindowContext& context, const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new WhatIfView(&context.state, context.tabs))
    , m_replay([this](const WhatIfAnswerPtr& answer) {
        m_view->setAnswer(answer);
        emit ready();
    })
    , m_play([this](const ScenarioAnswerPtr& answer) { m_view->addTried(*answer); })
    , m_ghost([this](const GhostLanesPtr& ghost) { state().setGhost(ghost); })
{
    setHelpPlace(m_view, "views_ranks#what-would-help");
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
        return QStringLiteral("bandwidth=2");
    const auto kernel = isKernel(kind) ? scenarioOfKernel(model.nameOf(slice), percent) : std::nullopt;
    return kernel ? toText(kernel->spec) : QStringLiteral("rank=%1").arg(model.timelineOf(slice).rank);
}

void WhatIfController::cancel()
{
    m_replay.cancel();
    m_play.cancel();
    m_ghost.cancel();
}

bool WhatIfController::isComputing() const
{
    return m_replay.isPending() || m_play.isPending() || m_ghost.isPending();
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
