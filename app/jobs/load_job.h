// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Loads a run off the GUI thread, with progress and cancellation. One load at a time; a new one cancels the
// old one.

#include "model/readers/run/load_trace.h"

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace collscope {

class LoadJob : public QObject
{
    Q_OBJECT

public:
    explicit LoadJob(QObject* parent = nullptr);
    ~LoadJob() override; ///< cancels and waits

    /// `needsEvents`: a run that was merged from summaries fails, with the reason.
    void start(const QStringList& paths, const LoadOptions& options, bool needsEvents = false);
    void cancel();
    /// True until the answer is delivered: a finished load can still be cancelled before that.
    bool isRunning() const { return m_running; }
    /// The runs in the folder if failed() was emitted because it is not a single run; otherwise empty.
    const std::vector<FoundRun>& foundRuns() const { return m_foundRuns; }
    /// Number of Nsight Systems reports (.nsys-rep) in the loaded or failed run that nsys could export on
    /// this machine if the user requests it (LoadOptions::exportsReports).
    int exportableReports() const { return m_exportableReports; }

signals:
    void progressChanged(int percent, const QString& text);
    /// A preview of a large run: its first rank, or the start of it. At most once, before loaded().
    void previewed(const collscope::TraceModelPtr& model);
    void loaded(const collscope::TraceModelPtr& model);
    void failed(const QString& message);
    void cancelled();

private:
    struct Answer
    {
        Result<TraceModelPtr> model;
        bool isPreview = false;
        std::vector<FoundRun> runs = {};
        int exportableReports = 0;
    };
    using Outcome = std::shared_ptr<Answer>;
    void onResult(int index);
    void onFinished();

    QFutureWatcher<Outcome> m_watcher;
    std::stop_source m_stop; ///< of the last load
    bool m_running = false;
    std::vector<FoundRun> m_foundRuns;
    int m_exportableReports = 0;
    QThreadPool m_pool; ///< private: the load uses another pool for its files
};

} // namespace collscope
