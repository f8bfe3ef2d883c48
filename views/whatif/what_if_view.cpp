// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/whatif/what_if_view.h"

#include "metrics/whatif/what_if_text.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/tables/cell_table.h"
#include "views/whatif/gate_strip.h"
#include "views/widgets/answer_page.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

enum WhatIfColumn
{
    ScenarioColumn,
    StepColumn,
    GainColumn,
    RangeColumn,
    BasisColumn
};

TableCell textCell(const std::string& text)
{
    TableCell cell;
    cell.text = toText(text);
    return cell;
}

std::vector<TableColumn> columns()
{
    return {{WhatIfView::tr("What would help"), {}, QStringLiteral("scenario"), false},
            {WhatIfView::tr("Step"), WhatIfView::tr("Mean length of a step in the scenario"),
             QStringLiteral("step_ns"), true},
            {WhatIfView::tr("Change"), WhatIfView::tr("Of the length of a step"), QStringLiteral("gain_ns"),
             true},
            {WhatIfView::tr("Between"), WhatIfView::tr("How much the change may be off"),
             QStringLiteral("range"), true},
            {WhatIfView::tr("Basis"), {}, QStringLiteral("basis"), false}};
}

using Place = std::vector<ScenarioAnswer>::const_iterator;

/// The answer for the headline, of those ranked by gain. A rank that could be like the others is something to
/// look for: before all late ranks, if it makes most of what they gain, and before half of a kernel's time or
/// more bandwidth.
Place bestOf(const std::vector<ScenarioAnswer>& answers)
{
    constexpr double mostOf = 0.75;
    const auto firstThat
        = [&](const auto& isSo) { return std::find_if(answers.begin(), answers.end(), isSo); };
    const Place compared
        = firstThat([](const ScenarioAnswer& own) { return own.basis.comparison != PeerBasis::None; });
    if (compared == answers.end()) {
        const Place reachable = firstThat([](const ScenarioAnswer& own) { return !own.basis.isBound; });
        return reachable != answers.end() ? reachable : answers.begin();
    }
    const Place rank = firstThat([](const ScenarioAnswer& own) {
        return own.scenario.changes.size() == 1 && own.scenario.changes.front().kind == ChangeKind::Rank;
    });
    return rank != answers.end() && rank->gainNs >= mostOf * compared->gainNs ? rank : compared;
}

} // namespace

WhatIfView::WhatIfView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_line(new QLineEdit(this))
    , m_ghost(new QToolButton(this))
    , m_gates(new GateStrip(this))
    , m_table(new CellTable(tr("Scenarios"), this))
{
    setObjectName(QStringLiteral("whatIf"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_table->setObjectName(QStringLiteral("scenarios"));
    m_table->setTextElideMode(Qt::ElideRight);
    m_line->setObjectName(QStringLiteral("scenarioLine"));
    m_line->setPlaceholderText(
        tr("Try: rank=5, late, kernels=gemm:50%, bandwidth=2, comm=0, launches=0, input=0"));
    m_line->setAccessibleName(tr("Scenario to try"));
    m_line->setClearButtonEnabled(true);
    m_ghost->setObjectName(QStringLiteral("ghost"));
    m_ghost->setText(tr("Show in timeline"));
    m_ghost->setToolTip(tr("Above each stream, its work as it would be in the chosen scenario"));
    m_ghost->setCheckable(true);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 4);
    bar->setSpacing(8);
    bar->addWidget(m_line, 1);
    bar->addWidget(m_ghost);
    auto* const content = new QWidget(this);
    auto* const contentLayout = new QVBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(0);
    contentLayout->addWidget(m_gates);
    contentLayout->addLayout(bar);
    contentLayout->addWidget(m_table, 1);
    m_page = new AnswerPage(content, this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);

    connect(m_table, &CellTable::rowChosen, this, &WhatIfView::choose);
    connect(m_ghost, &QToolButton::toggled, this, &WhatIfView::askGhost);
    connect(m_line, &QLineEdit::returnPressed, this, &WhatIfView::readLine);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        m_isAsked = false;
        m_tried.clear();
        m_ghost->setChecked(false);
        setAnswer(nullptr);
    });
    connect(&state->run(), &RunContext::collectivesChanged, this, [this] { ask(); });
    connect(&state->run(), &RunContext::clocksChanged, this, [this] {
        m_isAsked = false;
        m_tried.clear();
        setAnswer(nullptr);
        ask();
    });
    setAnswer(nullptr);
}

