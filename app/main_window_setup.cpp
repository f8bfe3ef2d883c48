// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Construction of the main window: views, docks, bars.

#include "app/cause_controller.h"
#include "app/collectives_controller.h"
#include "app/curves_controller.h"
#include "app/help_window.h"
#include "app/main_window.h"
#include "app/memory_controller.h"
#include "app/metrics_controller.h"
#include "app/pipeline_controller.h"
#include "app/resources.h"
#include "app/selection_controller.h"
#include "app/straggler_controller.h"
#include "app/timeline_area.h"
#include "app/window_parts.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/collectives/cause_view.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/lateness_map.h"
#include "views/collectives/pipeline_view.h"
#include "views/collectives/straggler_panel.h"
#include "views/measurements/latency_view.h"
#include "views/measurements/training_view.h"
#include "views/memory/memory_chart.h"
#include "views/memory/memory_view.h"
#include "views/metrics/metrics_panel.h"
#include "views/ranks/ranks_panel.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/selection_details.h"
#include "views/tables/kernel_table.h"
#include "views/tables/problems_view.h"
#include "views/tables/range_panel.h"
#include "views/timeline/minimap.h"
#include "views/timeline/timeline_view.h"
#include "views/welcome_page.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace collscope {

void MainWindow::connectClocks()
{
    QAction* raw = m_actions->action(QStringLiteral("rawClocks"));
    m_actions->menu(MenuId::View)->setToolTipsVisible(true);
    const auto update = [this, raw] {
        const RunCollectivesPtr& run = m_state.collectives();
        const bool aligned = run && run->clocks.isUsed(ClockChoice::Auto);
        raw->setEnabled(aligned);
        raw->setChecked(aligned && m_state.clockChoice() == ClockChoice::Raw);
        if (aligned)
            raw->setToolTip(tr("Show each rank on its own clock, as recorded"));
        else if (!run)
            raw->setToolTip(tr("Open a run with several ranks first"));
        else
            raw->setToolTip(QString::fromStdString(run->clocks.summary(ClockChoice::Auto)));
    };
    connect(&m_state, &ViewState::modelChanged, raw, update);
    connect(&m_state, &ViewState::collectivesChanged, raw, update);
    connect(&m_state, &ViewState::clocksChanged, raw, update);
    connect(m_timeline, &TimelineView::noticed, this,
            [this](const QString& text) { tellInPassing(m_bar, text); });
    // Afterwards the status line describes the run again, unless another run is loading.
    connect(m_bar.notice, &QTimer::timeout, this, [this] {
        if (!m_loadJob.isRunning())
            updateStatus();
    });
    update();
}

void MainWindow::buildViews()
{
    m_welcome = new WelcomePage(this);
    m_welcome->setDemoAvailable(!resourceFolder(QStringLiteral("demo")).isEmpty());
    m_area = new TimelineArea(&m_state, this);
    m_timeline = m_area->timeline();
    m_banner = new Banner(this);
    m_banner->setObjectName(QStringLiteral("banner"));
    connect(m_banner, &Banner::closed, this, &MainWindow::focusTimeline);
    m_runPage = new QWidget(this);
    auto* run = new QVBoxLayout(m_runPage);
    run->setContentsMargins(0, 0, 0, 0);
    run->setSpacing(0);
    run->addWidget(new Minimap(&m_state, m_runPage));
    run->addWidget(m_area, 1);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_welcome);
    m_pages->addWidget(m_runPage);
    buildChooser();
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);
    m_dropOverlay = new QLabel(tr("Open as run"), this);
    m_dropOverlay->setObjectName(QStringLiteral("dropOverlay"));
    m_dropOverlay->setAlignment(Qt::AlignCenter);
    m_dropOverlay->hide();
    connect(m_welcome, &WelcomePage::openRequested, this, &MainWindow::chooseFolder);
    connect(m_welcome, &WelcomePage::demoRequested, this, &MainWindow::openDemo);
    connect(m_welcome, &WelcomePage::guideRequested, this,
            [this] { openGuide(QStringLiteral("first_run")); });
    connect(m_welcome, &WelcomePage::recentRequested, this,
            [this](const QString& path) { openPaths({path}); });
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content,
                                 Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    dock->setTitleBarWidget(
        new QWidget(dock)); // the content has its own heading; docks are toggled in the View menu
    dock->setFeatures(QDockWidget::DockWidgetClosable);
    addDockWidget(area, dock);
    m_docks << dock;
    return dock;
}

void MainWindow::buildRankTabs()
{
    Controllers& controllers = m_context->controllers;
    m_collectives = &controllers.add<CollectivesController>(*m_context);
    m_stragglers = &controllers.add<StragglerController>(*m_context);
    m_causes = &controllers.add<CauseController>(*m_context, *m_numbers);
    m_tabs->addTab(m_collectives->table(), tr("Collectives"));
    m_tabs->addTab(m_collectives->map(), tr("Lateness"));
    m_tabs->addTab(m_stragglers->view(), tr("Stragglers"));
    m_tabs->addTab(m_causes->view(), tr("Why slow?"));
}

