// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One run in one window: places the views, and the controllers that fill them.

#include "app/parts/user_settings.h"
#include "model/readers/run/trace_directory.h"

#include <QMainWindow>

#include <memory>

class QStackedWidget;

namespace collscope {

class ComparisonController;
class ComparisonWindow;
class Controllers;
class LocationController;
class MatchController;
class MetricDefinitions;
class MetricsController;
class MetricsPanel;
class ProblemsView;
class QuickPick;
class RanksPanel;
class RunChooser;
class RunController;
class RunPage;
class RunToolBar;
class SearchController;
class SessionController;
class StatusController;
class TimelineArea;
class SummaryController;
class TimelineController;
class ViewState;
class WelcomePage;
class WindowLayout;
struct Location;
struct WindowContext;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(UserSettings settings = UserSettings::Use, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Loads a run in the background; the current run, and the run that F5 reloads, stay until the new one is
    /// ready.
    void openPaths(const QStringList& paths, const LoadOptions& options = {});
    /// Compares the current run, or the run being loaded, with another run in a separate window.
    void compareWith(const QStringList& paths, const LoadOptions& options = {});
    /// Returns the comparison window; nullptr before compareWith() and after it was closed.
    ComparisonWindow* comparison() const;
    /// Goes to a location now, or as soon as the run being loaded is ready.
    void goToLocation(const Location& location);
    bool isLoading() const;
    /// Whether values or curves of the current run are still being computed.
    bool isComputing() const;
    ViewState* viewState() const;
    /// A view of this window: there is one of each class.
    template<typename View>
    View* view() const
    {
        return findChild<View*>();
    }
    /// Removes what varies between screenshots: the load time, and the positions of views that pushed each
    /// other in a small window while their contents arrived.
    void settleForPicture();
    MetricDefinitions* metricDefinitions() const;
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
    void summaryReady();
    void ranksCompared(); ///< one of the tabs that compare ranks has received its data

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildPages();
    void buildDocks();
    void buildTabs();
    void buildRankTabs(SummaryController& summary);
    void buildBars();
    void addControllers();
    void bindCommands();
    void connectPages();
    MainWindow* openWindow() const;
    void focusNextView(int direction);
    void openGuide(const QString& place);
    void resetLayout();

    const std::unique_ptr<WindowContext> m_context;
    const std::unique_ptr<Controllers> m_controllers;
    const std::unique_ptr<WindowLayout> m_layout;
    QStackedWidget* m_pages = nullptr;
    WelcomePage* m_welcome = nullptr;
    RunChooser* m_chooser = nullptr;
    RunPage* m_runPage = nullptr;
    TimelineArea* m_area = nullptr;
    RanksPanel* m_ranks = nullptr;
    MetricsPanel* m_metricsPanel = nullptr;
    ProblemsView* m_problems = nullptr;
    RunToolBar* m_toolBar = nullptr;
    QuickPick* m_quickPick = nullptr;
    QMenu* m_tabsMenu = nullptr;
    SessionController* m_session = nullptr;
    MetricsController* m_metrics = nullptr;
    MatchController* m_match = nullptr;
    RunController* m_run = nullptr;
    SearchController* m_search = nullptr;
    ComparisonController* m_comparison = nullptr;
    LocationController* m_location = nullptr;
    TimelineController* m_timeline = nullptr;
    StatusController* m_status = nullptr;
};

} // namespace collscope
