// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/main_window.h"

#include "app/cause_controller.h"
#include "app/collectives_controller.h"
#include "app/comparison_window.h"
#include "app/curves_controller.h"
#include "app/memory_controller.h"
#include "app/metrics_controller.h"
#include "app/pipeline_controller.h"
#include "app/runs_window.h"
#include "app/save_file.h"
#include "app/selection_controller.h"
#include "app/straggler_controller.h"
#include "app/timeline_area.h"
#include "views/format.h"
#include "views/metrics/metrics_panel.h"
#include "views/search/search_bar.h"
#include "views/tables/problems_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QSettings>

#include <utility>

/// The icons are in a static library, whose resources must be registered explicitly. Outside the namespace,
/// as Qt requires.
static void registerIcons()
{
    Q_INIT_RESOURCE(collscope);
}

namespace collscope {

namespace {

constexpr int layoutVersion = 1; ///< increase when docks change, so that an old layout is not restored

/// Returns the clock summary for the status bar; ClockAlignment::summary has the details.
QString clocksText(const ClockAlignment& clocks, ClockChoice choice)
{
    if (clocks.isUsed(choice))
        return MainWindow::tr("clocks aligned on %1 collectives, residual %2")
            .arg(QLocale().toString(qlonglong(clocks.collectives)), formatDuration(clocks.residualNs));
    if (choice == ClockChoice::Raw && clocks.isNeeded)
        return MainWindow::tr("raw clocks, differ by up to %1").arg(formatDuration(clocks.largestAheadNs()));
    return MainWindow::tr("clocks as recorded, agree within %1").arg(formatDuration(clocks.rawResidualNs));
}

} // namespace

MainWindow::MainWindow(UserSettings settings, QWidget* parent)
    : QMainWindow(parent)
    , m_context(std::make_unique<WindowContext>(*this, settings))
    , m_state(m_context->state)
    , m_actions(m_context->actions)
    , m_opened(m_context->run.opened)
    , m_isPreview(m_context->run.isPreview)
    , m_pending(m_context->run.pending)
    , m_tabs(m_context->tabs)
    , m_bar(m_context->bar)
    , m_banner(m_context->banner)
    , m_loadSeconds(m_context->run.loadSeconds)
    , m_collectivesPending(m_context->run.isMatching)
    , m_settings(settings)
{
    registerIcons();
    setWindowTitle(tr("Collscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/collscope.svg")));
    setAcceptDrops(true);
    m_actions = std::make_unique<Actions>(this, menuBar(), commands());
    buildViews();
    buildDocks();
    buildToolBar();
    buildStatusBar();
    m_recentMenu = new QMenu(tr("Open recen&t"), this);
    m_actions->menu(MenuId::File)->insertMenu(m_actions->action(QStringLiteral("openDemo")), m_recentMenu);
    rebuildRecentMenu();
    connectJobs();
    connectClocks();
    connectEdits();
    connectSearch();
    connectSession();
    connectRange();
    connectTables();
    connectTools();
    setLoading(false);
    fillSteps();
    fillIterations();
    updateRangeLabel();
    updateStatus();
    resize(1680, 1010);
    m_defaultLayout = saveState(layoutVersion);
    if (m_settings == UserSettings::Use) {
        resize(size().boundedTo(screen()->availableSize()));
        restoreLayout();
    }
    for (QDockWidget* dock : std::as_const(m_docks))
        dock->setVisible(false); // an empty window is one drop target
}

MainWindow::~MainWindow()
{
    for (const QPointer<ComparisonWindow>& comparison : m_comparisons)
        delete comparison.data();
}

