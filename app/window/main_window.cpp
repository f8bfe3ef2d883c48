// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/window/main_window.h"

#include "app/controllers/cause_controller.h"
#include "app/controllers/collectives_controller.h"
#include "app/controllers/curves_controller.h"
#include "app/controllers/display_controller.h"
#include "app/controllers/edit_controller.h"
#include "app/controllers/evidence_controller.h"
#include "app/controllers/exposure_controller.h"
#include "app/controllers/hang_controller.h"
#include "app/controllers/match_controller.h"
#include "app/controllers/memory_controller.h"
#include "app/controllers/metrics_controller.h"
#include "app/controllers/peak_controller.h"
#include "app/controllers/pipeline_controller.h"
#include "app/controllers/range_controller.h"
#include "app/controllers/search_controller.h"
#include "app/controllers/selection_controller.h"
#include "app/controllers/session_controller.h"
#include "app/controllers/straggler_controller.h"
#include "app/controllers/summary_controller.h"
#include "app/controllers/what_if_controller.h"
#include "app/files/resources.h"
#include "app/history/history_controller.h"
#include "app/network/network_controller.h"
#include "app/parts/about.h"
#include "app/parts/command_palette.h"
#include "app/parts/drop_overlay.h"
#include "app/parts/help_window.h"
#include "app/parts/key_overview.h"
#include "app/parts/timeline_area.h"
#include "app/parts/window_commands.h"
#include "app/parts/window_context.h"
#include "app/parts/window_layout.h"
#include "app/parts/window_parts.h"
#include "app/run/chooser_controller.h"
#include "app/run/comparison_controller.h"
#include "app/run/export_controller.h"
#include "app/run/kernel_rule_controller.h"
#include "app/run/location_controller.h"
#include "app/run/page_controller.h"
#include "app/run/recent_runs.h"
#include "app/run/run_controller.h"
#include "app/run/run_notices.h"
#include "app/run/run_tool_bar.h"
#include "app/run/status_controller.h"
#include "app/run/timeline_controller.h"
#include "app/summaries/detail_controller.h"
#include "app/summaries/events_only.h"
#include "app/summaries/rank_summaries_controller.h"
#include "app/window/run_page.h"
#include "app/window/window_places.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/collectives/cause_view.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/lateness_map.h"
#include "views/collectives/pipeline_view.h"
#include "views/collectives/straggler_panel.h"
#include "views/hang/hang_view.h"
#include "views/history/job_view.h"
#include "views/measurements/latency_view.h"
#include "views/measurements/training_view.h"
#include "views/memory/memory_chart.h"
#include "views/memory/memory_view.h"
#include "views/metrics/metrics_panel.h"
#include "views/network/network_view.h"
#include "views/ranks/ranks_panel.h"
#include "views/run_chooser.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/selection_details.h"
#include "views/tables/kernel_table.h"
#include "views/tables/problems_view.h"
#include "views/tables/range_panel.h"
#include "views/timeline/timeline_view.h"
#include "views/welcome_page.h"
#include "views/whatif/what_if_view.h"
#include "views/widgets/banner.h"
#include "views/widgets/quick_pick.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

/// Resources of a static library must be registered, as Qt requires, outside the namespace.
static void registerIcons()
{
    Q_INIT_RESOURCE(collscope);
}

