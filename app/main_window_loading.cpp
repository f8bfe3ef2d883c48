// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How the main window opens a run: request, load, show or revert, and remember recent runs.

#include "app/main_window.h"
#include "app/metrics_controller.h"
#include "app/resources.h"
#include "app/session_store.h"
#include "views/quick_pick.h"
#include "views/search/search_bar.h"
#include "views/timeline/timeline_view.h"
#include "views/welcome_page.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

#include <utility>

namespace collscope {

namespace {

constexpr int recentLimit = 10;
const QString recentKey = QStringLiteral("recentRuns");

} // namespace

void MainWindow::openPaths(const QStringList& paths, const LoadOptions& options)
{
    start({SessionStore::runsOf(paths), options});
}

void MainWindow::openDemo()
{
    const QString demo = resourceFolder(QStringLiteral("demo"));
    if (!demo.isEmpty())
        return openPaths({demo});
    const QString message = tr("The demo run is not installed.");
    m_banner->showMessage({BannerTone::Error, message, QStringLiteral("run")});
    emit openFailed(message);
}

void MainWindow::chooseFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open trace files"), m_opened.paths.value(0),
        tr("Traces (*.json *.json.gz *.jsonl *.sqlite *.bin *.nsys-rep);;All files (*)"));
    if (!files.isEmpty())
        openPaths(files);
}

void MainWindow::chooseFolder()
{
    const QString folder = chooseRunFolder(this, tr("Open run folder"), m_opened.paths.value(0));
    if (!folder.isEmpty())
        openPaths({folder});
}

/// Focuses the timeline, but not while the user is typing: the rest of the word would trigger commands.
void MainWindow::focusTimeline()
{
    const QWidget* focus = QApplication::focusWidget();
    const bool isTyping
        = qobject_cast<const QLineEdit*>(focus) || qobject_cast<const QAbstractSpinBox*>(focus);
    if (!isTyping && !m_search->isAncestorOf(focus) && !m_quickPick->isOpen())
        m_timeline->setFocus();
}

/// The only way to start a load, so that all loads can be cancelled, timed and reverted in the same way.
void MainWindow::start(Request request)
{
    takePreviewBack(); // of a load that this one replaces
    m_pending = std::move(request);
    m_pending.options.kernelRules = m_numbers->definitions().kernelRules();
    for (const auto& about : {QStringLiteral("run"), QStringLiteral("location"), QStringLiteral("export"),
                              QStringLiteral("findings"), QStringLiteral("reports")})
        m_banner->retract(about);
    m_sinceStart.start();
    m_loadJob.start(m_pending.paths, m_pending.options);
    setLoading(true);
    m_bar.status->setText(tr("Loading %1").arg(QFileInfo(m_pending.paths.value(0)).fileName()));
}

/// Whether the run being loaded is the current run.
bool MainWindow::isSameRequest() const
{
    return m_opened.paths == m_pending.paths && m_opened.options.iteration == m_pending.options.iteration
        && !m_opened.paths.isEmpty();
}

void MainWindow::reload()
{
    // Before a run is open, reload retries the failed one.
    Request request = m_opened.paths.isEmpty() ? m_pending : m_opened;
    if (!m_opened.paths.isEmpty())
        request.options.ranks = m_manualRanks;
    if (!request.paths.isEmpty())
        start(std::move(request));
}

void MainWindow::chooseIteration()
{
    Request request = m_opened;
    request.options.iteration = {IterationChoice::Mode::One, m_iterations->currentData().toLongLong()};
    start(std::move(request));
}

void MainWindow::setLoading(bool loading) const
{
    m_bar.progress->setVisible(loading);
    m_bar.cancel->setVisible(loading);
    m_bar.progress->setValue(0);
    m_bar.progress->setRange(0, 100);
}

void MainWindow::onLoaded(const TraceModelPtr& model)
{
    m_loadSeconds = static_cast<double>(m_sinceStart.elapsed()) / 1000.0;
    const bool isPreview = std::exchange(m_isPreview, false);
    const bool isReload = isSameRequest();
    // Edits made in the run are kept when it is reloaded, and so are edits made in its preview.
    std::optional<Session> made;
    if (isPreview || isReload)
        made = session();
    else
        keepSession();
    if (isPreview && made->visible == m_previewRange)
        made->visible.reset(); // an unmoved view gets the initial view of the complete run
    if (isPreview && isReload && m_sessionBefore) // the preview could show only a part of it
        made = joined(*m_sessionBefore, *made);
    m_opened = m_pending;
    m_opened.options.exportsReports = false; // requested only once
    setLoading(false);
    m_beforePreview.reset();
    m_sessionBefore.reset();
    showRun(model);
    const auto kept = isReload ? std::nullopt : bringSessionBack();
    if (isReload && m_manualRanks.empty())
        m_sessionFile = m_sessions.fileOf(*model);
    if (made)
        restore(kept ? joined(*kept, *made) : *made);
    fillIterations();
    updateStatus();
    rememberRun(m_opened.paths.value(0));
    focusTimeline();
    matchCollectives();
    showUnrecognised();
    reportExclusions();
    m_numbers->definitions().reload(); // the user may have changed them before reopening a run
    showSessionStatus();
    showFindings();
    offerExport();
    emit runOpened();
    if (m_manualRanks != m_opened.options.ranks)
        loadWithRanks(m_manualRanks);
}

