// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/gaps_view.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/summary/finding_label.h"
#include "views/summary/show_place.h"
#include "views/tables/cell_table.h"
#include "views/widgets/answer_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>

#include <algorithm>

namespace collscope {

namespace {

enum CauseColumn
{
    CauseTitle,
    CauseCount,
    CauseTotal,
    CauseShare,
    CauseLongest,
    CauseColumnCount
};

enum GapColumn
{
    GapLength,
    GapTitle,
    GapName,
    GapRank,
    GapStep,
    GapBegin,
    GapColumnCount
};

double portionOf(std::int64_t ns, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(ns) / static_cast<double>(whole) : 0;
}

QString portionText(double share)
{
    return QLocale().toString(100 * share, 'f', 1);
}

/// "Garbage collection".
QString causeTitle(IdleCause cause)
{
    const QString label = idleCauseLabel(cause);
    return label.left(1).toUpper() + label.mid(1);
}

} // namespace

GapsView::GapsView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_causes(new CellTable(tr("Idle time by cause"), this))
    , m_list(new CellTable(tr("Longest gaps"), this))
{
    setObjectName(QStringLiteral("gaps"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_causes->setObjectName(QStringLiteral("idleCauses"));
    m_list->setObjectName(QStringLiteral("gapList"));
    auto* const content = new QWidget(this);
    auto* const contentLayout = new QHBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(8);
    constexpr int causesShare = 4;
    constexpr int listShare = 5;
    contentLayout->addWidget(m_causes, causesShare);
    contentLayout->addWidget(m_list, listShare);
    for (CellTable* table : {m_causes, m_list})
        table->setTextElideMode(Qt::ElideRight);
    m_page = new AnswerPage(content, this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);

    connect(m_causes, &CellTable::rowChosen, this, &GapsView::chooseCause);
    connect(m_list, &CellTable::rowChosen, this, &GapsView::showGap);
    connect(m_list, &CellTable::rowActivated, this, &GapsView::showGap);
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setGaps(nullptr); });
    setGaps(nullptr);
}

QString GapsView::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to see when its GPUs were idle.");
    if (!m_gaps)
        return tr("Finding the gaps of the GPUs\u2026");
    if (!*m_gaps)
        return toText(m_gaps->error().message);
    return (*m_gaps)->count == 0 ? tr("No GPU was idle in the counted time.") : QString();
}

void GapsView::setGaps(GapTablePtr gaps)
{
    m_gaps = std::move(gaps);
    m_shown.clear();
    if (const QString empty = emptyText(); !empty.isEmpty()) {
        m_causes->setTable({}, {});
        m_list->setTable({}, {});
        m_page->showEmpty(empty);
        return;
    }
    const GapTable& all = **m_gaps;
    const std::int64_t meanNs = all.idleNs / all.cells;
    const QString share = portionText(portionOf(all.idleNs, all.windowNs));
    const QString verdict = (all.isPerStep ? tr("GPU idle: %1 per step (%2 %).") : tr("GPU idle: %1 (%2 %)."))
                                .arg(formatDuration(meanNs), share);
    QString basis = tr("%n gap(s), %1, %2.", nullptr, static_cast<int>(all.count))
                        .arg(toText(all.scope), toText(all.window));
    if (all.cells > 1)
        basis += QLatin1Char(' ')
            + (all.isPerStep ? tr("Sums are over all ranks and steps.") : tr("Sums are over all ranks."));
    m_page->showAnswer(verdict, basis);
    fillCauses();
    fillList({});
}

void GapsView::fillCauses()
{
    const GapTable& all = **m_gaps;
    const Surfaces colors = surfaces(palette());
    const ColumnUnit unit = columnUnit(all.idleNs);
    const std::int64_t longestNs = all.longest.empty() ? 0 : all.longest.front().range.lengthNs();
    const ColumnUnit longestUnit = columnUnit(longestNs);
    std::vector<TableColumn> columns(CauseColumnCount);
    columns[CauseTitle]
        = {tr("cause"), tr("Choose a row to list only its gaps"), QStringLiteral("cause"), false};
    columns[CauseCount] = {tr("gaps"), {}, QStringLiteral("count")};
    columns[CauseTotal] = {tr("total %1").arg(unit.name), tr("over all ranks, in the counted time"),
                           QStringLiteral("total_ns")};
    columns[CauseShare]
        = {tr("share %"), tr("of the counted time of all ranks"), QStringLiteral("share_percent")};
    columns[CauseLongest] = {tr("longest %1").arg(longestUnit.name), {}, QStringLiteral("longest_ns")};
    const auto rowOf = [&](const QString& title, const CauseGaps& gaps, const QString& toolTip = {}) {
        std::vector<TableCell> row(CauseColumnCount);
        row[CauseTitle].text = title;
        row[CauseTitle].toolTip = toolTip;
        row[CauseCount].text = QLocale().toString(static_cast<qlonglong>(gaps.count));
        row[CauseCount].raw = static_cast<qlonglong>(gaps.count);
        row[CauseTotal].text = formatIn(unit, static_cast<double>(gaps.ns));
        row[CauseTotal].raw = static_cast<qlonglong>(gaps.ns);
        row[CauseShare].raw = 100 * portionOf(gaps.ns, all.windowNs);
        row[CauseShare].text = portionText(portionOf(gaps.ns, all.windowNs));
        row[CauseShare].bar = portionOf(gaps.ns, all.idleNs);
        row[CauseShare].barColor = colors.dimText;
        row[CauseLongest].text = formatIn(longestUnit, static_cast<double>(gaps.longestNs));
        row[CauseLongest].raw = static_cast<qlonglong>(gaps.longestNs);
        return row;
    };
    std::vector<std::vector<TableCell>> rows;
    rows.push_back(rowOf(tr("All causes"), {.count = all.count, .ns = all.idleNs, .longestNs = longestNs}));
    for (const CauseGaps& gaps : all.causes) {
        rows.push_back(rowOf(causeTitle(gaps.cause), gaps, toText(idleCauseText(gaps.cause))));
        rows.back()[CauseTitle].chip = idleCauseColor(gaps.cause, palette());
    }
    const bool isFirst = m_causes->model()->columnCount() == 0;
    m_causes->setTable(std::move(columns), std::move(rows));
    if (isFirst)
        m_causes->sortByColumn(CauseTotal, Qt::DescendingOrder);
    m_causes->horizontalHeader()->setSectionResizeMode(CauseTitle, QHeaderView::Stretch);
    m_causes->selectRowOf(0);
}