namespace collscope {

// Widgets are created in the order in which Tab visits them.
MainWindow::MainWindow(UserSettings settings, QWidget* parent)
    : QMainWindow(parent)
    , m_context(std::make_unique<WindowContext>(*this, settings))
    , m_controllers(std::make_unique<Controllers>())
    , m_layout(std::make_unique<WindowLayout>(*this, settings))
{
    registerIcons();
    setWindowTitle(tr("Collscope"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/collscope.svg")));
    m_context->actions = std::make_unique<Actions>(this, menuBar(), windowCommands());
    buildPages();
    buildTabs();
    buildDocks();
    buildBars();
    addControllers();
    connectPages();
    bindCommands();
    if (const QStringList unbound = m_context->actions->unbound(); !unbound.isEmpty())
        qFatal("no controller does '%s'", qUtf8Printable(unbound.front()));
    m_layout->begin();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPages()
{
    m_welcome = new WelcomePage(this);
    m_welcome->setDemoAvailable(!resourceFolder("demo").empty());
    setHelpPlace(m_welcome, "first_run");
    m_runPage = new RunPage(&m_context->state, this);
    m_area = m_runPage->area();
    auto* banner = new Banner(this);
    banner->setObjectName(QStringLiteral("banner"));
    m_context->banner = banner;
    m_chooser = new RunChooser(this);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_welcome);
    m_pages->addWidget(m_runPage);
    m_pages->addWidget(m_chooser);
    keepRoomOfCurrentPage(*m_pages);
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(banner);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);
    const auto* overlay = new DropOverlay(m_context->state, *this);
    connect(overlay, &DropOverlay::opened, this, [this](const QStringList& paths) { openPaths(paths); });
    connect(overlay, &DropOverlay::compared, this, [this](const QStringList& paths) { compareWith(paths); });
}

/// Creates the tabs of the bottom panel, and what they and the panel "Metrics" show.
void MainWindow::buildTabs()
{
    ViewState* const state = &m_context->state;
    Controllers& controllers = *m_controllers;
    m_ranks = new RanksPanel(state, this);
    m_metricsPanel = new MetricsPanel(state, this);
    m_problems = new ProblemsView(state, this);
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    m_context->tabs = tabs;
    m_session = &controllers.add<SessionController>(*m_context, *m_area->timeline());
    m_metrics = &controllers.add<MetricsController>(*m_context, *m_metricsPanel);
    m_match = &controllers.add<MatchController>(*m_context, *m_session, *m_metrics);
    auto& summary = controllers.add<SummaryController>(*m_context, *m_metrics, *m_runPage->strip(),
                                                       *m_ranks->ranks(), *m_runPage->overview());
    controllers.add<ExposureController>(*m_context, *m_metrics, summary);
    // Answers first, then what the user looks at.
    tabs->addTab(summary.view(), tr("Summary"));
    addWantedTab(*tabs, controllers.add<HangController>(*m_context).view(), tr("Hang"));
    JobView* const job = controllers.add<HistoryController>(*m_context).view();
    addWantedTab(*tabs, job, tr("Job"));
    NetworkView* const network = controllers.add<NetworkController>(*m_context, *m_metrics).view();
    addWantedTab(*tabs, network, tr("Network"));
    summary.leadTo(WhyPlace::Job, job);
    summary.leadTo(WhyPlace::Network, network);
    buildRankTabs(summary);
    m_search = &controllers.add<SearchController>(*m_context);
    const auto& range = controllers.add<RangeController>(*m_context, *m_search);
    tabs->addTab(range.view(), tr("Range"));
    KernelTable* const kernels = controllers.add<PeakController>(*m_context).view();
    tabs->addTab(kernels, tr("Peak kernels"));
    tabs->addTab(controllers.add<SelectionController>(*m_context).view(), tr("Selection"));
    tabs->addTab(m_search->view(), tr("Search"));
    const auto& memory = controllers.add<MemoryController>(*m_context, *m_area->memory());
    addWantedTab(*tabs, memory.view(), tr("Memory"));
    addWantedTab(*tabs, controllers.add<PipelineController>(*m_context, *m_match, *m_metrics).view(),
                 tr("Pipeline"));
    auto* latencies = new LatencyView(state, tabs);
    addWantedTab(*tabs, latencies, tr("Serving"));
    auto* training = new TrainingView(state, tabs);
    addWantedTab(*tabs, training, tr("Training"));
    // Never hidden: where the last tab is, Qt 6.4 scrolls the others away from the left edge.
    tabs->addTab(m_problems, tr("Problems"));
    setHelpPlace(m_ranks, "views_other#ranks");
    setHelpPlace(m_problems, "views_other#problems");
    setHelpPlace(latencies, "views_other#serving");
    setHelpPlace(training, "views_other#training");
    connect(m_metrics, &MetricsController::ready, this, &MainWindow::metricsReady);
    connect(&summary, &SummaryController::ready, this, &MainWindow::summaryReady);
    connect(&range, &RangeController::ready, this, &MainWindow::rangeSummarized);
    connect(&memory, &MemoryController::ready, this, &MainWindow::memoryReplayed);
    connect(m_problems, &ProblemsView::countChanged, this, [this, tabs](int count) {
        tabs->setTabText(tabs->indexOf(m_problems),
                         count > 0 ? tr("Problems %1").arg(count) : tr("Problems"));
    });
    connect(&state->selection(), &ViewSelection::peakChanged, this, [this, kernels] {
        if (viewState()->selection().peak())
            m_context->chooseTab(kernels);
    });
}

/// The tabs that say why, and those that compare ranks.
void MainWindow::buildRankTabs(SummaryController& summary)
{
    Controllers& controllers = *m_controllers;
    QTabWidget& tabs = *m_context->tabs;
    const auto& collectives = controllers.add<CollectivesController>(*m_context, *m_match);
    const auto& stragglers = controllers.add<StragglerController>(*m_context, *m_metrics);
    const auto& causes = controllers.add<CauseController>(*m_context, *m_metrics);
    auto& whatIf = controllers.add<WhatIfController>(*m_context, *m_metrics);
    whatIf.serve(*summary.view(), *causes.view(), *m_ranks->ranks());
    tabs.addTab(causes.view(), tr("Why slow?"));
    tabs.addTab(whatIf.view(), tr("What would help?"));
    tabs.addTab(summary.gaps(), tr("Gaps"));
    tabs.addTab(collectives.map(), tr("Lateness"));
    tabs.addTab(stragglers.view(), tr("Stragglers"));
    tabs.addTab(collectives.table(), tr("Collectives"));
    summary.leadTo(WhyPlace::Collectives, collectives.table());
    RankSummariesView& map = *m_runPage->summaries();
    controllers.add<RankSummariesController>(*m_context, stragglers, *summary.view(), *m_runPage->strip(),
                                             map);
    const auto& detail = controllers.add<DetailController>(*m_context, map, *summary.view(),
                                                           *stragglers.view(), *m_ranks->ranks());
    connect(&detail, &DetailController::opened, this,
            [this](const auto& paths, const auto& options) { openWindow()->openPaths(paths, options); });
    connect(&collectives, &CollectivesController::ready, this, &MainWindow::ranksCompared);
    connect(&stragglers, &StragglerController::ready, this, &MainWindow::ranksCompared);
    connect(&causes, &CauseController::ready, this, &MainWindow::ranksCompared);
    connect(&whatIf, &WhatIfController::ready, this, &MainWindow::ranksCompared);
}

void MainWindow::buildDocks()
{
    QDockWidget* ranks
        = m_layout->addDock(QStringLiteral("dockRanks"), tr("Ranks"), m_ranks, Qt::LeftDockWidgetArea);
    QDockWidget* metrics = m_layout->addDock(QStringLiteral("dockMetrics"), tr("Metrics"), m_metricsPanel,
                                             Qt::RightDockWidgetArea);
    QDockWidget* details = m_layout->addDock(QStringLiteral("dockDetails"), tr("Details"), m_context->tabs,
                                             Qt::BottomDockWidgetArea);
    resizeDocks({ranks, metrics}, {248, 352}, Qt::Horizontal);
    // The tallest tab must not take the room of the timeline.
    constexpr int leastTabs = 130;
    m_context->tabs->setMinimumHeight(leastTabs);
    // Without a height of their own, a wide tab would make the docks beside it narrower.
    resizeDocks({details}, {WindowLayout::tabsHeight}, Qt::Vertical);
    QMenu* view = m_context->actions->menu(MenuId::View);
    view->addSeparator();
    m_tabsMenu = view->addMenu(tr("T&abs"));
    connect(view, &QMenu::aboutToShow, this,
            [this] { fillTabsMenu(*m_tabsMenu, *m_context->tabs, m_context->state); });
    for (const QDockWidget* dock : m_layout->docks())
        m_context->actions->add(dock->toggleViewAction(), MenuId::View);
    details->toggleViewAction()->setShortcut(QKeySequence(Qt::Key_Q));
}

void MainWindow::buildBars()
{
    m_toolBar = new RunToolBar(*m_context, this);
    addToolBar(m_toolBar);
    m_search->addLine(*m_toolBar, *m_area->timeline());
    m_controllers->add<EventsOnly>(*m_context, *m_toolBar->findChild<SearchBar*>());
    m_context->bar = addWorkBar(*this);
    m_quickPick = new QuickPick(this);
}

/// Adds the controllers of what is not in a tab.
void MainWindow::addControllers()
{
    WindowContext& context = *m_context;
    Controllers& controllers = *m_controllers;
    TimelineView& timeline = *m_area->timeline();
    m_run = &controllers.add<RunController>(context, controllers, *m_session, *m_metrics);
    m_toolBar->follow(*m_run);
    controllers.add<RecentRuns>(context, *m_run, *m_welcome);
    m_status = &controllers.add<StatusController>(context, *m_run, *m_match, *m_problems);
    auto& kernelRules = controllers.add<KernelRuleController>(context, *m_run, *m_metrics);
    m_timeline = &controllers.add<TimelineController>(context, timeline, *m_runPage->summaries(),
                                                      *m_quickPick, kernelRules);
    controllers.add<EditController>(context, timeline);
    controllers.add<EvidenceController>(context, timeline);
    const auto& display = controllers.add<DisplayController>(context, timeline);
    const auto& curves
        = controllers.add<CurvesController>(context, *m_area->nvlink(), *m_area->gpuCounters());
    m_location = &controllers.add<LocationController>(context, *m_run, *m_match);
    m_comparison = &controllers.add<ComparisonController>(context, *m_run, *m_match, *m_metrics);
    controllers.add<RunNotices>(context, *m_run, *m_session, *m_metrics, *m_problems);
    controllers.add<ExportController>(context, *m_metrics, *m_metricsPanel, *m_area);
    controllers.add<PageController>(context, *m_metrics);
    connect(&curves, &CurvesController::ready, this, &MainWindow::nvlinkReady);
    connect(&display, &DisplayController::themeChosen, m_metrics, &MetricsController::recolour);
    connect(&timeline, &TimelineView::rangeMetricsWanted, m_metrics, &MetricsController::showSelectedRange);
    connect(&timeline, &TimelineView::wholeTraceWanted, this, [this](const std::string& path) {
        openWindow()->openPaths({QString::fromLocal8Bit(path.c_str())});
    });
}

/// Shows the page that belongs to what is open: a run, the runs of a folder, or nothing.
void MainWindow::connectPages()
{
    const auto& chooser
        = m_controllers->add<ChooserController>(*m_context, *m_chooser, *m_run, *m_metrics, *m_comparison);
    connect(m_welcome, &WelcomePage::openRequested, m_run, &RunController::chooseFolder);
    connect(m_welcome, &WelcomePage::demoRequested, m_run, &RunController::openDemo);
    connect(m_welcome, &WelcomePage::guideRequested, this,
            [this] { openGuide(QStringLiteral("first_run")); });
    connect(m_run, &RunController::aboutToShow, this, [this](const TraceModel& model) {
        m_pages->setCurrentWidget(m_runPage);
        if (!viewState()->run().model())
            m_layout->showDocks();
        m_layout->setTabsAlone(m_runPage->showPartsOf(model));
        setWindowTitle(tr("%1 \u2014 Collscope").arg(QString::fromStdString(model.title)));
    });
    connect(m_run, &RunController::closed, this, [this] {
        m_pages->setCurrentWidget(m_welcome);
        setWindowTitle(tr("Collscope"));
        m_layout->hideDocks();
    });
    connect(&chooser, &ChooserController::offered, this, [this] {
        m_pages->setCurrentWidget(m_chooser);
        m_chooser->setFocus();
        emit runsOffered();
    });
    connect(m_chooser, &RunChooser::left, this, [this] {
        const bool hasRun = viewState()->run().model() != nullptr;
        m_pages->setCurrentWidget(hasRun ? static_cast<QWidget*>(m_runPage) : m_welcome);
        if (hasRun)
            m_timeline->focus();
    });
    connect(m_run, &RunController::previewed, m_timeline, &TimelineController::focus);
    connect(m_run, &RunController::loaded, m_timeline, &TimelineController::focus);
    connect(m_run, &RunController::previewed, this, &MainWindow::runPreviewed);
    connect(m_run, &RunController::opened, this, &MainWindow::runOpened);
    connect(m_run, &RunController::failed, this, &MainWindow::openFailed);
    connect(m_run, &RunController::cancelled, this, &MainWindow::openCancelled);
    connect(m_metrics, &MetricsController::guideWanted, this, &MainWindow::openGuide);
}

void MainWindow::bindCommands()
{
    Actions& actions = *m_context->actions;
    actions.bind(QStringLiteral("newWindow"), this, [this] { openWindow(); });
    actions.bind(QStringLiteral("close"), this, [this] { close(); });
    actions.bind(QStringLiteral("quit"), this, [] { QApplication::closeAllWindows(); });
    actions.bind(QStringLiteral("fullScreen"), this,
                 [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    actions.bind(QStringLiteral("resetLayout"), this, [this] { resetLayout(); });
    actions.bind(QStringLiteral("nextView"), this, [this] { focusNextView(1); });
    actions.bind(QStringLiteral("previousView"), this, [this] { focusNextView(-1); });
    actions.bind(QStringLiteral("guide"), this, [this] { openGuide(helpPlaceOfFocus()); });
    actions.bind(QStringLiteral("keys"), this, [this, &actions] { showKeyOverview(this, actions); });
    actions.bind(QStringLiteral("about"), this, [this] { showAbout(this); });
    actions.bind(QStringLiteral("allCommands"), this, [this, &actions] {
        fillTabsMenu(*m_tabsMenu, *m_context->tabs, m_context->state);
        openCommandPalette(
            *m_quickPick, actions.menus(),
            windowPlaces(*m_metricsPanel, *m_area->timeline(), m_context->state,
                         [this](const QString& name) { m_search->ask(SliceQuestion::ofName(name)); }));
    });
}

void MainWindow::openPaths(const QStringList& paths, const LoadOptions& options)
{
    m_run->openPaths(paths, options);
}

void MainWindow::compareWith(const QStringList& paths, const LoadOptions& options)
{
    m_comparison->compareWith(paths, options);
}

ComparisonWindow* MainWindow::comparison() const
{
    return m_comparison->window();
}

void MainWindow::goToLocation(const Location& location)
{
    m_location->goToLocation(location);
}

bool MainWindow::isLoading() const
{
    return m_run->isLoading();
}

bool MainWindow::isComputing() const
{
    return m_controllers->isComputing();
}

ViewState* MainWindow::viewState() const
{
    return &m_context->state;
}

void MainWindow::settleForPicture()
{
    m_context->run.loadSeconds.reset();
    resetLayout();
    m_status->update();
}

MetricDefinitions* MainWindow::metricDefinitions() const
{
    return &m_metrics->definitions();
}

QByteArray MainWindow::metricsCsv() const
{
    return m_metrics->csv();
}

QByteArray MainWindow::metricsJson() const
{
    return m_metrics->json();
}

void MainWindow::resetLayout()
{
    m_layout->reset(viewState()->run().model() != nullptr);
}

MainWindow* MainWindow::openWindow() const
{
    auto* window = new MainWindow(m_context->settings);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    return window;
}

void MainWindow::openGuide(const QString& place)
{
    if (!showGuide(place))
        m_context->banner->showMessage(
            {BannerTone::Error, tr("The guide is not installed."), QStringLiteral("guide")});
}

void MainWindow::focusNextView(int direction)
{
    QList<QWidget*> parts;
    for (QWidget* part :
         {static_cast<QWidget*>(m_area->timeline()), static_cast<QWidget*>(m_runPage->summaries()),
          static_cast<QWidget*>(m_area->nvlink()), static_cast<QWidget*>(m_area->gpuCounters()),
          static_cast<QWidget*>(m_area->memory()), m_context->tabs->currentWidget(),
          static_cast<QWidget*>(m_metricsPanel), static_cast<QWidget*>(m_ranks),
          static_cast<QWidget*>(m_context->banner)}) {
        if (part->isVisible() && focusTarget(part))
            parts << part;
    }
    if (parts.isEmpty())
        return;
    const QWidget* focus = QApplication::focusWidget();
    const auto current = std::find_if(parts.cbegin(), parts.cend(), [focus](const QWidget* part) {
        return part == focus || (focus && part->isAncestorOf(focus));
    });
    const auto index = current == parts.cend() ? (direction > 0 ? -1 : 0) : current - parts.cbegin();
    focusTarget(parts[(index + direction + parts.size()) % parts.size()])->setFocus(Qt::TabFocusReason);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_layout->store(viewState()->run().model() != nullptr);
    m_session->keep();
    m_run->cancelLoad();
    QMainWindow::closeEvent(event);
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    const bool isEscape = event->key() == Qt::Key_Escape;
    if (isEscape && m_run->isLoading())
        m_run->cancelLoad();
    else if (isEscape && !m_search->clear())
        viewState()->clearSelection();
    else if (!isEscape && event->text() == QLatin1String("?")) // on platforms that report Shift plus another
        showKeyOverview(this, *m_context->actions);
    else if (!isEscape)
        QMainWindow::keyPressEvent(event);
}

} // namespace collscope
