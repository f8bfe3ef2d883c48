// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window of a comparison: loads the runs to compare with the current run, and writes reports.

#include "app/jobs/comparison_job.h"
#include "app/jobs/groups_job.h"
#include "app/jobs/load_job.h"
#include "app/parts/actions.h"
#include "app/parts/window_parts.h"
#include "views/comparison/comparison_view.h"
#include "views/widgets/banner.h"

#include <QMainWindow>

#include <deque>
#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace collscope {

class ComparisonWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// `options`: hardware data and clocks for all runs.
    ComparisonWindow(ComparisonRun baseline, MetricOptions options, QWidget* parent = nullptr);
    ~ComparisonWindow() override;

    const TraceModelPtr& baseline() const { return m_base.model; }
    /// Loads another run and compares it. Several runs are loaded one after the other.
    void addTest(const QStringList& paths, const LoadOptions& options = {});
    ComparisonView* view() const { return m_view; }
    Actions* actionTable() const { return m_actions.get(); }
    /// False once all requested data is visible.
    bool isBusy() const;

signals:
    void compared();
    void failed(const QString& message);
    void exported(const QStringList& files);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Request
    {
        QStringList paths;
        LoadOptions options;
    };

    std::vector<Command> commands();
    void buildToolBar();
    void connectJobs();
    void chooseTest();
    void loadNext();
    void onLoaded(const TraceModelPtr& model);
    void onFailed(const QString& message);
    void showTest(int index);
    void compare();
    void onCompared(const PreparedComparisonPtr& comparison);
    void onSubjectChosen(const ComparedSubject& subject);
    void fillSteps();
    void stepBy(int direction);
    void alignAtSelection();
    void setBusy(const QString& text); ///< "": idle
    bool isWorking() const; ///< on what the bar at the bottom names
    QString whatToDo() const; ///< hint shown while no test run is loaded
    void cancel();
    void updateActions();
    void exportReports(bool ofAllRuns);
    void writeReports(const std::vector<ComparisonRun>& runs, const QString& folder);
    void onWritten(const WrittenReports& written);
    void exportTable();
    void exportPicture();

    ComparisonRun m_base;
    std::vector<ComparisonRun> m_tests;
    int m_shown = -1; ///< index into m_tests
    MetricOptions m_options;
    std::unique_ptr<Actions> m_actions;
    std::deque<Request> m_waiting; ///< the first one is being loaded
    LoadJob m_loadJob;
    LatestOnlyJob<PreparedComparisonPtr> m_compareJob{[this](const auto& found) { onCompared(found); }};
    LatestOnlyJob<std::shared_ptr<const ComparedLocations>> m_placesJob{[this](const auto& places) {
        m_isFinding = false;
        m_view->showPlaces(*places);
    }};
    LatestOnlyJob<std::shared_ptr<const WrittenReports>> m_exportJob{
        [this](const auto& written) { onWritten(*written); }};
    std::vector<std::unique_ptr<GroupsJob>> m_groupsJobs; ///< one for each pane
    bool m_isComparing = false, m_isFinding = false, m_isExporting = false;
    Banner* m_banner;
    ComparisonView* m_view;
    QComboBox* m_testChoice = nullptr;
    QComboBox* m_steps = nullptr;
    QDoubleSpinBox* m_threshold = nullptr;
    WorkBar m_bar;
    QString m_busyText; ///< current activity; empty: idle
};

} // namespace collscope
