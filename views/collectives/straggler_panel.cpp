// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/straggler_panel.h"

#include "views/collectives/show_verdict.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/tables/cell_table.h"
#include "views/widgets/answer_page.h"

#include <QHeaderView>
#include <QLocale>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

TableCell timeCell(const ColumnUnit& unit, std::int64_t ns)
{
    TableCell cell;
    cell.text = formatIn(unit, static_cast<double>(ns));
    cell.raw = static_cast<qlonglong>(ns);
    cell.toolTip = formatDurationExact(ns);
    return cell;
}

TableCell integerCell(std::int64_t count)
{
    TableCell cell;
    cell.text = formatCount(static_cast<std::uint64_t>(count));
    cell.raw = static_cast<qlonglong>(count);
    return cell;
}

TableCell textCell(const QString& text, const QColor& chip = {})
{
    TableCell cell;
    cell.text = text;
    cell.chip = chip;
    return cell;
}

double share(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

} // namespace

StragglerPanel::StragglerPanel(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_page(new AnswerPage(m_splitter, this))
    , m_ranks(new CellTable(tr("Waits per rank"), this))
    , m_sideTabs(new QTabBar(this))
    , m_side(new QStackedWidget(this))
    , m_groups(new CellTable(tr("Skew per process group"), this))
    , m_worst(new CellTable(tr("Collectives in which a rank made the others wait"), this))
{
    setObjectName(QStringLiteral("stragglers"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_sideTabs->addTab(tr("Process groups"));
    m_sideTabs->addTab(tr("Worst collectives"));
    m_sideTabs->setDrawBase(false);
    m_sideTabs->setExpanding(false);
    m_sideTabs->setAccessibleName(tr("Process groups, or the worst collectives of a rank"));
    m_side->addWidget(m_groups);
    m_side->addWidget(m_worst);
    auto* side = new QWidget(this);
    auto* sideLayout = new QVBoxLayout(side);
    sideLayout->setContentsMargins(0, 0, 0, 0);
    sideLayout->setSpacing(0);
    sideLayout->addWidget(m_sideTabs);
    sideLayout->addWidget(m_side, 1);
    m_splitter->addWidget(m_ranks);
    m_splitter->addWidget(side);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_page);

    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitterFit = true; });
    connect(m_sideTabs, &QTabBar::currentChanged, m_side, &QStackedWidget::setCurrentIndex);
    connect(m_ranks, &CellTable::rowChosen, this, &StragglerPanel::chooseRank);
    connect(m_ranks, &CellTable::rowActivated, this, [this](int row) {
        emit rankActivated(m_report->ranks[static_cast<std::size_t>(row)].wait.rank);
    });
    const auto reveal = [this](int row) {
        for (const StragglerReport::Rank& rank : m_report->ranks) {
            if (rank.wait.rank == m_rank)
                m_state->revealSlice(rank.worst[static_cast<std::size_t>(row)].slice);
        }
    };
    connect(m_worst, &CellTable::rowChosen, this, reveal);
    connect(m_worst, &CellTable::rowActivated, this, reveal);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        m_rank.reset();
        m_sideTabs->setCurrentIndex(0);
        setReport(nullptr);
    });
    m_sideTabs->setCurrentIndex(0);
    setReport(nullptr);
}

void StragglerPanel::setReport(StragglerReportPtr report)
{
    m_report = std::move(report);
    const QString empty = emptyText();
    if (!empty.isEmpty()) {
        m_ranks->setTable({}, {});
        m_groups->setTable({}, {});
        m_worst->setTable({}, {});
        m_page->showEmpty(empty);
        return;
    }
    showVerdict(*m_report, *m_page);
    fillRanks();
    fillGroups();
    fillWorst();
}

QString StragglerPanel::verdictText() const
{
    return m_report ? toText(m_report->verdictText) : QString();
}

QString StragglerPanel::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to see which rank the others wait for.");
    if (!m_report)
        return tr("Finding the rank that the others waited for\u2026");
    return toText(m_report->reason);
}

