// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/run_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/controllers/session_controller.h"
#include "app/files/resources.h"
#include "app/parts/actions.h"
#include "app/remote/remote_address.h"
#include "views/widgets/banner.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QToolButton>

#include <utility>

namespace collscope {

RunController::RunController(WindowContext& context, Controllers& all, SessionController& session,
                             MetricsController& metrics)
    : Controller(context)
    , m_run(context.run)
    , m_all(all)
    , m_session(session)
    , m_metrics(metrics)
{
    connectJob();
    bindCommands();
    setLoading(false);
}

void RunController::connectJob()
{
    connect(&m_job, &LoadJob::progressChanged, this, [this](int percent, const QString& text) {
        context().bar.progress->setValue(percent);
        context().bar.status->setText(
            tr("Loading %1 \u00b7 %2").arg(QFileInfo(m_run.pending.paths.value(0)).fileName(), text));
    });
    connect(&m_job, &LoadJob::previewed, this, &RunController::onPreviewed);
    connect(&m_job, &LoadJob::loaded, this, &RunController::onLoaded);
    connect(&m_job, &LoadJob::failed, this, &RunController::onFailed);
    connect(&m_job, &LoadJob::cancelled, this, &RunController::onCancelled);
    connect(context().bar.cancel, &QToolButton::clicked, &m_job, &LoadJob::cancel);
    connect(&m_session, &SessionController::ranksAssigned, this, &RunController::loadWithRanks);
}

void RunController::bindCommands()
{
    Actions& actions = *context().actions;
    actions.bind(QStringLiteral("openFolder"), this, [this] { chooseFolder(); });
    actions.bind(QStringLiteral("openFiles"), this, [this] { chooseFiles(); });
    actions.bind(QStringLiteral("openRemote"), this, [this] { askForAddress(); });
    actions.bind(QStringLiteral("openDemo"), this, [this] { openDemo(); });
    actions.bind(QStringLiteral("reload"), this, [this] { reload(); });
}

void RunController::openPaths(const QStringList& paths, const LoadOptions& options)
{
    load({SessionStore::runsOf(paths), options});
}

void RunController::openDemo()
{
    const QString demo = QString::fromStdString(resourceFolder("demo"));
    if (!demo.isEmpty())
        return openPaths({demo});
    const QString message = tr("The demo run is not installed.");
    context().banner->showMessage({BannerTone::Error, message, QStringLiteral("run")});
    emit failed(message);
}

void RunController::chooseFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        &context().window, tr("Open trace files"), m_run.opened.paths.value(0),
        tr("Traces (*.json *.json.gz *.jsonl *.sqlite *.bin *.nsys-rep);;All files (*)"));
    if (!files.isEmpty())
        openPaths(files);
}