void MainWindow::buildDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_ranks = new RanksPanel(&m_state, this);
    m_metrics = new MetricsPanel(&m_state, this);
    m_numbers = &m_context->controllers.add<MetricsController>(*m_context, *m_metrics);
    m_curves = &m_context->controllers.add<CurvesController>(*m_context, *m_area->nvlink(),
                                                             *m_area->gpuCounters());
    m_kernels = new KernelTable(&m_state, this);
    m_problems = new ProblemsView(&m_state, this);
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    Controllers& controllers = m_context->controllers;
    m_selection = &controllers.add<SelectionController>(*m_context);
    m_tabs->addTab(m_selection->view(), tr("Selection"));
    m_found = new SearchResults(&m_state, m_tabs);
    m_tabs->addTab(m_found, tr("Search"));
    m_range = new RangePanel(&m_state, m_tabs);
    m_tabs->addTab(m_range, tr("Range"));
    m_tabs->addTab(m_kernels, tr("Peak kernels"));
    buildRankTabs();
    m_memory = &controllers.add<MemoryController>(*m_context, *m_area->memory());
    addWantedTab(*m_tabs, m_memory->view(), tr("Memory"));
    m_tabs->addTab(m_problems, tr("Problems"));
    m_pipeline = &controllers.add<PipelineController>(*m_context);
    addWantedTab(*m_tabs, m_pipeline->view(), tr("Pipeline"));
    m_latencies = new LatencyView(&m_state, m_tabs);
    addWantedTab(*m_tabs, m_latencies, tr("Serving"));
    m_training = new TrainingView(&m_state, m_tabs);
    addWantedTab(*m_tabs, m_training, tr("Training"));
    QDockWidget* ranks = addDock(QStringLiteral("dockRanks"), tr("Ranks"), m_ranks, Qt::LeftDockWidgetArea);
    QDockWidget* metrics
        = addDock(QStringLiteral("dockMetrics"), tr("Metrics"), m_metrics, Qt::RightDockWidgetArea);
    QDockWidget* details
        = addDock(QStringLiteral("dockDetails"), tr("Details"), m_tabs, Qt::BottomDockWidgetArea);
    resizeDocks({ranks, metrics}, {248, 352}, Qt::Horizontal);
    resizeDocks({details}, {250}, Qt::Vertical);
    m_actions->menu(MenuId::View)->addSeparator();
    for (QDockWidget* dock : std::as_const(m_docks)) {
        dock->toggleViewAction()->setObjectName(dock->objectName() + QStringLiteral("Toggle"));
        m_actions->add(dock->toggleViewAction(), MenuId::View);
    }
    details->toggleViewAction()->setShortcut(QKeySequence(Qt::Key_Q));
    connect(m_problems, &ProblemsView::countChanged, this, [this](int count) {
        m_tabs->setTabText(m_tabs->indexOf(m_problems),
                           count > 0 ? tr("Problems %1").arg(count) : tr("Problems"));
    });
    connect(&m_state, &ViewState::peakChanged, this, [this] {
        if (m_state.peak())
            m_tabs->setCurrentWidget(m_kernels);
    });
    connectGuide();
}

/// Maps each view to its place in the guide; tests/gui/tst_help_window.cpp checks that the places exist.
void MainWindow::connectGuide()
{
    const std::pair<QWidget*, const char*> places[]{{m_welcome, "first_run"},
                                                    {m_ranks, "views_other#ranks"},
                                                    {m_found, "views_other#search"},
                                                    {m_range, "views_other#range"},
                                                    {m_kernels, "views_other#peak-kernels"},
                                                    {m_latencies, "views_other#serving"},
                                                    {m_training, "views_other#training"},
                                                    {m_problems, "views_other#problems"}};
    for (const auto& [view, place] : places)
        setHelpPlace(view, place);
    connect(m_numbers, &MetricsController::guideWanted, this, &MainWindow::openGuide);
}

void MainWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* open = new QToolButton(bar);
    open->setObjectName(QStringLiteral("primary"));
    open->setDefaultAction(m_actions->action(QStringLiteral("openFolder")));
    open->setText(tr("Open run..."));
    bar->addWidget(open);
    auto* compare = new QToolButton(bar);
    compare->setDefaultAction(m_actions->action(QStringLiteral("compare")));
    compare->setText(tr("Compare..."));
    bar->addWidget(compare);
    auto* fit = new QToolButton(bar);
    fit->setDefaultAction(m_actions->action(QStringLiteral("fit")));
    fit->setText(tr("Fit  F"));
    bar->addWidget(fit);
    m_steps = new QComboBox(bar);
    m_steps->setObjectName(QStringLiteral("stepChoice"));
    m_steps->setAccessibleName(tr("Step to show"));
    m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_steps->setMinimumWidth(130);
    bar->addWidget(m_steps);
    m_iterations = new QComboBox(bar);
    m_iterations->setObjectName(QStringLiteral("iterationChoice"));
    m_iterations->setAccessibleName(tr("Profiler iteration to load"));
    m_iterations->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_iterationsAction = bar->addWidget(m_iterations);
    m_rangeLabel = new QLabel(bar);
    m_rangeLabel->setContentsMargins(12, 0, 12, 0);
    bar->addWidget(m_rangeLabel);
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    m_search = new SearchBar(&m_state, bar);
    bar->addWidget(m_search);
    connect(m_steps, &QComboBox::activated, this, [this](int index) {
        const QVariant range = m_steps->itemData(index);
        if (range.isValid()) {
            const auto [begin, end] = range.value<std::pair<std::int64_t, std::int64_t>>();
            m_state.showRange({begin, end});
        }
    });
    connect(m_iterations, &QComboBox::activated, this, &MainWindow::chooseIteration);
    connect(&m_state, &ViewState::selectedRangeChanged, this, &MainWindow::updateRangeLabel);
    connect(&m_state, &ViewState::visibleRangeChanged, this, &MainWindow::updateRangeLabel);
}

void MainWindow::buildStatusBar()
{
    m_bar = addWorkBar(*this);
    connect(m_bar.cancel, &QToolButton::clicked, &m_loadJob, &LoadJob::cancel);
}

} // namespace collscope