void StragglerPanel::fillRanks()
{
    std::int64_t longest = 0;
    std::int64_t mostImposed = 0;
    std::int64_t mostOwn = 0;
    std::int64_t mostCaused = 0;
    for (const StragglerReport::Rank& rank : m_report->ranks) {
        mostOwn = std::max({mostOwn, rank.wait.ownNs, rank.wait.ownByDurationNs});
        mostImposed = std::max(mostImposed, rank.wait.imposedNs);
        mostCaused = std::max(mostCaused, rank.wait.causedNs);
        longest = std::max({longest, mostOwn, mostImposed, mostCaused});
    }
    const ColumnUnit unit = columnUnit(longest);
    const auto timed = [&](const QString& title) { return title + QLatin1Char(' ') + unit.name; };
    const Surfaces colors = surfaces(palette());
    std::vector<TableColumn> columns{
        {tr("rank"), {}, QStringLiteral("rank")},
        {timed(tr("caused wait")),
         tr("waits of all ranks, attributed to the rank where the lateness began: a rank that was late only "
            "because it had waited passes them on"),
         QStringLiteral("caused_wait_ns")},
        {timed(tr("imposed wait")), tr("waits of all ranks in the collectives where this rank arrived last"),
         QStringLiteral("imposed_wait_ns")},
        {tr("last"), tr("how often it arrived last, by more than the clock uncertainty"),
         QStringLiteral("times_last")},
        {timed(tr("own wait")),
         tr("time until the last rank arrived, summed over all collectives of this rank"),
         QStringLiteral("own_wait_ns")},
        {timed(tr("by duration")),
         tr("own wait from durations (each minus the shortest); does not depend on clocks"),
         QStringLiteral("own_wait_by_duration_ns")},
        {tr("last %"), tr("share of its collectives where it arrived last"), QStringLiteral("last_percent")}};
    std::vector<std::vector<TableCell>> rows;
    for (const StragglerReport::Rank& rank : m_report->ranks) {
        const RankWait& wait = rank.wait;
        TableCell name = integerCell(wait.rank);
        TableCell imposed = timeCell(unit, wait.imposedNs);
        imposed.bar = share(wait.imposedNs, mostImposed);
        imposed.barColor = colors.worse;
        TableCell caused = timeCell(unit, wait.causedNs);
        caused.bar = share(wait.causedNs, mostCaused);
        caused.barColor = colors.worse;
        TableCell own = timeCell(unit, wait.ownNs);
        own.bar = share(wait.ownNs, mostOwn);
        TableCell byDuration = timeCell(unit, wait.ownByDurationNs);
        byDuration.bar = share(wait.ownByDurationNs, mostOwn);
        TableCell percent;
        percent.raw = 100 * share(wait.timesLast, wait.calls);
        percent.text = QLocale().toString(percent.raw.toDouble(), 'f', 1);
        percent.toolTip = tr("last in %1 of %2 collectives").arg(wait.timesLast).arg(wait.calls);
        if (m_report->verdict == StragglerVerdict::OneRank && m_report->straggler == wait.rank)
            name.ink = caused.ink = colors.worse;
        rows.push_back({name, caused, imposed, integerCell(wait.timesLast), own, byDuration, percent});
    }
    const bool isFirst = m_ranks->model()->columnCount() == 0;
    m_ranks->setTable(std::move(columns), std::move(rows));
    if (isFirst)
        m_ranks->sortByColumn(1, Qt::DescendingOrder);
    fitSplitter();
    for (std::size_t i = 0; i < m_report->ranks.size(); ++i) {
        if (m_report->ranks[i].wait.rank == m_rank)
            m_ranks->selectRowOf(static_cast<int>(i));
    }
}

/// Gives the table of ranks the width its columns need, leaving at least two fifths to its neighbour.
void StragglerPanel::fitSplitter()
{
    if (m_isSplitterFit || !isVisible() || m_ranks->model()->columnCount() == 0)
        return;
    m_isSplitterFit = true;
    const int wanted
        = m_ranks->horizontalHeader()->length() + m_ranks->verticalScrollBar()->sizeHint().width() + 2;
    const int first = std::min(wanted, m_splitter->width() * 3 / 5);
    m_splitter->setSizes({first, m_splitter->width() - first});
}

void StragglerPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitSplitter();
}

