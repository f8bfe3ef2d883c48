// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/metrics_controller.h"

#include "app/files/hardware_files.h"
#include "app/parts/actions.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/written_report.h"
#include "views/metrics/metrics_panel.h"
#include "views/widgets/banner.h"

#include <QMainWindow>
#include <QMenu>

#include <utility>

namespace collscope {

namespace {

std::vector<NamedResult> namedResults(const MetricsPanel& panel)
{
    std::vector<NamedResult> results;
    for (const auto& [request, result] : panel.results())
        results.push_back({request, result});
    return results;
}

} // namespace

MetricsController::MetricsController(WindowContext& context, MetricsPanel& panel)
    : Controller(context)
    , m_panel(panel)
    , m_definitions(context.settings == UserSettings::Use)
{
    setHelpPlace(&m_panel, "views_other#metrics-panel");
    connect(&m_job, &MetricJob::finished, this, [this](const std::shared_ptr<MetricJob::Results>& results) {
        m_panel.setResults(*results);
        emit ready();
    });
    connect(&m_explainJob, &MetricJob::finished, this,
            [this](const std::shared_ptr<MetricJob::Results>& results) {
                m_panel.setExplained(results->front().first, results->front().second);
            });
    connect(&state().run(), &RunContext::clocksChanged, this, &MetricsController::compute);
    connect(&m_panel, &MetricsPanel::optionsChanged, this, &MetricsController::compute);
    connect(&m_panel, &MetricsPanel::explanationWanted, this, &MetricsController::explain);
    connect(&m_panel, &MetricsPanel::guideWanted, this, &MetricsController::guideWanted);
    const Actions& actions = *context.actions;
    connect(&m_panel, &MetricsPanel::csvRequested, actions.action(QStringLiteral("exportCsv")),
            &QAction::trigger);
    connect(&m_panel, &MetricsPanel::jsonRequested, actions.action(QStringLiteral("exportJson")),
            &QAction::trigger);
    connectDefinitions();
    loadHardware();
    m_definitions.reload();
}

void MetricsController::connectDefinitions()
{
    const Actions& actions = *context().actions;
    auto* menu = new QMenu(tr("Metric de&finitions"), &context().window);
    actions.menu(MenuId::File)->insertMenu(actions.action(QStringLiteral("exportCsv")), menu);
    connect(&m_definitions, &MetricDefinitions::failed, this, [this](const QString& message) {
        context().banner->showMessage({BannerTone::Warning, message, QStringLiteral("definitions"),
                                       tr("Try again"), [this] { m_definitions.reload(); }});
    });
    connect(&m_definitions, &MetricDefinitions::changed, this, [this, menu] {
        m_definitions.fill(menu);
        context().banner->retract(QStringLiteral("definitions"));
        // Values of a part would be mistaken for values of the run.
        if (!context().run.isPreview)
            compute();
    });
}

/// Loads device peaks and model sizes. If a user's table cannot be read, only its own entries are missing.
void MetricsController::loadHardware()
{
    auto hardware = loadHardwareDatabase({});
    if (hardware)
        m_hardware = std::move(*hardware);
    else
        context().banner->showMessage(
            {BannerTone::Warning,
             tr("Device peaks are unknown: %1").arg(QString::fromStdString(hardware.error().message)),
             QStringLiteral("peaks")});
}

MetricOptions MetricsController::runOptions() const
{
    MetricOptions options;
    options.hardware = m_hardware;
    options.collectives = state().run().collectives();
    options.clocks = state().run().clockChoice();
    return options;
}

MetricOptions MetricsController::options() const
{
    MetricOptions options = m_panel.options();
    const MetricOptions run = runOptions();
    options.hardware = run.hardware;
    options.collectives = run.collectives;
    options.clocks = run.clocks;
    return options;
}

void MetricsController::compute()
{
    if (!state().run().model() || context().run.isMatching)
        return;
    m_explainJob.cancel();
    m_straggler = std::make_shared<SharedStraggler>(threadPool(0));
    m_job.start(state().run().model(), options(), m_definitions.catalog().usual(), m_straggler);
    emit begun();
    m_straggler = nullptr; // it is in memory as long as somebody asks it
}

/// Explains one metric at a time: the slices it counted and values of other tools take memory and time.
void MetricsController::explain(const MetricRequest& request)
{
    if (!state().run().model() || context().run.isMatching || m_job.isPending())
        return;
    MetricOptions explained = options();
    explained.wantEvidence = true;
    explained.wantReferences = true;
    m_explainJob.start(state().run().model(), explained, {request});
}

void MetricsController::cancel()
{
    m_job.cancel();
    m_explainJob.cancel();
}

void MetricsController::showSelectedRange()
{
    context().window.findChild<QWidget*>(QStringLiteral("dockMetrics"))->show();
    m_panel.chooseSelectedRange();
}

void MetricsController::recolour()
{
    if (state().run().model())
        m_panel.setResults(MetricsPanel::Results(m_panel.results())); // colours are part of the rows
}

QByteArray MetricsController::csv() const
{
    return QByteArray::fromStdString(resultsCsv(namedResults(m_panel)));
}

QByteArray MetricsController::json() const
{
    return QByteArray::fromStdString(resultsJson(namedResults(m_panel)));
}

} // namespace collscope
