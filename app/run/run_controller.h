// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/load_job.h"
#include "app/parts/controller.h"
#include "app/parts/session.h"
#include "app/parts/window_context.h"

#include <QElapsedTimer>

namespace collscope {

class MetricsController;
class SessionController;

/// Opens runs: request, preview, load, and back to the previous run if a load fails or is cancelled.
class RunController : public Controller
{
    Q_OBJECT

public:
    /// `all`: told when to compute for a run, and when to stop. `metrics`: its kernel rules apply to each run
    /// that is loaded.
    RunController(WindowContext& context, Controllers& all, SessionController& session,
                  MetricsController& metrics);

    /// Loads a run in the background; the current run, and the run that F5 reloads, stay until the new one is
    /// ready.
    void openPaths(const QStringList& paths, const LoadOptions& options = {});
    void openDemo();
    void chooseFolder();
    void askForAddress(); ///< of a run on another machine
    void reload();
    /// Loads another iteration of the profiler from the same files.
    void loadIteration(std::int64_t iteration);
    /// The only way to start a load, so that all loads can be cancelled, timed and reverted in the same way.
    void load(RunRequest request);
    void cancelLoad() { m_job.cancel(); }
    bool isLoading() const { return m_job.isRunning(); }
    /// See LoadJob.
    int exportableReports() const { return m_job.exportableReports(); }

signals:
    void aboutToShow(const collscope::TraceModel& model); ///< a run or its preview; the state has the old one
    void previewed();
    void loaded(); ///< the run and its session are shown; what is computed of it comes later
    void opened(); ///< after loaded(): everything has been started
    void notOpened(); ///< the load failed or was cancelled; the previous run is shown again
    void closed(); ///< there was no previous run: the window is empty again
    void runsFound(const std::vector<collscope::FoundRun>& runs); ///< the folder contains several
    void loadFailed(); ///< before failed()
    void failed(const QString& message); ///< nothing could be loaded, or there was nothing to load
    void cancelled();

private:
    void connectJob();
    void bindCommands();
    void chooseFiles();
    bool isSameRequest() const;
    void loadWithRanks();
    void setLoading(bool loading);
    void show(const TraceModelPtr& model);
    void onPreviewed(const TraceModelPtr& model);
    void onLoaded(const TraceModelPtr& model);
    void takePreviewBack();
    void onFailed(const QString& message);
    void onCancelled();

    OpenRun& m_run;
    Controllers& m_all;
    SessionController& m_session;
    MetricsController& m_metrics;
    LoadJob m_job;
    QElapsedTimer m_sinceStart; ///< since the load started
    TraceModelPtr m_beforePreview; ///< shown when the preview arrived; nullptr if none
    std::optional<Session> m_sessionBefore; ///< session of m_beforePreview
    TimeRange m_previewRange; ///< visible when the preview arrived
};

} // namespace collscope