void StragglerPanel::fillGroups()
{
    std::int64_t longest = 0;
    for (const StragglerReport::Group& group : m_report->groups)
        longest = std::max(longest, group.skewNs);
    const ColumnUnit unit = columnUnit(longest);
    const auto timed = [&](const QString& title) { return title + QLatin1Char(' ') + unit.name; };
    std::vector<TableColumn> columns{
        {tr("process group"), tr("name and ranks"), QStringLiteral("process_group"), false},
        {timed(tr("skew, sum")), tr("time from the first rank's start to the last rank's start, summed"),
         QStringLiteral("skew_sum_ns")},
        {timed(tr("largest")), tr("largest skew of one collective"), QStringLiteral("skew_max_ns")},
        {tr("collectives"), {}, QStringLiteral("collectives")}};
    std::vector<std::vector<TableCell>> rows;
    for (const StragglerReport::Group& group : m_report->groups) {
        TableCell sum = timeCell(unit, group.skewNs);
        sum.bar = share(group.skewNs, longest);
        rows.push_back({textCell(group.name.empty() ? tr("all ranks") : toText(group.name)), sum,
                        timeCell(unit, group.longestNs), integerCell(group.collectives)});
    }
    const bool isFirst = m_groups->model()->columnCount() == 0;
    m_groups->setTable(std::move(columns), std::move(rows));
    if (isFirst)
        m_groups->sortByColumn(1, Qt::DescendingOrder);
}

void StragglerPanel::fillWorst()
{
    const StragglerReport::Rank* chosen = nullptr;
    for (const StragglerReport::Rank& rank : m_report->ranks)
        chosen = rank.wait.rank == m_rank ? &rank : chosen;
    m_sideTabs->setTabText(
        1, chosen ? tr("Rank %1: worst collectives").arg(chosen->wait.rank) : tr("Worst collectives"));
    m_sideTabs->setTabEnabled(1, chosen != nullptr);
    m_sideTabs->setTabVisible(1, m_report->knowsCollectives);
    m_sideTabs->setTabToolTip(1,
                              chosen ? tr("The collectives in which it made the others wait longest")
                                     : tr("Click a rank to see the collectives where it arrived last"));
    if (!chosen) {
        m_worst->setTable({}, {});
        m_sideTabs->setCurrentIndex(0);
        return;
    }
    const std::int64_t longest = chosen->worst.empty() ? 0 : chosen->worst.front().imposedNs;
    const ColumnUnit unit = columnUnit(longest);
    const auto timed = [&](const QString& title) { return title + QLatin1Char(' ') + unit.name; };
    std::vector<TableColumn> columns{
        {timed(tr("imposed wait")), tr("waits of all ranks together"), QStringLiteral("imposed_wait_ns")},
        {tr("collective"), {}, QStringLiteral("collective"), false},
        {tr("step"), {}, QStringLiteral("step")},
        {tr("start ms"), tr("start on the first rank"), QStringLiteral("start_ns")},
        {timed(tr("late by")), tr("after the first rank"), QStringLiteral("lateness_ns")},
        {tr("process group"), {}, QStringLiteral("process_group"), false}};
    std::vector<std::vector<TableCell>> rows;
    for (const WorstCollective& worst : chosen->worst) {
        TableCell imposed = timeCell(unit, worst.imposedNs);
        imposed.bar = share(worst.imposedNs, longest);
        imposed.barColor = surfaces(palette()).worse;
        rows.push_back({imposed, textCell(toText(worst.name), kernelColor(worst.kind, palette())),
                        worst.step ? integerCell(*worst.step) : textCell(QStringLiteral("\u2013")),
                        timeCell({1e6, {}, 3}, worst.range.beginNs), timeCell(unit, worst.range.lengthNs()),
                        textCell(toText(worst.group))});
    }
    m_worst->setTable(std::move(columns), std::move(rows));
    m_worst->sortByColumn(0, Qt::DescendingOrder);
}

void StragglerPanel::chooseRank(int index)
{
    m_rank = m_report->ranks[static_cast<std::size_t>(index)].wait.rank;
    fillWorst();
    if (m_report->knowsCollectives)
        m_sideTabs->setCurrentIndex(1);
}

} // namespace collscope