void MainWindow::connectJobs()
{
    connect(&m_loadJob, &LoadJob::progressChanged, this, [this](int percent, const QString& text) {
        m_bar.progress->setValue(percent);
        m_bar.status->setText(
            tr("Loading %1 \u00b7 %2").arg(QFileInfo(m_pending.paths.value(0)).fileName(), text));
    });
    connect(&m_loadJob, &LoadJob::previewed, this, &MainWindow::onPreviewed);
    connect(&m_loadJob, &LoadJob::loaded, this, &MainWindow::onLoaded);
    connect(&m_loadJob, &LoadJob::failed, this, &MainWindow::onFailed);
    connect(&m_loadJob, &LoadJob::cancelled, this, &MainWindow::onCancelled);
    connect(&m_state, &ViewState::clocksChanged, this, [this] {
        fillSteps();
        updateStatus();
    });
    connect(m_numbers, &MetricsController::begun, this, [this] { m_stragglers->find(m_numbers->options()); });
    connect(m_numbers, &MetricsController::ready, this, &MainWindow::metricsReady);
    connect(m_curves, &CurvesController::ready, this, &MainWindow::nvlinkReady);
    connect(m_memory, &MemoryController::ready, this, &MainWindow::memoryReplayed);
    connect(m_collectives, &CollectivesController::ready, this, &MainWindow::ranksCompared);
    connect(m_stragglers, &StragglerController::ready, this, &MainWindow::ranksCompared);
    connect(m_causes, &CauseController::ready, this, &MainWindow::ranksCompared);
}

void MainWindow::showRunsTable()
{
    if (!m_runs) {
        m_runs = new RunsWindow(m_numbers->definitions().catalog().all(), m_numbers->hardware(), this);
        m_runs->setObjectName(QStringLiteral("runsWindow"));
        connect(m_runs, &RunsWindow::runActivated, this, [this](const QStringList& paths) {
            openPaths(paths);
            raise();
            activateWindow();
        });
    }
    m_runs->setKernelRules(m_numbers->definitions().kernelRules());
    m_runs->show();
    m_runs->raise();
}

void MainWindow::restoreLayout()
{
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    if (!restoreState(settings.value(QStringLiteral("layout")).toByteArray(), layoutVersion))
        return;
    std::copy_if(m_docks.cbegin(), m_docks.cend(), std::back_inserter(m_closedDocks),
                 [](const QDockWidget* dock) { return dock->isHidden(); });
}

/// Shows the docks with the first run; docks that the user closed stay closed.
void MainWindow::showDocks()
{
    for (QDockWidget* dock : std::as_const(m_docks)) {
        if (!m_closedDocks.contains(dock))
            dock->setVisible(true);
    }
}

bool MainWindow::isComputing() const
{
    return m_collectivesPending || m_context->controllers.isComputing() || m_finder.isRunning()
        || m_rangeJob.isRunning();
}

void MainWindow::matchCollectives()
{
    m_context->controllers.restart();
    m_collectivesPending = true;
    m_collectivesJob.start(m_state.model(), m_numbers->options(), matchRun);
}

void MainWindow::onMatched(const RunCollectivesPtr& collectives)
{
    m_collectivesPending = false;
    const bool wasKept = session() == m_kept;
    m_state.setCollectives(collectives);
    startComparison();
    restoreViewOnClocks();
    if (wasKept) // the axis may have changed although the user has not done anything
        m_kept = session();
    goToWanted();
    updateStatus();
    m_collectives->list();
    m_numbers->compute();
    m_pipeline->measure(m_numbers->options());
}

QByteArray MainWindow::metricsCsv() const
{
    return m_numbers->csv();
}

QByteArray MainWindow::metricsJson() const
{
    return m_numbers->json();
}

MetricDefinitions* MainWindow::metricDefinitions()
{
    return &m_numbers->definitions();
}

void MainWindow::saveExport(const QString& suggestion, const QString& filter, const QByteArray& content)
{
    if (!m_state.model())
        return;
    askWhereToSave(this, tr("Export"), suggestion, {filter}, [this, content](const QString& path) {
        tellSaved(m_bar, *m_banner, path, saveFile(path, content));
    });
}

void MainWindow::updateRangeLabel()
{
    if (!m_state.model()) {
        m_rangeLabel->clear();
        return;
    }
    const auto range = m_state.selectedRange();
    m_rangeLabel->setText(range ? tr("Selection  %1").arg(formatDuration(range->lengthNs()))
                                : tr("View  %1").arg(formatDuration(m_state.visibleRange().lengthNs())));
}