void GapsView::fillList(std::optional<IdleCause> cause)
{
    const GapTable& all = **m_gaps;
    m_shown.clear();
    for (const ListedGap& gap : all.longest) {
        if (!cause || gap.cause == *cause)
            m_shown.push_back(&gap);
    }
    const ColumnUnit unit = columnUnit(m_shown.empty() ? 0 : m_shown.front()->range.lengthNs());
    const std::int64_t originNs = m_state->run().range().beginNs;
    std::vector<TableColumn> columns(GapColumnCount);
    columns[GapLength]
        = {tr("length %1").arg(unit.name), tr("the part in the counted time"), QStringLiteral("length_ns")};
    columns[GapTitle] = {tr("cause"), {}, QStringLiteral("cause"), false};
    columns[GapName]
        = {tr("mostly"),
           tr("the operator, call or function of the launching thread; before: the GPU event after the gap"),
           QStringLiteral("name"), false};
    columns[GapRank] = {tr("rank"), {}, QStringLiteral("rank")};
    columns[GapStep] = {tr("step"), {}, QStringLiteral("step")};
    columns[GapBegin] = {tr("begin"), tr("since the first event of the run"), QStringLiteral("begin_ns")};
    std::vector<std::vector<TableCell>> rows;
    rows.reserve(m_shown.size());
    for (const ListedGap* gap : m_shown) {
        std::vector<TableCell> row(GapColumnCount);
        row[GapLength].text = formatIn(unit, static_cast<double>(gap->range.lengthNs()));
        row[GapLength].raw = static_cast<qlonglong>(gap->range.lengthNs());
        row[GapLength].toolTip = formatDurationExact(gap->range.lengthNs());
        row[GapTitle].text = causeTitle(gap->cause);
        row[GapTitle].toolTip = toText(idleCauseText(gap->cause));
        row[GapName].text = blamesNextEvent(gap->cause) && !gap->name.empty()
            ? tr("before %1").arg(shortName(gap->name))
            : shortName(gap->name);
        row[GapName].chip
            = idleCauseColor(gap->cause, palette()); // the cause has no column in a small window
        row[GapName].toolTip = toText(gap->name);
        row[GapRank].text = QString::number(gap->rank);
        row[GapRank].raw = gap->rank;
        row[GapStep].text = QString::number(gap->step);
        row[GapStep].raw = static_cast<qlonglong>(gap->step);
        row[GapBegin].text = formatDuration(gap->range.beginNs - originNs);
        row[GapBegin].raw = static_cast<qlonglong>(gap->range.beginNs - originNs);
        rows.push_back(std::move(row));
    }
    const bool isFirst = m_list->model()->columnCount() == 0;
    m_list->setTable(std::move(columns), std::move(rows));
    if (isFirst)
        m_list->sortByColumn(GapLength, Qt::DescendingOrder);
    m_list->horizontalHeader()->setSectionResizeMode(GapName, QHeaderView::Stretch);
    fitColumns();
}

void GapsView::fitColumns()
{
    constexpr int roomForCauses = 1100;
    constexpr int roomForCounts = 950;
    if (m_list->model()->columnCount() == 0)
        return;
    const bool isSingleRank = std::all_of(m_shown.begin(), m_shown.end(), [this](const ListedGap* gap) {
        return gap->rank == m_shown.front()->rank;
    });
    m_list->setColumnHidden(GapTitle, width() < roomForCauses);
    m_list->setColumnHidden(GapRank, isSingleRank && m_state->run().model()->timelines.size() == 1);
    m_list->setColumnHidden(GapStep, !(*m_gaps)->isPerStep || width() < roomForCounts);
    m_causes->setColumnHidden(CauseCount, width() < roomForCounts);
    m_causes->setColumnHidden(CauseLongest, width() < roomForCounts);
}

void GapsView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void GapsView::chooseCause(int row)
{
    if (row == 0)
        return fillList({});
    fillList((*m_gaps)->causes[static_cast<std::size_t>(row) - 1].cause);
}

void GapsView::showCause(IdleCause cause)
{
    if (!m_gaps || !*m_gaps)
        return;
    const auto& causes = (*m_gaps)->causes;
    const auto found
        = std::find_if(causes.begin(), causes.end(), [&](const auto& sum) { return sum.cause == cause; });
    if (found == causes.end())
        return;
    m_causes->selectRowOf(static_cast<int>(found - causes.begin()) + 1);
    fillList(cause);
}

void GapsView::showGap(int row)
{
    const ListedGap& gap = *m_shown[static_cast<std::size_t>(row)];
    showPlace(*m_state, {gap.rank, gap.range, gap.shown});
}

} // namespace collscope
