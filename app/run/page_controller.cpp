// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/page_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/files/page_origin.h"
#include "app/parts/actions.h"
#include "app/parts/save_file.h"
#include "app/parts/view_export.h"
#include "app/parts/window_context.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/page/page_of_run.h"

#include <QFile>

namespace collscope {

PageController::PageController(WindowContext& context, MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_job([this](const WrittenPtr& written) {
        const Status status = written->page
            ? saveFile(written->path, QByteArray::fromStdString(*written->page))
            : Status(written->page.error());
        tellSaved(this->context().bar, *this->context().banner, written->path, status);
    })
{
    context.actions->bind(QStringLiteral("exportPage"), this, [this] { ask(); });
}

void PageController::ask()
{
    const TraceModelPtr& model = state().run().model();
    if (!model || context().run.isPreview) // a preview is a part of the run
        return;
    askWhereToSave(&context().window, tr("Export a page to send"),
                   fileNameOf(QString::fromStdString(model->title)) + QStringLiteral(".html"),
                   {tr("HTML (*.html)")}, [this](const QString& path) { make(path); });
}

void PageController::make(const QString& path)
{
    const TraceModelPtr model = state().run().model();
    if (!model)
        return;
    context().tell(tr("Writing the page\u2026"));
    ShownRun shown{.paths = model->paths, .load = context().run.opened.options};
    for (const QString& file : m_metrics.definitions().files())
        shown.definitionFiles.push_back(QFile::encodeName(file).toStdString());
    shown.clocks = m_metrics.runOptions().clocks;
    m_job.start(
        model, m_metrics.runOptions(),
        [model, path, metrics = m_metrics.definitions().catalog().usual(),
         command = pageCommandOf(shown, QFile::encodeName(path).toStdString()),
         hasOwnRanks = !shown.load.ranks.empty()](const TraceModel&, const MetricOptions& options) {
            Analysis analysis(*model, options);
            PageOrigin origin = originOf(*model, command, threadPool(0), options.cancelled);
            if (hasOwnRanks)
                origin.note
                    = "In the window, ranks were assigned to files; the command has no option for that.";
            return std::make_shared<const Written>(
                Written{path, runPage(analysis, model, metrics, {}, origin)});
        });
}

} // namespace collscope
