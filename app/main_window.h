// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// One run in one window: places the views, wires them to ViewState, loads runs, writes exports.

#include "app/actions.h"
#include "app/analysis_job.h"
#include "app/args_job.h"
#include "app/collective_rows_job.h"
#include "app/load_job.h"
#include "app/metric_definitions.h"
#include "app/metric_job.h"
#include "app/nvlink_job.h"
#include "app/range_job.h"
#include "app/session_store.h"
#include "app/slice_finder.h"
#include "app/window_parts.h"
#include "metrics/memory/history.h"
#include "metrics/multirank/cause_answer.h"
#include "metrics/multirank/straggler_report.h"
#include "metrics/pipeline_bubbles.h"
#include "views/banner.h"
#include "views/location.h"
#include "views/theme.h"
#include "views/view_state.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include <memory>

class QComboBox;
class QDockWidget;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace collscope {

class ComparisonWindow;
class RunsWindow;

class CauseView;
class CollectivesTable;
class GpuCounterChart;
class MemoryChart;
class LatencyView;
class MemoryView;
class KernelTable;
class LatenessMap;
class MetricsPanel;
class NvlinkChart;
class PipelineView;
class ProblemsView;
class QuickPick;
class RangePanel;
class RanksPanel;
class RunChooser;
class SearchBar;
class SearchResults;
class SelectionDetails;
class StragglerPanel;
class TimelineView;
class TrainingView;
class WelcomePage;

/// Whether a window remembers: geometry, layout and recent runs.
enum class UserSettings
{
    Use,
    Ignore ///< neither read nor written: pictures and tests are the same for everybody
};

/// The theme that was chosen in the View menu, in the settings.
inline constexpr char themeSetting[] = "theme";

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(UserSettings settings = UserSettings::Use, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Loads a run in the background; the run on show, and what F5 reloads, stay until the new one is ready.
    void openPaths(const QStringList& paths, const LoadOptions& options = {});
    void openDemo();
    /// Compares the run on show, or the one that is loading, with another in a window of its own.
    void compareWith(const QStringList& paths, const LoadOptions& options = {});
    /// That window; nullptr before compareWith(), and when it was closed.
    ComparisonWindow* comparison() const;
    /// The list of the runs of a folder that is not one run; on show after runsOffered().
    RunChooser* runChooser() const { return m_chooser; }
    /// Now, or as soon as the run that is loading is there.
    void goToLocation(const Location& location);
    bool isLoading() const { return m_loadJob.isRunning(); }
    /// True while numbers or curves of the run on show are still to come.
    bool isComputing() const;
    ViewState* viewState() { return &m_state; }
    TimelineView* timeline() const { return m_timeline; }
    NvlinkChart* nvlinkChart() const { return m_chart; }
    GpuCounterChart* gpuCounterChart() const { return m_gpuCounters; }
    MemoryChart* memoryChart() const { return m_memoryChart; }
    MemoryView* memoryView() const { return m_memory; }
    LatencyView* latencyView() const { return m_latencies; }
    TrainingView* trainingView() const { return m_training; }
    KernelTable* peakKernels() const { return m_kernels; }
    CollectivesTable* collectivesTable() const { return m_collectives; }
    LatenessMap* latenessMap() const { return m_lateness; }
    StragglerPanel* stragglers() const { return m_stragglers; }
    /// Without what differs from time to time: how long loading took, and where views pushed each other to in
    /// a small window while their contents came.
    void settleForPicture();
    CauseView* causes() const { return m_causes; }
    MetricsPanel* metricsPanel() const { return m_metrics; }
    PipelineView* pipeline() const { return m_pipeline; }
    ProblemsView* problems() const { return m_problems; }
    SelectionDetails* details() const { return m_details; }
    RangePanel* rangePanel() const { return m_range; }
    SearchBar* searchBar() const { return m_search; }
    SearchResults* searchResults() const { return m_found; }
    MetricDefinitions* metricDefinitions() { return &m_definitions; }
    QuickPick* quickPick() const { return m_quickPick; }
    /// All metrics of the panel: the same bytes as collscope --batch --csv with the same scope.
    QByteArray metricsCsv() const;
    QByteArray metricsJson() const;

signals:
    void runPreviewed(); ///< a large run can be panned while the rest of it loads
    void runOpened();
    void openFailed(const QString& message);
    void runsOffered(); ///< the folder holds several runs: the list of them is on show
    void openCancelled();
    void metricsReady();
    void nvlinkReady();
    void memoryReplayed();
    void rangeSummarized();
    void ranksCompared(); ///< one of the tabs that compare ranks has what it waited for

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What is opened, or was asked for.
    struct Request
    {
        QStringList paths;
        LoadOptions options;
    };

    std::vector<Command> commands();
    void connectJobs();
    void connectEdits();
    void connectTimeFormats();
    void connectThemes();
    void connectSearch();
    void connectSession();
    Session session() const; ///< precondition: a run is on show
    void restore(const Session& kept);
    void restoreViewOnClocks();
    void keepSession();
    std::optional<Session> bringSessionBack(); ///< what was kept of the run, if anything
    void saveSessionBeside();
    void startOver();
    /// What of a session could not be brought back, or has to be asked.
    void showSessionStatus();
    void showUnrecognised();
    bool isKernelSelected() const;
    void teachKernel();
    void chooseRanks();
    void goToTrack();
    void loadWithRanks(const LoadOptions::Ranks& ranks);
    void connectRange();
    void connectTables(); ///< which can be exported, all of them
    void connectTools();
    void buildExportMenu();
    /// Asks for a file and writes what the widget shows into it. `part`: its name in file names and titles.
    void exportView(const QString& part, QWidget* widget);
    void showCommands();
    /// What the files held and the model does not.
    void reportExclusions();
    /// What does not belong together in the run.
    void showFindings();
    /// Reports that nsys could export, if it is told to.
    void offerExport();
    void connectEvidence();
    /// What is highlighted is of no use where it cannot be seen: says so, and leads there.
    void offerEvidence();
    void showEvidence();
    void buildChooser();
    /// Shows the runs of the folder that was to be opened.
    void offerRuns(const std::vector<FoundRun>& runs);
    void leaveChooser();
    void findSame();
    void listSelectedRange();
    void copyLocation();
    void goToWanted();
    void showTab(QWidget* content);
    void focusNextView(int direction);
    MainWindow* openWindow();
    void connectClocks(); ///< and what the timeline has to tell
    void restoreLayout();
    void showDocks();
    void start(Request request);
    void reload();
    bool isSameRequest() const;
    void chooseIteration();
    void buildViews();
    void buildCharts();
    void buildDocks();
    void buildToolBar();
    void buildStatusBar();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area);
    void chooseFiles();
    void chooseFolder();
    void chooseTest();
    bool isComparingDrop(const QDropEvent& event) const;
    void startComparison(); ///< with what was asked for, once the run is there
    void onPreviewed(const TraceModelPtr& model);
    void onLoaded(const TraceModelPtr& model);
    /// Brings back what was on show before the preview of a load that came to nothing.
    void takePreviewBack();
    void showRun(const TraceModelPtr& model);
    void onFailed(const QString& message);
    void onCancelled();
    void setLoading(bool loading) const;
    void focusTimeline();
    /// Matches and aligns, then computes the metrics.
    void matchCollectives();
    void onMatched(const RunCollectivesPtr& collectives);
    MetricOptions runOptions() const; ///< of the whole run
    MetricOptions metricOptions() const; ///< of what the metrics panel has chosen
    void computeMetrics();
    /// What the tabs of several ranks show; on the clocks that are chosen now.
    void listCollectives();
    void cancelRankJobs();
    void buildRankTabs();
    void buildMemoryTab();
    void replayMemory();
    void onMemoryReplayed(const MemoryHistoryPtr& history);
    void explain(const CauseQuestion& question);
    void onExplained(const CauseAnswerPtr& answer);
    void findStragglers();
    void onBubblesMeasured(const BubbleTablePtr& bubbles);
    void onStragglersFound(const StragglerReportPtr& report);
    void explainHere();
    /// Shows a place in the guide; says so if the guide is not installed.
    void openGuide(const QString& place);
    void connectGuide();
    void explainMetric(const MetricRequest& request);
    void loadTables();
    void showRunsTable();
    void updateRangeLabel();
    void updateStatus();
    void fillSteps();
    void fillIterations();
    void rememberRun(const QString& path);
    QStringList recentRuns() const;
    void rebuildRecentMenu();
    void saveExport(const QString& suggestion, const QString& filter, const QByteArray& content);
    void chooseTheme(ThemeChoice choice);
    void resetLayout();