void MainWindow::showRun(const TraceModelPtr& model)
{
    const bool isFirst = !m_state.model();
    m_pages->setCurrentWidget(m_runPage);
    if (isFirst)
        showDocks();
    m_state.setModel(model);
    fillSteps();
    updateRangeLabel();
    setWindowTitle(tr("%1 \u2014 Collscope").arg(QString::fromStdString(model->title)));
}

void MainWindow::onPreviewed(const TraceModelPtr& model)
{
    if (!m_loadJob.isRunning())
        return;
    keepSession();
    m_beforePreview = m_state.model();
    m_sessionBefore.reset();
    if (m_beforePreview)
        m_sessionBefore = session();
    m_isPreview = true;
    // Values of a part would be mistaken for values of the run: the panel waits for the complete run.
    m_context->controllers.cancel();
    m_collectivesJob.cancel();
    m_collectivesPending = false;
    showRun(model);
    if (m_beforePreview && isSameRequest())
        restore(*m_sessionBefore);
    m_previewRange = m_state.visibleRange();
    focusTimeline();
    m_bar.status->setText(tr("Loading %1 \u2014 a preview is shown, the rest follows")
                              .arg(QFileInfo(m_pending.paths.value(0)).fileName()));
    emit runPreviewed();
}

void MainWindow::takePreviewBack()
{
    if (!std::exchange(m_isPreview, false))
        return;
    if (const TraceModelPtr before = std::exchange(m_beforePreview, nullptr)) {
        showRun(before);
        restore(*std::exchange(m_sessionBefore, std::nullopt));
        matchCollectives();
    } else {
        m_state.setModel(nullptr);
        m_pages->setCurrentWidget(m_welcome);
        setWindowTitle(tr("Collscope"));
        for (QDockWidget* dock : findChildren<QDockWidget*>())
            dock->hide();
    }
}

void MainWindow::onFailed(const QString& message)
{
    m_wantedTests.clear(); // the baseline is missing
    setLoading(false);
    takePreviewBack();
    fillIterations();
    updateStatus();
    if (!m_loadJob.foundRuns().empty())
        return offerRuns(m_loadJob.foundRuns());
    m_banner->showMessage({BannerTone::Error, message, QStringLiteral("run"), tr("Try again"),
                           [this, request = m_pending] { start(request); }});
    offerExport();
    emit openFailed(message);
}

void MainWindow::onCancelled()
{
    m_wantedTests.clear();
    setLoading(false);
    takePreviewBack();
    fillIterations(); // back to the current iteration
    updateStatus();
    emit openCancelled();
}

void MainWindow::fillSteps()
{
    m_steps->clear();
    m_steps->addItem(tr("Step"));
    m_steps->setEnabled(false);
    m_steps->setToolTip(tr("Open a run with step markers to jump to a step"));
    if (!m_state.model())
        return;
    const std::vector<Timeline>& timelines = m_state.model()->timelines;
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        const Timeline& timeline = timelines[i];
        if (timeline.stepSource == StepSource::WholeTrace || timeline.steps.empty())
            continue;
        for (const Step& step : timeline.steps) {
            const TimeRange range = m_state.clocks().toAxis(i, step.range);
            m_steps->addItem(tr("Step %1").arg(step.number),
                             QVariant::fromValue(std::pair(range.beginNs, range.endNs)));
        }
        m_steps->setEnabled(true);
        m_steps->setToolTip(tr("Show a step"));
        return;
    }
}

void MainWindow::fillIterations()
{
    m_iterations->clear();
    const TraceModelPtr& model = m_state.model();
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

QStringList MainWindow::recentRuns() const
{
    return m_settings == UserSettings::Use ? QSettings().value(recentKey).toStringList() : QStringList();
}

void MainWindow::rememberRun(const QString& path)
{
    if (m_settings == UserSettings::Ignore || path.isEmpty())
        return;
    QStringList recent = recentRuns();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    QSettings().setValue(recentKey, recent.mid(0, recentLimit));
    rebuildRecentMenu();
}

void MainWindow::rebuildRecentMenu()
{
    m_recentMenu->clear();
    const QStringList recent = recentRuns();
    for (const QString& path : recent)
        m_recentMenu->addAction(QDir::toNativeSeparators(path), this, [this, path] { openPaths({path}); });
    m_recentMenu->setEnabled(!recent.isEmpty());
    m_welcome->setRecent(recent);
}

} // namespace collscope
