// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/export_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/actions.h"
#include "app/parts/save_file.h"
#include "app/parts/timeline_area.h"
#include "app/parts/view_export.h"
#include "app/parts/window_context.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/metrics/metrics_panel.h"
#include "views/tables/table_text.h"

#include <QMainWindow>
#include <QMenu>
#include <QPointer>

namespace collscope {

ExportController::ExportController(WindowContext& context, const MetricsController& metrics,
                                   MetricsPanel& panel, const TimelineArea& area)
    : Controller(context)
{
    context.actions->bind(QStringLiteral("exportCsv"), this, [this, &metrics] {
        save(nameOfMetrics() + QStringLiteral(".csv"), tr("CSV (*.csv)"), metrics.csv());
    });
    context.actions->bind(QStringLiteral("exportJson"), this, [this, &metrics] {
        save(nameOfMetrics() + QStringLiteral(".json"), tr("JSON (*.json)"), metrics.json());
    });
    buildMenu(panel, area);
    connectTables();
}

/// With the name of the run, so that those of several runs lie side by side in a folder.
QString ExportController::nameOfMetrics()
{
    const TraceModelPtr& model = state().run().model();
    return model ? fileNameOf(QString::fromStdString(model->title) + QStringLiteral("-metrics"))
                 : QStringLiteral("metrics");
}

void ExportController::connectTables()
{
    for (const TableExport* table : context().window.findChildren<TableExport*>()) {
        connect(table, &TableExport::wanted, this,
                [this](const QString& name, const QByteArray& csv) { save(name, tr("CSV (*.csv)"), csv); });
    }
}

void ExportController::buildMenu(MetricsPanel& panel, const TimelineArea& area)
{
    const Actions& actions = *context().actions;
    auto* menu = new QMenu(tr("Export a &view"), &context().window);
    menu->setToolTipsVisible(true);
    actions.menu(MenuId::File)->insertMenu(actions.action(QStringLiteral("exportCsv")), menu);
    const auto add = [&](const QString& id, const QString& text, const QString& part,
                         const std::function<QWidget*()>& widget) {
        QAction* action = menu->addAction(text, this, [this, part, widget] { saveView(part, widget()); });
        action->setObjectName(id);
        return action;
    };
    NvlinkChart* const nvlink = area.nvlink();
    add(QStringLiteral("exportWindow"), tr("&Whole window..."), tr("window"),
        [this] { return &context().window; });
    add(QStringLiteral("exportTimeline"), tr("&Timeline and NVLink..."), tr("timeline"),
        [nvlink] { // or what stands in its place
            QWidget* const own = nvlink->parentWidget();
            return own->isHidden() ? own->parentWidget() : own;
        });
    QAction* chart = add(QStringLiteral("exportChart"), tr("&NVLink..."), tr("nvlink"),
                         [nvlink, gpus = area.gpuCounters()]() -> QWidget* {
                             return nvlink->device() ? static_cast<QWidget*>(nvlink) : gpus;
                         });
    add(QStringLiteral("exportPanel"), tr("&Metrics..."), tr("metrics"), [&panel] { return &panel; });
    add(QStringLiteral("exportTab"), tr("Current ta&b..."), tr("tab"),
        [this] { return context().tabs->currentWidget(); });
    const auto update = [this, menu, chart, nvlink] {
        const bool hasRun = state().run().model() != nullptr;
        const bool hasNvlink = hasRun && (nvlink->device() || hasNvlinkCounters(*state().run().model()));
        for (QAction* action : menu->actions()) {
            action->setEnabled(hasRun && (action != chart || hasNvlink));
            action->setToolTip(action->isEnabled() ? QString()
                                   : hasRun        ? tr("This run has no NVLink counters")
                                                   : tr("Open a run first"));
        }
    };
    connect(&state().run(), &RunContext::modelChanged, this, update);
    update();
}

void ExportController::save(const QString& suggestion, const QString& filter, const QByteArray& content)
{
    if (!state().run().model())
        return;
    askWhereToSave(&context().window, tr("Export %1").arg(suggestion), suggestion, {filter},
                   [this, content](const QString& path) {
                       tellSaved(context().bar, *context().banner, path, saveFile(path, content));
                   });
}

void ExportController::saveView(const QString& part, QWidget* widget)
{
    const QString run = QString::fromStdString(state().run().model()->title);
    const QString title = tr("%1 \u2014 %2").arg(run, part);
    askWhereToSave(&context().window, tr("Export a view"),
                   fileNameOf(run + QLatin1Char('-') + part) + QStringLiteral(".png"), pictureFilters(),
                   [this, title, shown = QPointer<QWidget>(widget)](const QString& path) {
                       if (shown)
                           tellSaved(context().bar, *context().banner, path,
                                     savePicture(path, *shown, title));
                   });
}

} // namespace collscope
