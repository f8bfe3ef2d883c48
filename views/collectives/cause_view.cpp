// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/cause_view.h"

#include "metrics/core/step_rows.h"
#include "metrics/whatif/finding_scenario.h"
#include "views/common/format.h"
#include "views/whatif/gain_button.h"
#include "views/widgets/answer_page.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// Length of each step on the slowest rank, keyed by step number.
std::map<std::int64_t, std::int64_t> lengthsOfSteps(const TraceModel& model)
{
    std::map<std::int64_t, std::int64_t> lengths;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.stepSource == StepSource::WholeTrace)
            continue;
        for (const Step& step : timeline.steps) {
            std::int64_t& longest = lengths[step.number];
            longest = std::max(longest, step.range.lengthNs());
        }
    }
    return lengths;
}

/// The step at a time of the axis: the step of the first rank that is in one, which most ranks share.
std::optional<std::int64_t> stepAt(const ViewState& state, std::int64_t axisNs)
{
    const std::vector<Timeline>& timelines = state.run().model()->timelines;
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        if (timelines[i].stepSource == StepSource::WholeTrace)
            continue;
        if (const Step* const step = stepAround(timelines[i], state.run().clocks().fromAxis(i, axisNs)))
            return step->number;
    }
    return std::nullopt;
}

QToolButton* textButton(const QString& text, const QString& toolTip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
}

} // namespace

CauseView::CauseView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_steps(new QComboBox(this))
    , m_collective(textButton(tr("Explain the selected collective"), {}, this))
    , m_whatIf(new GainButton(this))
    , m_copy(textButton(tr("Copy"), tr("Copy the explanation as text"), this))
    , m_clauses(new QListWidget(this))
    , m_page(new AnswerPage(m_clauses, this))
{
    setObjectName(QStringLiteral("causes"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_steps->setAccessibleName(tr("Step to explain"));
    m_steps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_steps->setMinimumWidth(200);
    m_copy->setObjectName(QStringLiteral("causesCopy"));
    m_clauses->setAccessibleName(tr("Explanation, one fact per line"));
    m_clauses->setWordWrap(true);
    m_clauses->setResizeMode(QListView::Adjust);
    m_clauses->setFrameShape(QFrame::NoFrame);
    m_clauses->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_clauses->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_clauses->setTextElideMode(Qt::ElideNone);
    m_clauses->setSpacing(1);
    m_clauses->setStyleSheet(QStringLiteral("QListView { padding-left: 5px; padding-right: 5px; }"));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 2);
    bar->setSpacing(8);
    bar->addWidget(m_steps);
    bar->addWidget(m_collective);
    bar->addStretch(1);
    bar->addWidget(m_whatIf);
    bar->addWidget(m_copy);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_page, 1);

    connect(m_steps, &QComboBox::activated, this, [this](int index) {
        ask({m_steps->itemData(index).toLongLong(), {}, {}});
    });
    connect(m_collective, &QToolButton::clicked, this, [this] {
        if (const auto instance = m_state->selection().collective())
            ask({{}, instance, {}});
    });
    connect(m_copy, &QToolButton::clicked, this, &CauseView::copyAll);
    // A click on the current sentence shows it again after the view has moved.
    connect(m_clauses, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { showClause(m_clauses->row(item)); });
    connect(m_clauses, &QListWidget::currentRowChanged, this, [this](int row) {
        if (m_clauses->hasFocus())
            showClause(row);
    });
    connect(&state->run(), &RunContext::modelChanged, this, &CauseView::fillSteps);
    connect(&state->run(), &RunContext::collectivesChanged, this, [this] {
        updateCollectiveButton();
        askIfSeen();
    });
    connect(&state->run(), &RunContext::clocksChanged, this, [this] { ask(CauseQuestion(m_question)); });
    connect(&state->selection(), &ViewSelection::sliceChanged, this, &CauseView::updateCollectiveButton);
    connect(&state->selection(), &ViewSelection::stepChanged, this, [this, state] {
        const std::optional<std::int64_t> step = state->selection().step();
        if (step && m_steps->findData(QVariant::fromValue(qlonglong{*step})) >= 0)
            ask({step, {}, {}});
    });
    fillSteps();
}

