// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/main_window.h"

#include "app/comparison_window.h"
#include "app/hardware_files.h"
#include "app/runs_window.h"
#include "app/save_file.h"
#include "metrics/export/written_report.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/collectives/pipeline_view.h"
#include "views/format.h"
#include "views/memory/memory_view.h"
#include "views/metrics/metrics_panel.h"
#include "views/search/search_bar.h"
#include "views/selection_details.h"
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
    m_definitionsMenu = new QMenu(tr("Metric de&finitions"), this);
    m_actions->menu(MenuId::File)
        ->insertMenu(m_actions->action(QStringLiteral("exportCsv")), m_definitionsMenu);
    connectJobs();
    connectClocks();
    connectEdits();
    connectSearch();
    connectSession();
    connectRange();
    connectTables();
    connectTools();
    loadTables();
    m_definitions.reload();
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
    connect(&m_metricJob, &MetricJob::finished, this,
            [this](const std::shared_ptr<MetricJob::Results>& results) {
                m_metricsPending = false;
                m_metrics->setResults(*results);
                emit metricsReady();
            });
    connect(&m_explainJob, &MetricJob::finished, this,
            [this](const std::shared_ptr<MetricJob::Results>& results) {
                m_explanationPending = false;
                m_metrics->setExplained(results->front().first, results->front().second);
            });
    connect(&m_state, &ViewState::modelChanged, this, [this] { m_bubblesJob.cancel(); });
    connect(&m_state, &ViewState::clocksChanged, this, [this] {
        fillSteps();
        updateStatus();
        listCollectives();
        computeMetrics();
    });
    connect(&m_nvlinkJob, &NvlinkJob::finished, this, [this](const NvlinkJob::Curves& curves) {
        m_chart->setCurves(curves.nvlink);
        m_gpuCounters->setCounters(curves.gpus);
        emit nvlinkReady();
    });
    connect(&m_state, &ViewState::selectedSliceChanged, this,
            [this](SliceRef slice) { m_argsJob.start(m_state.model(), slice); });
    connect(&m_state, &ViewState::modelChanged, &m_argsJob, &ArgsJob::cancel);
    connect(&m_argsJob, &ArgsJob::finished, m_details, &SelectionDetails::setArgs);
    connect(&m_definitions, &MetricDefinitions::failed, this, [this](const QString& message) {
        m_banner->showMessage({BannerTone::Warning, message, QStringLiteral("definitions"), tr("Try again"),
                               [this] { m_definitions.reload(); }});
    });
    connect(&m_definitions, &MetricDefinitions::changed, this, [this] {
        m_definitions.fill(m_definitionsMenu);
        m_banner->retract(QStringLiteral("definitions"));
        // Values of a part would be mistaken for values of the run.
        if (!m_isPreview)
            computeMetrics();
    });
}

/// Loads device peaks and model sizes. If a user's table cannot be read, only its own entries are missing.
void MainWindow::loadTables()
{
    auto hardware = loadHardwareDatabase({});
    if (hardware)
        m_hardware = std::move(*hardware);
    else
        m_banner->showMessage(
            {BannerTone::Warning,
             tr("Device peaks are unknown: %1").arg(QString::fromStdString(hardware.error().message)),
             QStringLiteral("peaks")});
}

void MainWindow::showRunsTable()
{
    if (!m_runs) {
        m_runs = new RunsWindow(m_definitions.catalog().all(), m_hardware, this);
        m_runs->setObjectName(QStringLiteral("runsWindow"));
        connect(m_runs, &RunsWindow::runActivated, this, [this](const QStringList& paths) {
            openPaths(paths);
            raise();
            activateWindow();
        });
    }
    m_runs->setKernelRules(m_definitions.kernelRules());
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
    return m_metricsPending || m_explanationPending || m_rowsPending || m_gridPending || m_stragglersPending
        || m_causesPending || m_finder.isRunning() || m_rangeJob.isRunning() || m_chart->isComputing()
        || m_gpuCounters->isComputing() || m_pipeline->isComputing() || m_memory->isComputing();
}

void MainWindow::matchCollectives()
{
    m_metricJob.cancel();
    m_explainJob.cancel();
    cancelRankJobs();
    m_explanationPending = false;
    m_collectivesPending = m_metricsPending = true;
    m_collectivesJob.start(m_state.model(), metricOptions(), matchRun);
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
    listCollectives();
    computeMetrics();
    if (m_pipeline->hasStages())
        m_bubblesJob.start(m_state.model(), metricOptions(), measureAllSteps);
}

void MainWindow::onBubblesMeasured(const BubbleTablePtr& bubbles)
{
    m_pipeline->setBubbles(bubbles);
}

MetricOptions MainWindow::runOptions() const
{
    MetricOptions options;
    options.hardware = m_hardware;
    options.collectives = m_state.collectives();
    options.clocks = m_state.clockChoice();
    return options;
}

MetricOptions MainWindow::metricOptions() const
{
    MetricOptions options = m_metrics->options();
    const MetricOptions run = runOptions();
    options.hardware = run.hardware;
    options.collectives = run.collectives;
    options.clocks = run.clocks;
    return options;
}

void MainWindow::computeMetrics()
{
    if (!m_state.model() || m_collectivesPending)
        return;
    m_explainJob.cancel();
    m_explanationPending = false;
    m_metricsPending = true;
    m_metricJob.start(m_state.model(), metricOptions(), m_definitions.catalog().all());
    findStragglers();
}

/// Explains one metric at a time: the slices it counted and values of other tools take memory and time.
void MainWindow::explainMetric(const MetricRequest& request)
{
    if (!m_state.model() || m_metricsPending)
        return;
    MetricOptions options = metricOptions();
    options.wantEvidence = true;
    options.wantReferences = true;
    m_explanationPending = true;
    m_explainJob.start(m_state.model(), options, {request});
}

QByteArray MainWindow::metricsCsv() const
{
    std::vector<NamedResult> results;
    for (const auto& [request, result] : m_metrics->results())
        results.push_back({request, result});
    return QByteArray::fromStdString(resultsCsv(results));
}

QByteArray MainWindow::metricsJson() const
{
    std::vector<NamedResult> results;
    for (const auto& [request, result] : m_metrics->results())
        results.push_back({request, result});
    return QByteArray::fromStdString(resultsJson(results));
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
    if (m_state.model())
        m_metrics->setResults(MetricsPanel::Results(m_metrics->results())); // colours are part of the rows
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