void MainWindow::settleForPicture()
{
    m_loadSeconds.reset();
    resetLayout();
    updateStatus();
}

void MainWindow::updateStatus()
{
    const TraceModelPtr& model = m_state.model();
    if (!model) {
        m_bar.status->setText(
            tr("Drop a run folder onto the window, or press %1")
                .arg(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O).toString(QKeySequence::NativeText)));
        return;
    }
    QStringList parts;
    const auto ranks = model->ranks().size();
    if (ranks > 0)
        parts << (ranks == 1 ? tr("1 rank") : tr("%1 ranks").arg(ranks));
    parts << tr("%1 events").arg(formatCount(model->eventCount()));
    if (m_loadSeconds)
        parts << tr("loaded in %1 s").arg(QLocale().toString(*m_loadSeconds, 'f', 2));
    if (model->isReduced())
        parts << tr("reduced, without most CPU operators");
    if (m_state.collectives() && m_state.collectives()->clocks.collectives > 0)
        parts << clocksText(m_state.collectives()->clocks, m_state.clockChoice());
    else
        parts << (model->hasWallClock ? tr("clocks: wall clock as recorded")
                                      : tr("clocks: as recorded, no wall clock"));
    const int problems = m_problems->count();
    parts << (problems == 0 ? tr("no problems") : tr("%n problem(s)", nullptr, problems));
    const std::uint64_t lost = model->problems.excludedEvents();
    parts << (lost == 1 ? tr("1 event excluded") : tr("%1 events excluded").arg(formatCount(lost)));
    m_bar.status->setText(parts.join(QStringLiteral(" \u00b7 ")));
}

void MainWindow::chooseTheme(ThemeChoice choice)
{
    applyTheme(*qApp, choice);
    if (m_settings == UserSettings::Use)
        QSettings().setValue(QLatin1String(themeSetting), static_cast<int>(choice));
    m_numbers->recolour();
}

void MainWindow::resetLayout()
{
    restoreState(m_defaultLayout, layoutVersion);
    m_closedDocks.clear();
    for (QDockWidget* dock : std::as_const(m_docks))
        dock->setVisible(m_state.model() != nullptr);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_settings == UserSettings::Use) {
        QSettings settings;
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        if (m_state.model())
            settings.setValue(QStringLiteral("layout"), saveState(layoutVersion));
    }
    keepSession();
    m_loadJob.cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_loadJob.isRunning())
        m_loadJob.cancel();
    else if (event->key() == Qt::Key_Escape && !m_search->isEmpty())
        m_search->clear();
    else if (event->key() == Qt::Key_Escape)
        m_state.clearSelection();
    else if (event->text() == QLatin1String("?")) // on platforms that report it as Shift plus another key
        showKeyOverview(this, *m_actions);
    else
        QMainWindow::keyPressEvent(event);
}

bool MainWindow::isComparingDrop(const QDropEvent& event) const
{
    return event.modifiers().testFlag(Qt::ControlModifier) && m_state.model();
}

void MainWindow::dragMoveEvent(QDragMoveEvent* event)
{
    m_dropOverlay->setText(isComparingDrop(*event) ? tr("Compare the current run with this one")
                               : m_state.model()   ? tr("Open as run\nCtrl: compare with the current run")
                                                   : tr("Open as run"));
    QMainWindow::dragMoveEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (localPaths(event->mimeData()).isEmpty())
        return;
    const Surfaces colors = surfaces(palette());
    m_dropOverlay->setStyleSheet(
        QStringLiteral("background: %1; color: %2; border: 3px dashed %2; font-size: 20pt;")
            .arg(colors.selection.name(), colors.accent.name()));
    m_dropOverlay->setGeometry(rect().adjusted(20, 20, -20, -20));
    m_dropOverlay->raise();
    m_dropOverlay->show();
    event->acceptProposedAction();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*)
{
    m_dropOverlay->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropOverlay->hide();
    const QStringList paths = localPaths(event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    if (isComparingDrop(*event))
        compareWith(paths);
    else
        openPaths(paths);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_dropOverlay->setGeometry(rect().adjusted(20, 20, -20, -20));
}

} // namespace collscope