void WhatIfView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
}

void WhatIfView::ask(Ask when)
{
    if (m_isAsked || (when == Ask::IfSeen && !isVisible()) || !m_state->run().collectives())
        return;
    m_isAsked = true;
    emit answerWanted();
}

QString WhatIfView::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to see what would make its steps shorter.");
    if (!m_answer)
        return tr("Replaying the run\u2026");
    return {};
}

QString WhatIfView::verdictText() const
{
    if (!m_answer)
        return {};
    if (m_answer->slowdown && m_answer->slowdown->slowdown)
        return tr("Steps take %1 times as long as with the usual duration of each operation (S).")
            .arg(QLocale().toString(*m_answer->slowdown->slowdown, 'f', 3));
    if (m_answer->isRefused())
        return tr("Cannot be told. %1").arg(toText(m_answer->replay->refused()));
    const WhatIfReplay& replay = *m_answer->replay;
    const auto best = bestOf(m_answer->scenarios);
    if (best == m_answer->scenarios.end())
        return tr("Nothing that was tried makes it shorter by more than %1.")
            .arg(toText(changeText(-replay.barNs(), replay.measuredNs())).remove(QLatin1Char('+')));
    const QString text = best->basis.isBound ? tr("With %1, it would take at least %2 instead of %3 (%4).")
        : replay.isPerStep()                 ? tr("With %1, a step would take %2 instead of %3 (%4).")
                                             : tr("With %1, it would take %2 instead of %3 (%4).");
    return text.arg(toText(best->text), formatDuration(std::llround(best->stepNs)),
                    formatDuration(std::llround(replay.measuredNs())),
                    toText(changeText(best->gainNs, replay.measuredNs())));
}

void WhatIfView::setAnswer(WhatIfAnswerPtr answer)
{
    m_answer = std::move(answer);
    m_chosen = -1;
    if (const QString empty = emptyText(); !empty.isEmpty()) {
        m_gates->setGates({});
        m_table->setTable({}, {});
        m_page->showEmpty(empty);
        return;
    }
    const WhatIfReplay& replay = *m_answer->replay;
    const bool isReplayed = !replay.gates().empty();
    m_gates->setGates(replay.gates());
    m_page->showAnswer(verdictText(), isReplayed ? toText(replayText(replay)) : QString());
    m_line->setEnabled(!m_answer->isRefused());
    m_ghost->setEnabled(!m_answer->isRefused());
    fillCompletions();
    fill();
    if (std::exchange(m_triesLine, false) && !m_answer->isRefused())
        readLine();
}

/// The words, and the ranks and kernels of the suggestions.
void WhatIfView::fillCompletions()
{
    QStringList texts;
    for (const ChangeWord& word : changeWords())
        texts << toText(std::string(word.form));
    for (const ScenarioAnswer& answer : m_answer->scenarios)
        texts << toText(answer.scenario.spec);
    texts.removeDuplicates();
    auto* const completer = new QCompleter(texts, m_line);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    delete m_line->completer();
    m_line->setCompleter(completer);
}

