// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/history/job_view.h"

#include "metrics/history/job_text.h"
#include "model/trace_model.h"
#include "views/common/format.h"
#include "views/history/job_canvas.h"
#include "views/widgets/answer_page.h"

#include <QPlainTextEdit>
#include <QSplitter>
#include <QVBoxLayout>

namespace collscope {

JobView::JobView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_canvas(new JobCanvas(this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("job"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("jobText"));
    m_text->setAccessibleName(tr("Changes of the job, and what the files cannot tell"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* const parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(m_canvas);
    parts->addWidget(m_text);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setSizes({600, 300});
    m_page = new AnswerPage(parts, this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        setJob(nullptr);
        emit wantedChanged();
    });
    setJob(nullptr);
}

bool JobView::isWanted() const
{
    const TraceModelPtr& model = m_state->run().model();
    return model && model->history;
}

void JobView::setJob(JobCasePtr own)
{
    m_job = std::move(own);
    m_canvas->setJob(m_job);
    m_text->clear();
    if (!m_job)
        return m_page->showEmpty(tr("The logs are being examined."));
    // The verdict stands above.
    const std::string text = jobText(*m_job->history, m_job->report);
    const std::size_t rest = text.find_first_not_of('\n', text.find('\n'));
    m_text->setPlainText(toText(rest == std::string::npos ? text : text.substr(rest)));
    QString basis;
    for (const JobChange& change : m_job->report.changes) {
        if (change.text == m_job->report.verdict)
            basis = toText(change.culprit.text);
    }
    m_page->showAnswer(toText(m_job->report.verdict), basis);
}

} // namespace collscope