    ViewState m_state;
    RangeJob m_rangeJob{&m_state};
    SliceFinder m_finder{&m_state};
    LoadJob m_loadJob;
    MetricJob m_metricJob;
    MetricJob m_explainJob; ///< evidence and references of the selected metric
    std::shared_ptr<const HardwareDatabase> m_hardware;
    AnalysisJob<RunCollectivesPtr> m_collectivesJob{[this](const auto& run) { onMatched(run); }};
    CollectiveRowsJob m_rowsJob;
    AnalysisJob<StragglerReportPtr> m_stragglerJob{[this](const auto& found) { onStragglersFound(found); }};
    AnalysisJob<CauseAnswerPtr> m_causeJob{[this](const auto& answer) { onExplained(answer); }};
    LatestOnlyJob<MemoryHistoryPtr> m_memoryJob{[this](const auto& history) { onMemoryReplayed(history); }};
    AnalysisJob<BubbleTablePtr> m_bubblesJob{[this](const auto& bubbles) { onBubblesMeasured(bubbles); }};
    NvlinkJob m_nvlinkJob;
    ArgsJob m_argsJob;
    std::unique_ptr<Actions> m_actions;
    Request m_opened; ///< the run on show
    TraceModelPtr m_beforePreview; ///< on show when the preview came; nullptr if there was none
    std::optional<Session> m_sessionBefore; ///< of that one
    TimeRange m_previewRange; ///< visible when the preview came
    bool m_isPreview = false; ///< the model on show is only a part of what is loading
    Request m_pending; ///< the one that is loading; becomes m_opened when it is loaded
    QStackedWidget* m_pages = nullptr;
    WelcomePage* m_welcome = nullptr;
    RunChooser* m_chooser = nullptr;
    QWidget* m_runPage = nullptr;
    QSplitter* m_splitter = nullptr;
    TimelineView* m_timeline = nullptr;
    NvlinkChart* m_chart = nullptr;
    GpuCounterChart* m_gpuCounters = nullptr;
    MemoryChart* m_memoryChart = nullptr;
    MemoryView* m_memory = nullptr;
    LatencyView* m_latencies = nullptr;
    TrainingView* m_training = nullptr;
    KernelTable* m_kernels = nullptr;
    CollectivesTable* m_collectives = nullptr;
    LatenessMap* m_lateness = nullptr;
    StragglerPanel* m_stragglers = nullptr;
    CauseView* m_causes = nullptr;
    MetricsPanel* m_metrics = nullptr;
    PipelineView* m_pipeline = nullptr;
    ProblemsView* m_problems = nullptr;
    SelectionDetails* m_details = nullptr;
    SearchBar* m_search = nullptr;
    SearchResults* m_found = nullptr;
    RangePanel* m_range = nullptr;
    RanksPanel* m_ranks = nullptr;
    QTabWidget* m_tabs = nullptr;
    QList<QDockWidget*> m_docks;
    QList<QDockWidget*> m_closedDocks; ///< which a person had closed when the layout was saved
    QComboBox* m_steps = nullptr;
    QComboBox* m_iterations = nullptr;
    QAction* m_iterationsAction = nullptr;
    QLabel* m_rangeLabel = nullptr;
    WorkBar m_bar;
    Banner* m_banner = nullptr;
    QuickPick* m_quickPick = nullptr;
    QLabel* m_dropOverlay = nullptr;
    QMenu* m_recentMenu = nullptr;
    QMenu* m_definitionsMenu = nullptr;
    QByteArray m_defaultLayout;
    std::optional<double> m_loadSeconds;
    QElapsedTimer m_sinceStart; ///< of the load
    RunsWindow* m_runs = nullptr; ///< made when first asked for
    QPointer<ComparisonWindow> m_comparison; ///< of the run that was on show when it was asked for last
    std::vector<QPointer<ComparisonWindow>> m_comparisons; ///< of all runs; owned, while they are open
    std::vector<Request> m_wantedTests; ///< until the run to compare with them is there
    bool m_collectivesPending = false;
    bool m_metricsPending = false;
    bool m_rowsPending = false, m_gridPending = false, m_stragglersPending = false,
         m_causesPending = false; ///< of the rank tabs
    bool m_explanationPending = false;
    std::optional<Location> m_goTo; ///< once the clocks are known
    SessionStore m_sessions{SessionStore::defaultFolder()};
    Session m_kept; ///< as it is in the store, or as the run was opened
    QTimer m_keepTimer;
    QTimer m_evidenceTimer; ///< until what is highlighted, or what is in sight, has settled
    bool m_isEvidenceNew = false;
    QString m_sessionFile; ///< of the run on show, as it was before ranks were said by hand
    LoadOptions::Ranks m_manualRanks; ///< said by hand; the run is loaded with them, or is about to be
    QString m_sessionProblem; ///< why what was kept of the run on show could not be read
    std::optional<TimeRange> m_wantedView; ///< of a session, until the clocks are known
    TimeRange m_viewRestored;
    const UserSettings m_settings;
    MetricDefinitions m_definitions{m_settings == UserSettings::Use};
};

} // namespace collscope
