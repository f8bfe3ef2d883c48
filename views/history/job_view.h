// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Job": since when the job is slower, and where, by its logs and the NCCL Inspector.

#include "metrics/history/speed_map.h"
#include "views/state/view_state.h"

#include <QWidget>

class QPlainTextEdit;

namespace collscope {

class AnswerPage;
class JobCanvas;

class JobView : public QWidget
{
    Q_OBJECT

public:
    explicit JobView(ViewState* state, QWidget* parent = nullptr);

    /// Whether the run has a history of its job.
    bool isWanted() const;
    /// nullptr: it is being examined.
    void setJob(JobCasePtr own);
    const JobCasePtr& job() const { return m_job; }
    JobCanvas* canvas() const { return m_canvas; }
    QPlainTextEdit* text() const { return m_text; }

signals:
    void wantedChanged();

private:
    ViewState* m_state;
    JobCasePtr m_job;
    JobCanvas* m_canvas;
    QPlainTextEdit* m_text;
    AnswerPage* m_page;
};

} // namespace collscope
