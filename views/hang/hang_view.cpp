// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/hang/hang_view.h"

#include "metrics/hang/hang_text.h"
#include "metrics/hang/verdict_text.h"
#include "views/common/format.h"
#include "views/hang/hang_canvas.h"
#include "views/hang/stack_pair.h"
#include "views/tables/cell_table.h"
#include "views/widgets/answer_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostColumns = 24;
constexpr int widestRanks = 200; ///< px

} // namespace

HangView::HangView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_findings(new QComboBox(this))
    , m_groups(new QComboBox(this))
    , m_copy(new QToolButton(this))
    , m_canvas(new HangCanvas(this))
    , m_details(new QLabel(this))
    , m_path(new CellTable(tr("Who waits for whom"), this))
    , m_stacks(new StackPair(this))
{
    setObjectName(QStringLiteral("hang"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_findings->setObjectName(QStringLiteral("hangFindings"));
    m_findings->setAccessibleName(tr("What was found"));
    m_groups->setObjectName(QStringLiteral("hangGroups"));
    m_groups->setAccessibleName(tr("Process group"));
    m_groups->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_groups->setMinimumContentsLength(24);
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the verdict as text"));
    m_path->setObjectName(QStringLiteral("hangPath"));
    m_path->setTextElideMode(Qt::ElideRight);
    m_path->keepOrder();
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setWordWrap(true);
    m_details->setMargin(6);

    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(10, 6, 10, 4);
    bar->setSpacing(8);
    bar->addWidget(m_findings);
    bar->addWidget(m_groups, 1);
    bar->addWidget(m_copy);
    auto* const left = new QWidget(this);
    auto* const leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->setSpacing(0);
    leftLayout->addWidget(m_canvas, 1);
    leftLayout->addWidget(m_details);
    auto* const right = new QSplitter(Qt::Vertical, this);
    right->addWidget(m_path);
    right->addWidget(m_stacks);
    right->setStretchFactor(0, 2);
    right->setStretchFactor(1, 3);
    auto* const columns = new QSplitter(Qt::Horizontal, this);
    columns->addWidget(left);
    columns->addWidget(right);
    columns->setStretchFactor(0, 1);
    columns->setStretchFactor(1, 1);
    columns->setSizes({1000, 1000});
    auto* const content = new QWidget(this);
    auto* const contentLayout = new QVBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(0);
    contentLayout->addLayout(bar);
    contentLayout->addWidget(columns, 1);
    m_page = new AnswerPage(content, this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);

    connect(m_findings, &QComboBox::activated, this, &HangView::showFinding);
    connect(m_groups, &QComboBox::activated, this, &HangView::showGroup);
    connect(m_canvas, &HangCanvas::cellChosen, this, &HangView::showCell);
    connect(m_copy, &QToolButton::clicked, this, &HangView::copy);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        setCase(nullptr);
        emit wantedChanged();
    });
    setCase(nullptr);
}

bool HangView::isWanted() const
{
    const TraceModelPtr& model = m_state->run().model();
    return model && model->hang;
}

void HangView::setCase(HangCasePtr own)
{
    m_case = std::move(own);
    m_model = m_case ? m_state->run().model() : nullptr;
    m_findings->clear();
    m_groups->clear();
    m_stuck.clear();
    m_canvas->setGrid(nullptr, {}, std::nullopt);
    m_stacks->setFinding(nullptr);
    m_path->setTable({}, {});
    m_details->clear();
    if (m_case)
        fill();
    else
        m_page->showEmpty(tr("The dumps are being examined."));
}

/// "cpu: rank 5".
QString HangView::titleOf(const ReportedFinding& finding)
{
    const auto accused = static_cast<int>(finding.ranks.size());
    QString ranks = tr("one of %n ranks", nullptr, static_cast<int>(finding.candidates.size()));
    if (accused > 0)
        ranks = accused == 1 ? tr("rank %1").arg(finding.ranks.front()) : tr("%n ranks", nullptr, accused);
    return QStringLiteral("%1: %2").arg(toText(hangClassName(finding.hangClass)), ranks);
}

void HangView::fill()
{
    for (const ReportedFinding& finding : m_case->reported())
        m_findings->addItem(titleOf(finding));
    m_findings->setVisible(m_findings->count() > 1);
    m_stuck = stuckGroups(*m_case);
    for (const StuckGroup& own : m_stuck)
        m_groups->addItem(tr("%1: %n waiting", nullptr, static_cast<int>(own.waiting))
                              .arg(toText(groupText(m_case->job, own.group))));
    m_groups->setVisible(!m_stuck.empty());
    showFinding();
}