void CauseView::fillSteps()
{
    m_question = {};
    m_question.clocks = m_state->run().clockChoice();
    m_answer.reset();
    m_isAsked = false;
    m_steps->clear();
    if (m_state->run().model()) {
        const auto lengths = lengthsOfSteps(*m_state->run().model());
        const auto slowest = std::max_element(
            lengths.begin(), lengths.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        for (auto step = lengths.begin(); step != lengths.end(); ++step) {
            QString text = tr("Step %1, %2").arg(step->first).arg(formatDuration(step->second));
            if (step == slowest) {
                m_question.step = step->first;
                text = lengths.size() > 1 ? tr("%1 (slowest)").arg(text) : text;
            }
            m_steps->addItem(text, QVariant::fromValue(static_cast<qlonglong>(step->first)));
        }
    }
    m_steps->setEnabled(m_steps->count() > 0);
    if (m_steps->count() == 0)
        m_steps->addItem(tr("No steps"));
    if (m_question.step)
        m_steps->setCurrentIndex(m_steps->findData(QVariant::fromValue(qlonglong{*m_question.step})));
    updateCollectiveButton();
    showAnswer();
    askIfSeen();
}

void CauseView::updateCollectiveButton()
{
    const bool hasOne = m_state->selection().collective().has_value();
    m_collective->setEnabled(hasOne);
    m_collective->setToolTip(hasOne ? tr("Explain why its last rank arrived late (E)")
                                    : tr("Select a collective in the timeline or in a table first"));
}

void CauseView::explainHere()
{
    if (!m_state->run().model())
        return;
    if (const auto instance = m_state->selection().collective()) {
        ask({{}, instance, {}});
        return;
    }
    const TimeRange visible = m_state->viewport().visibleRange();
    if (const auto step = stepAt(*m_state, visible.beginNs + visible.lengthNs() / 2))
        ask({step, {}, {}});
}

void CauseView::ask(const CauseQuestion& question)
{
    m_question = question;
    m_question.clocks = m_state->run().clockChoice();
    m_answer.reset();
    m_isAsked = false;
    if (question.step)
        m_steps->setCurrentIndex(m_steps->findData(QVariant::fromValue(qlonglong{*question.step})));
    showAnswer();
    askIfSeen();
}

void CauseView::askIfSeen()
{
    if (m_isAsked || m_answer || m_question.isEmpty() || !m_state->run().collectives() || !isVisible())
        return;
    m_isAsked = true;
    emit answerWanted(m_question);
}

void CauseView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    askIfSeen();
}

void CauseView::setAnswer(CauseAnswerPtr answer)
{
    if (!answer || answer->question != m_question)
        return; // answers an older question
    m_answer = std::move(answer);
    m_isAsked = false;
    showAnswer();
}

QString CauseView::verdictText() const
{
    return m_answer ? toText(m_answer->subject) + QStringLiteral(": ") + toText(m_answer->verdict)
                    : QString();
}

QString CauseView::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to see why a step was slow.");
    if (m_question.isEmpty())
        return tr(
            "The run has no step markers: the tab Summary says what costs time in the whole trace. Select a "
            "collective and press E to see why its last rank arrived late.");
    if (!m_answer)
        return tr("Comparing ranks and steps\u2026");
    return m_answer->status ? QString() : toText(m_answer->status.error().message);
}

void CauseView::showAnswer()
{
    const QString empty = emptyText();
    m_copy->setEnabled(empty.isEmpty());
    m_clauses->clear();
    offerScenario();
    if (!empty.isEmpty()) {
        m_page->showEmpty(empty);
        return;
    }
    m_page->showAnswer(verdictText(), toText(m_answer->clocks));
    int number = 0;
    for (const CauseClause& clause : m_answer->chain.clauses) {
        auto* item = new QListWidgetItem(
            QStringLiteral("%1.  %2").arg(++number).arg(sentenceText(clause.text)), m_clauses);
        item->setToolTip(clause.slices.empty() ? tr("Click to show its time range in the timeline")
                                               : tr("Click to show its slices in the timeline"));
    }
}

void CauseView::offerScenario()
{
    const bool isRankLate = m_answer && m_answer->status && m_answer->chain.verdict == CauseVerdict::LateRank
        && m_answer->chain.rank >= 0;
    m_whatIf->setScenario(isRankLate ? scenarioOfRanks({m_answer->chain.rank}) : std::nullopt);
}

void CauseView::showClause(int row)
{
    if (!m_answer || row < 0 || static_cast<std::size_t>(row) >= m_answer->chain.clauses.size())
        return;
    const CauseClause& clause = m_answer->chain.clauses[static_cast<std::size_t>(row)];
    std::vector<SliceRef> slices = clause.slices;
    std::sort(slices.begin(), slices.end());
    if (!clause.range.isEmpty())
        m_state->viewport().showRange(clause.range);
    if (!clause.slices.empty())
        m_state->revealSlice(clause.slices.front(), true);
    m_state->emphasis().setEvidence(std::move(slices), {clause.range});
}

void CauseView::copyAll()
{
    QStringList lines{verdictText()};
    for (int row = 0; row < m_clauses->count(); ++row)
        lines << m_clauses->item(row)->text();
    lines << toText(m_answer->clocks);
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace collscope
