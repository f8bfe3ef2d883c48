// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// One run in one window: places the views, connects them to ViewState, loads runs, writes exports.

#include "app/actions.h"
#include "app/analysis_job.h"
#include "app/load_job.h"
#include "app/metric_definitions.h"
#include "app/range_job.h"
#include "app/session_store.h"
#include "app/slice_finder.h"
#include "app/window_context.h"
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

class CauseController;
class CollectivesController;
class ComparisonWindow;
class CurvesController;
class MemoryController;
class MetricsController;
class PipelineController;
class RunsWindow;
class SelectionController;
class StragglerController;
class TimelineArea;

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

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(UserSettings settings = UserSettings::Use, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Loads a run in the background; the current run, and the run that F5 reloads, stay until the new one is
    /// ready.
    void openPaths(const QStringList& paths, const LoadOptions& options = {});
    void openDemo();
    /// Compares the current run, or the run being loaded, with another run in a separate window.
    void compareWith(const QStringList& paths, const LoadOptions& options = {});
    /// Returns the comparison window; nullptr before compareWith() and after it was closed.
    ComparisonWindow* comparison() const;
    /// Goes to a location now, or as soon as the run being loaded is ready.
    void goToLocation(const Location& location);
    bool isLoading() const { return m_loadJob.isRunning(); }
    /// Whether values or curves of the current run are still being computed.
    bool isComputing() const;
    ViewState* viewState() { return &m_state; }
    /// A view of this window: there is one of each class.
    template<typename View>
    View* view() const
    {
        return findChild<View*>();
    }
    /// Removes what varies between screenshots: the load time, and the positions of views that pushed each
    /// other in a small window while their contents arrived.
    void settleForPicture();
    MetricDefinitions* metricDefinitions();
    /// All metrics of the panel, byte for byte as written by collscope --batch --csv with the same scope.
    QByteArray metricsCsv() const;
    QByteArray metricsJson() const;

signals:
    void runPreviewed(); ///< a large run can be panned while the rest of it loads
    void runOpened();
    void openFailed(const QString& message);
    void runsOffered(); ///< the folder contains several runs: their list is visible
    void openCancelled();
    void metricsReady();
    void nvlinkReady();
    void memoryReplayed();
    void rangeSummarized();
    void ranksCompared(); ///< one of the tabs that compare ranks has received its data

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    using Request = RunRequest;

    std::vector<Command> commands();
    void connectJobs();
    void connectEdits();
    void connectTimeFormats();
    void connectThemes();
    void connectSearch();
    void connectSession();
    Session session() const; ///< precondition: a run is open
    void restore(const Session& kept);
    void restoreViewOnClocks();
    void keepSession();
    std::optional<Session> bringSessionBack(); ///< the session saved for the run, if any
    void saveSessionBeside();
    void startOver();
    /// Shows which parts of a session could not be restored, or what the user has to decide.
    void showSessionStatus();
    void showUnrecognised();
    bool isKernelSelected() const;
    void teachKernel();
    void chooseRanks();
    void goToTrack();
    void loadWithRanks(const LoadOptions::Ranks& ranks);
    void connectRange();
    void connectTables(); ///< connects the export of all tables
    void connectTools();
    void buildExportMenu();
    /// Asks for a file and writes the current content of the widget into it. `part`: its name in file names
    /// and titles.
    void exportView(const QString& part, QWidget* widget);
    void showCommands();
    /// Reports events in the files that the model excludes.
    void reportExclusions();
    /// Shows inconsistencies within the run.
    void showFindings();
    /// Offers to run nsys export on reports, if there are any.
    void offerExport();
    void connectEvidence();
    /// Offers to show the highlighted items if none of them is visible.
    void offerEvidence();
    void showEvidence();
    void buildChooser();
    /// Shows the list of runs in the folder that was opened.
    void offerRuns(const std::vector<FoundRun>& runs);
    void leaveChooser();
    void findSame();
    void listSelectedRange();
    void copyLocation();
    void goToWanted();
    void showTab(QWidget* content);
    void focusNextView(int direction);
    MainWindow* openWindow();
    void connectClocks(); ///< also connects notices of the timeline
    void restoreLayout();
    void showDocks();
    void start(Request request);
    void reload();
    bool isSameRequest() const;
    void chooseIteration();
    void buildViews();
    void buildDocks();
    void buildToolBar();
    void buildStatusBar();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area);
    void chooseFiles();
    void chooseFolder();
    void chooseTest();
    bool isComparingDrop(const QDropEvent& event) const;
    void startComparison(); ///< with the requested tests, once the run is loaded
    void onPreviewed(const TraceModelPtr& model);
    void onLoaded(const TraceModelPtr& model);
    /// Restores what was shown before the preview of a load that failed or was cancelled.
    void takePreviewBack();
    void showRun(const TraceModelPtr& model);
    void onFailed(const QString& message);
    void onCancelled();
    void setLoading(bool loading) const;
    void focusTimeline();
    /// Matches the collectives and aligns the clocks, then computes the metrics.
    void matchCollectives();
    void onMatched(const RunCollectivesPtr& collectives);
    void buildRankTabs();
    /// Opens a place in the guide; shows a message if the guide is not installed.
    void openGuide(const QString& place);
    void connectGuide();
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

    const std::unique_ptr<WindowContext> m_context;
    ViewState& m_state;
    RangeJob m_rangeJob{&m_state};
    SliceFinder m_finder{&m_state};
    LoadJob m_loadJob;
    AnalysisJob<RunCollectivesPtr> m_collectivesJob{[this](const auto& run) { onMatched(run); }};
    std::unique_ptr<Actions>& m_actions;
    Request& m_opened; ///< the current run
    TraceModelPtr m_beforePreview; ///< shown when the preview arrived; nullptr if none
    std::optional<Session> m_sessionBefore; ///< session of m_beforePreview
    TimeRange m_previewRange; ///< visible when the preview arrived
    bool& m_isPreview; ///< the current model is only a part of the run being loaded
    Request& m_pending; ///< being loaded; becomes m_opened when loaded
    QStackedWidget* m_pages = nullptr;
    WelcomePage* m_welcome = nullptr;
    RunChooser* m_chooser = nullptr;
    QWidget* m_runPage = nullptr;
    TimelineArea* m_area = nullptr;
    TimelineView* m_timeline = nullptr;
    SelectionController* m_selection = nullptr;
    MetricsController* m_numbers = nullptr;
    CurvesController* m_curves = nullptr;
    MemoryController* m_memory = nullptr;
    CollectivesController* m_collectives = nullptr;
    StragglerController* m_stragglers = nullptr;
    CauseController* m_causes = nullptr;
    PipelineController* m_pipeline = nullptr;
    LatencyView* m_latencies = nullptr;
    TrainingView* m_training = nullptr;
    KernelTable* m_kernels = nullptr;
    MetricsPanel* m_metrics = nullptr;
    ProblemsView* m_problems = nullptr;
    SearchBar* m_search = nullptr;
    SearchResults* m_found = nullptr;
    RangePanel* m_range = nullptr;
    RanksPanel* m_ranks = nullptr;
    QTabWidget*& m_tabs;
    QList<QDockWidget*> m_docks;
    QList<QDockWidget*> m_closedDocks; ///< closed by the user when the layout was saved
    QComboBox* m_steps = nullptr;
    QComboBox* m_iterations = nullptr;
    QAction* m_iterationsAction = nullptr;
    QLabel* m_rangeLabel = nullptr;
    WorkBar& m_bar;
    Banner*& m_banner;
    QuickPick* m_quickPick = nullptr;
    QLabel* m_dropOverlay = nullptr;
    QMenu* m_recentMenu = nullptr;
    QByteArray m_defaultLayout;
    std::optional<double>& m_loadSeconds;
    QElapsedTimer m_sinceStart; ///< since the load started
    RunsWindow* m_runs = nullptr; ///< created on first use
    QPointer<ComparisonWindow> m_comparison; ///< of the run that was open at the last request
    std::vector<QPointer<ComparisonWindow>> m_comparisons; ///< of all runs; owned while they are open
    std::vector<Request> m_wantedTests; ///< until the run to compare with is loaded
    bool& m_collectivesPending;
    std::optional<Location> m_goTo; ///< pending until the clocks are known
    SessionStore m_sessions{SessionStore::defaultFolder()};
    Session m_kept; ///< as it is in the store, or as the run was opened
    QTimer m_keepTimer;
    QTimer m_evidenceTimer; ///< runs until the highlighted items and the visible range have settled
    bool m_isEvidenceNew = false;
    QString m_sessionFile; ///< of the current run, before ranks were assigned by hand
    LoadOptions::Ranks m_manualRanks; ///< assigned by hand; the run is, or is about to be, loaded with them
    Status m_sessionStatus; ///< an error: why the saved session of the current run could not be read
    std::optional<TimeRange> m_wantedView; ///< from a session, pending until the clocks are known
    TimeRange m_viewRestored;
    const UserSettings m_settings;
};

} // namespace collscope