/// The chosen finding, and what to do about it.
void HangView::showHeadline()
{
    const HangVerdict& verdict = m_case->verdict;
    QString basis = tr("%1 of %2 ranks left a dump").arg(verdict.dumps).arg(verdict.ranks);
    for (const std::string& proof : verdict.proofs)
        basis += QStringLiteral(" \u00b7 ") + toText(proof);
    for (const std::string& note : verdict.notes)
        basis += QStringLiteral(" \u00b7 ") + toText(note);
    const auto chosen = static_cast<std::size_t>(std::max(m_findings->currentIndex(), 0));
    QString text = toText(verdict.text);
    if (chosen < m_case->reported().size()) {
        const ReportedFinding& finding = m_case->reported()[chosen];
        text = chosen == 0 ? text : toText(finding.text);
        text += QLatin1Char('\n') + tr("First: %1").arg(toText(finding.whatFirst));
    }
    m_page->showAnswer(text, basis);
}

void HangView::showFinding()
{
    showHeadline();
    showWaits();
    if (m_case->reported().empty())
        return showGroup();
    const auto chosen = static_cast<std::size_t>(std::max(m_findings->currentIndex(), 0));
    m_stacks->setFinding(&m_case->reported()[chosen]);
    const HangFinding& finding = m_case->findings[chosen];
    if (finding.point != WaitGraph::noPoint) {
        const std::uint32_t group = m_case->graph.points[finding.point].group;
        const auto place = std::find_if(m_stuck.begin(), m_stuck.end(),
                                        [&](const StuckGroup& own) { return own.group == group; });
        if (place != m_stuck.end())
            m_groups->setCurrentIndex(static_cast<int>(place - m_stuck.begin()));
    }
    showGroup();
}

void HangView::showGroup()
{
    const auto chosen = static_cast<std::size_t>(std::max(m_groups->currentIndex(), 0));
    if (chosen >= m_stuck.size())
        return m_canvas->setGrid(nullptr, {}, std::nullopt);
    std::optional<std::int64_t> marked;
    const auto finding = static_cast<std::size_t>(std::max(m_findings->currentIndex(), 0));
    if (finding < m_case->findings.size() && m_case->findings[finding].point != WaitGraph::noPoint) {
        const WaitPoint& point = m_case->graph.points[m_case->findings[finding].point];
        if (point.group == m_stuck[chosen].group && point.kind == CallHead::Kind::Collective)
            marked = point.number;
    }
    m_canvas->setGrid(m_case, gridOf(*m_case, m_stuck[chosen].group, mostColumns), marked);
    m_details->setText(
        tr("N not called, E inside the call, P called, S started on the GPU, C finished, ! other "
           "arguments, ? not known. Click a cell for the call."));
}

void HangView::showCell(int row, int column)
{
    const HangGrid& grid = m_canvas->grid();
    const std::uint32_t rank = grid.rows[static_cast<std::size_t>(row)].ranks.front();
    m_details->setText(
        toText(callDetail(*m_case, rank, grid.group, grid.numbers[static_cast<std::size_t>(column)])));
    showPath(rank);
}

/// All ranks, those that are alike in one row.
void HangView::showWaits()
{
    const std::vector<WaitsAlike> waits = allWaits(*m_case);
    setWaits(waits.empty() ? tr("Nobody waits for anybody that is named") : tr("Who waits"), waits);
}

/// The way from a rank to the one that it waits for, through all others.
void HangView::showPath(std::uint32_t rank)
{
    std::vector<WaitsAlike> waits;
    for (const WaitStep& step : waitPath(*m_case, rank))
        waits.push_back({{step.rank}, step, 0});
    const QString from = toText(ranksText(m_case->job, {rank}));
    setWaits(waits.empty() ? tr("%1 waits for nobody that is known").arg(from) : tr("From %1").arg(from),
             waits);
}

void HangView::setWaits(const QString& title, const std::vector<WaitsAlike>& waits)
{
    const auto cellOf = [](const std::string& text) {
        TableCell cell;
        cell.text = cell.toolTip = toText(text);
        return cell;
    };
    std::vector<std::vector<TableCell>> rows;
    for (const WaitsAlike& own : waits)
        rows.push_back({cellOf(ranksText(m_case->job, own.ranks)), cellOf(awaitedText(*m_case, own.step)),
                        cellOf(callText(m_case->job, m_case->graph, own.step.point))});
    m_path->setTable({{title, {}, QStringLiteral("ranks"), false},
                      {tr("waits for"), {}, QStringLiteral("awaited"), false},
                      {tr("in"), {}, QStringLiteral("call"), false}},
                     std::move(rows));
    // Many ranks make a long list, but the call is what tells.
    QHeaderView* const header = m_path->horizontalHeader();
    m_path->resizeColumnsToContents();
    header->setStretchLastSection(true);
    for (const int column : {0, 1})
        header->resizeSection(column, std::min(header->sectionSize(column), widestRanks));
}

QString HangView::verdictText() const
{
    return m_case ? toText(m_case->verdict.text) : QString();
}

void HangView::copy() const
{
    if (m_case)
        QApplication::clipboard()->setText(toText(hangText(m_case->verdict)));
}

} // namespace collscope