void RunController::askForAddress()
{
    auto* const dialog = new QInputDialog(&context().window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Open run on another machine"));
    dialog->setLabelText(tr("HOST:FOLDER or ssh://HOST/FOLDER. The program there reads the traces and sends "
                            "their events. If ssh has questions, connect once in a terminal."));
    const QString opened = m_run.opened.paths.value(0);
    dialog->setTextValue(isRemote(opened.toStdString()) ? opened : QStringLiteral("ssh://"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& typed) {
        openPaths(
            {QFile::decodeName(remoteAddressText(QFile::encodeName(typed.trimmed()).toStdString()).c_str())});
    });
    dialog->open();
}

void RunController::chooseFolder()
{
    const QString folder
        = chooseRunFolder(&context().window, tr("Open run folder"), m_run.opened.paths.value(0));
    if (!folder.isEmpty())
        openPaths({folder});
}

void RunController::load(RunRequest request)
{
    takePreviewBack(); // of a load that this one replaces
    m_run.pending = std::move(request);
    m_run.pending.options.kernelRules = m_metrics.definitions().kernelRules();
    for (const auto& about : {QStringLiteral("run"), QStringLiteral("location"), QStringLiteral("export"),
                              QStringLiteral("findings"), QStringLiteral("reports")})
        context().banner->retract(about);
    m_sinceStart.start();
    m_job.start(m_run.pending.paths, m_run.pending.options);
    setLoading(true);
    context().bar.status->setText(tr("Loading %1").arg(QFileInfo(m_run.pending.paths.value(0)).fileName()));
}

/// Whether the run being loaded is the current run.
bool RunController::isSameRequest() const
{
    const RunRequest& opened = m_run.opened;
    return opened.paths == m_run.pending.paths && opened.options.iteration == m_run.pending.options.iteration
        && !opened.paths.isEmpty();
}

void RunController::reload()
{
    // Before a run is open, reload retries the failed one.
    RunRequest request = m_run.opened.paths.isEmpty() ? m_run.pending : m_run.opened;
    if (!m_run.opened.paths.isEmpty())
        request.options.ranks = m_session.ranks();
    if (!request.paths.isEmpty())
        load(std::move(request));
}

void RunController::loadIteration(std::int64_t iteration)
{
    RunRequest request = m_run.opened;
    request.options.iteration = {IterationChoice::Mode::One, iteration};
    load(std::move(request));
}

void RunController::loadWithRanks()
{
    RunRequest request = m_run.opened;
    request.options.ranks = m_session.ranks();
    load(std::move(request));
}

void RunController::setLoading(bool loading)
{
    const WorkBar& bar = context().bar;
    bar.progress->setVisible(loading);
    bar.cancel->setVisible(loading);
    bar.progress->setValue(0);
    bar.progress->setRange(0, 100);
}

void RunController::onLoaded(const TraceModelPtr& model)
{
    m_run.loadSeconds = static_cast<double>(m_sinceStart.elapsed()) / 1000.0;
    const bool isPreview = std::exchange(m_run.isPreview, false);
    const bool isReload = isSameRequest();
    // Edits made in the run are kept when it is reloaded, and so are edits made in its preview.
    std::optional<Session> made;
    if (isPreview || isReload)
        made = m_session.session();
    else
        m_session.keep();
    if (isPreview && made->visible == m_previewRange)
        made->visible.reset(); // an unmoved view gets the initial view of the complete run
    if (isPreview && isReload && m_sessionBefore) // the preview could show only a part of it
        made = joined(*m_sessionBefore, *made);
    m_run.opened = m_run.pending;
    m_run.opened.options.exportsReports = false; // requested only once
    setLoading(false);
    m_beforePreview.reset();
    m_sessionBefore.reset();
    show(model);
    const auto kept = isReload ? std::nullopt : m_session.bringBack();
    if (isReload)
        m_session.followReload();
    if (made)
        m_session.restore(kept ? joined(*kept, *made) : *made);
    emit loaded();
    m_all.restart();
    emit opened();
    if (m_session.ranks() != m_run.opened.options.ranks)
        loadWithRanks();
}

void RunController::show(const TraceModelPtr& model)
{
    emit aboutToShow(*model);
    state().setModel(model);
}

void RunController::onPreviewed(const TraceModelPtr& model)
{
    if (!m_job.isRunning())
        return;
    m_session.keep();
    m_beforePreview = state().run().model();
    m_sessionBefore.reset();
    if (m_beforePreview)
        m_sessionBefore = m_session.session();
    m_run.isPreview = true;
    // Values of a part would be mistaken for values of the run: the views wait for the complete run.
    m_all.cancel();
    show(model);
    if (m_beforePreview && isSameRequest())
        m_session.restore(*m_sessionBefore);
    m_previewRange = state().viewport().visibleRange();
    context().bar.status->setText(tr("Loading %1 \u2014 a preview is shown, the rest follows")
                                      .arg(QFileInfo(m_run.pending.paths.value(0)).fileName()));
    emit previewed();
}

/// Restores what was shown before the preview of a load that failed or was cancelled.
void RunController::takePreviewBack()
{
    if (!std::exchange(m_run.isPreview, false))
        return;
    if (const TraceModelPtr before = std::exchange(m_beforePreview, nullptr)) {
        show(before);
        m_session.restore(*std::exchange(m_sessionBefore, std::nullopt));
        m_all.restart();
    } else {
        state().setModel(nullptr);
        emit closed();
    }
}

void RunController::onFailed(const QString& message)
{
    setLoading(false);
    takePreviewBack();
    emit notOpened();
    if (!m_job.foundRuns().empty()) {
        emit runsFound(m_job.foundRuns());
        return;
    }
    context().banner->showMessage({BannerTone::Error, message, QStringLiteral("run"), tr("Try again"),
                                   [this, request = m_run.pending] { load(request); }});
    emit loadFailed();
    emit failed(message);
}

void RunController::onCancelled()
{
    setLoading(false);
    takePreviewBack();
    emit notOpened();
    emit cancelled();
}

} // namespace collscope
