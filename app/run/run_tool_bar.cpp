// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/run_tool_bar.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "app/run/run_controller.h"
#include "views/common/format.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr int numberRole = Qt::UserRole + 1; ///< of a step

} // namespace

RunToolBar::RunToolBar(WindowContext& context, QWidget* parent)
    : QToolBar(tr("Tools"), parent)
    , m_context(context)
{
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    addCommand(QStringLiteral("openFolder"), tr("Open run..."), QStringLiteral("primary"));
    addCommand(QStringLiteral("compare"), tr("Compare..."));
    addCommand(QStringLiteral("fit"), tr("Fit"));
    addChoices();
    const ViewState& state = m_context.state;
    connect(m_steps, &QComboBox::activated, this, &RunToolBar::showStep);
    connect(&state.selection(), &ViewSelection::stepChanged, this, &RunToolBar::showChosenStep);
    connect(&state.selection(), &ViewSelection::rangeChanged, this, &RunToolBar::updateRangeLabel);
    connect(&state.viewport(), &Viewport::visibleRangeChanged, this, &RunToolBar::updateRangeLabel);
    connect(&state.run(), &RunContext::modelChanged, this, &RunToolBar::fillSteps);
    connect(&state.run(), &RunContext::clocksChanged, this, &RunToolBar::fillSteps);
    fillSteps();
    fillIterations();
    updateRangeLabel();
}

void RunToolBar::follow(RunController& run)
{
    connect(m_iterations, &QComboBox::activated, &run,
            [this, &run] { run.loadIteration(m_iterations->currentData().toLongLong()); });
    connect(&run, &RunController::loaded, this, &RunToolBar::fillIterations);
    // Back to the current iteration.
    connect(&run, &RunController::notOpened, this, &RunToolBar::fillIterations);
}

void RunToolBar::addCommand(const QString& id, const QString& text, const QString& objectName)
{
    auto* button = new QToolButton(this);
    button->setObjectName(objectName);
    QAction* const action = m_context.actions->action(id);
    action->setIconText(text); // of buttons; a text of the button itself is lost when the action changes
    button->setDefaultAction(action);
    addWidget(button);
}

void RunToolBar::addChoices()
{
    m_steps = new QComboBox(this);
    m_steps->setObjectName(QStringLiteral("stepChoice"));
    m_steps->setAccessibleName(tr("Step to show"));
    m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_steps->setMinimumWidth(130);
    addWidget(m_steps);
    m_iterations = new QComboBox(this);
    m_iterations->setObjectName(QStringLiteral("iterationChoice"));
    m_iterations->setAccessibleName(tr("Profiler iteration to load"));
    m_iterations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_iterationsAction = addWidget(m_iterations);
    m_rangeLabel = new QLabel(this);
    m_rangeLabel->setObjectName(QStringLiteral("rangeLabel"));
    m_rangeLabel->setContentsMargins(12, 0, 12, 0);
    addWidget(m_rangeLabel);
    auto* space = new QWidget(this);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(space);
}

void RunToolBar::fillSteps()
{
    m_steps->clear();
    m_steps->addItem(tr("Step"));
    m_steps->setEnabled(false);
    m_steps->setToolTip(tr("Open a run with step markers to jump to a step"));
    const TraceModelPtr& model = m_context.state.run().model();
    if (!model)
        return;
    if (model->isSummarized())
        return m_steps->setToolTip(tr("Open the trace of a rank to jump to a step"));
    const std::vector<Timeline>& timelines = model->timelines;
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        const Timeline& timeline = timelines[i];
        if (timeline.stepSource == StepSource::WholeTrace || timeline.steps.empty())
            continue;
        for (const Step& step : timeline.steps) {
            const TimeRange range = m_context.state.run().clocks().toAxis(i, step.range);
            m_steps->addItem(tr("Step %1").arg(step.number),
                             QVariant::fromValue(std::pair(range.beginNs, range.endNs)));
            m_steps->setItemData(m_steps->count() - 1, static_cast<qlonglong>(step.number), numberRole);
        }
        m_steps->setEnabled(true);
        m_steps->setToolTip(tr("Show a step"));
        showChosenStep();
        return;
    }
}

void RunToolBar::showStep(int index)
{
    const QVariant range = m_steps->itemData(index);
    if (!range.isValid())
        return;
    const auto [begin, end] = range.value<std::pair<std::int64_t, std::int64_t>>();
    m_context.state.viewport().showRange({begin, end});
    m_context.state.selection().setStep(m_steps->itemData(index, numberRole).toLongLong());
}

/// Names the chosen step, whoever chose it.
void RunToolBar::showChosenStep()
{
    const std::optional<std::int64_t> step = m_context.state.selection().step();
    const int index = step ? m_steps->findData(static_cast<qlonglong>(*step), numberRole) : 0;
    m_steps->setCurrentIndex(std::max(index, 0));
}

void RunToolBar::fillIterations()
{
    m_iterations->clear();
    const TraceModelPtr& model = m_context.state.run().model();
    m_iterationsAction->setVisible(model && model->iterationsOffered.size() > 1);
    if (!model)
        return;
    for (const std::int64_t iteration : model->iterationsOffered)
        m_iterations->addItem(tr("Iteration %1").arg(iteration),
                              QVariant::fromValue(static_cast<qlonglong>(iteration)));
    for (const Timeline& timeline : model->timelines) {
        const int index
            = m_iterations->findData(QVariant::fromValue(static_cast<qlonglong>(timeline.iteration)));
        if (index >= 0)
            m_iterations->setCurrentIndex(index);
    }
}

void RunToolBar::updateRangeLabel()
{
    const ViewState& state = m_context.state;
    const TraceModelPtr& model = state.run().model();
    if (!model || model->timelines.empty() || model->isSummarized()) {
        m_rangeLabel->clear();
        return;
    }
    const auto range = state.selection().range();
    m_rangeLabel->setText(
        range ? tr("Selection  %1").arg(formatDuration(range->lengthNs()))
              : tr("View  %1").arg(formatDuration(state.viewport().visibleRange().lengthNs())));
}

} // namespace collscope