void WhatIfView::fill()
{
    m_shown = m_tried;
    m_shown.insert(m_shown.end(), m_answer->scenarios.begin(), m_answer->scenarios.end());
    m_shown.insert(m_shown.end(), m_answer->after.begin(), m_answer->after.end());
    m_shown.insert(m_shown.end(), m_answer->limits.begin(), m_answer->limits.end());
    const double measuredNs = m_answer->replay->measuredNs();
    double largest = 0;
    for (const ScenarioAnswer& own : m_shown)
        largest = std::max(largest, own.gainNs);
    const Surfaces colors = surfaces(palette());
    std::vector<std::vector<TableCell>> rows;
    for (const ScenarioAnswer& own : m_shown) {
        const bool isAnswered = own.basis.refused.empty();
        std::vector<TableCell> row(BasisColumn + 1);
        row[ScenarioColumn] = textCell(own.text);
        row[ScenarioColumn].toolTip = toText(own.scenario.spec);
        if (isAnswered)
            row[BasisColumn] = textCell(basisText(*m_state->run().model(), own));
        else
            row[BasisColumn].text = tr("Not answered: %1").arg(toText(own.basis.refused));
        if (isAnswered) {
            row[StepColumn].text = formatDuration(std::llround(own.stepNs));
            row[StepColumn].raw = static_cast<qlonglong>(std::llround(own.stepNs));
            row[GainColumn] = textCell(changeText(own.gainNs, measuredNs));
            row[GainColumn].raw = static_cast<qlonglong>(std::llround(own.gainNs));
            row[GainColumn].bar = largest > 0 ? std::max(0.0, own.gainNs / largest) : 0;
            row[GainColumn].barColor = own.basis.isBound ? colors.dimText : colors.accent;
            row[RangeColumn] = textCell(changeText(own.lowNs, measuredNs) + " \u2026 "
                                        + changeText(own.highNs, measuredNs));
        }
        rows.push_back(std::move(row));
    }
    const bool isFirst = m_table->model()->columnCount() == 0;
    m_table->setTable(columns(), std::move(rows));
    if (isFirst)
        m_table->sortByColumn(-1, Qt::AscendingOrder); // as they are ranked
    m_table->horizontalHeader()->setSectionResizeMode(BasisColumn, QHeaderView::Stretch);
    const int widestScenario = std::min(420, m_table->viewport()->width() * 2 / 5);
    if (m_table->columnWidth(ScenarioColumn) > widestScenario)
        m_table->setColumnWidth(ScenarioColumn, widestScenario);
}

void WhatIfView::choose(int row)
{
    m_chosen = row;
    const ScenarioAnswer& own = m_shown[static_cast<std::size_t>(row)];
    std::vector<SliceRef> slices;
    for (const ScenarioEvidence& evidence : own.evidence)
        slices.push_back(evidence.slice);
    if (!slices.empty())
        m_state->revealSlice(slices.front(), true);
    std::sort(slices.begin(), slices.end());
    m_state->emphasis().setEvidence(std::move(slices), {});
    askGhost();
}

void WhatIfView::askGhost()
{
    const bool wanted
        = m_ghost->isChecked() && m_chosen >= 0 && static_cast<std::size_t>(m_chosen) < m_shown.size();
    emit ghostWanted(wanted ? std::optional(m_shown[static_cast<std::size_t>(m_chosen)].scenario)
                            : std::nullopt);
}

void WhatIfView::readLine()
{
    const auto read = parseScenario(m_line->text().trimmed().toStdString());
    if (const auto* const error = std::get_if<std::string>(&read)) {
        m_line->setToolTip(toText(*error));
        m_page->showAnswer(toText(*error), toText(replayText(*m_answer->replay)));
        return;
    }
    m_line->setToolTip({});
    m_page->showAnswer(verdictText(), toText(replayText(*m_answer->replay)));
    emit scenarioWanted(std::get<Scenario>(read));
}

void WhatIfView::tryScenario(const QString& text)
{
    m_line->setText(text);
    m_triesLine = !m_answer;
    if (m_answer && !m_answer->isRefused())
        readLine();
}

void WhatIfView::addTried(ScenarioAnswer answer)
{
    if (!m_answer)
        return;
    std::erase_if(m_tried,
                  [&](const ScenarioAnswer& own) { return own.scenario.spec == answer.scenario.spec; });
    m_tried.insert(m_tried.begin(), std::move(answer));
    fill();
    m_table->selectRowOf(0);
    choose(0);
}

} // namespace collscope
