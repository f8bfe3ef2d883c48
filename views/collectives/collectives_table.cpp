// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/collectives_table.h"

#include "views/common/format.h"
#include "views/tables/number_delegate.h"
#include "views/widgets/content_stack.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

constexpr int widestNameColumn = 260;
constexpr int tableSettleMs = 60;

std::int64_t callCount(const RunCollectives& run)
{
    std::int64_t calls = 0;
    for (const RankCalls& rank : run.ranks)
        calls += static_cast<std::int64_t>(rank.calls.size());
    return calls;
}

/// Fits the columns to their headings and first rows, up to a limit.
void fitColumns(QTableView& table)
{
    table.resizeColumnsToContents();
    for (int column = 0; column < table.model()->columnCount(); ++column)
        table.setColumnWidth(column, std::min(table.columnWidth(column), widestNameColumn));
}

} // namespace

QString whyNoCollectives(const ViewState& state, const CollectiveRows* collectives)
{
    if (!state.run().model())
        return CollectivesTable::tr("Open a run to see the collectives of its ranks.");
    if (!collectives)
        return CollectivesTable::tr("Matching the calls of all ranks\u2026");
    if (!collectives->rows.empty())
        return {};
    const std::int64_t calls = callCount(*collectives->run);
    if (state.run().model()->ranks().size() < 2)
        return CollectivesTable::tr("Only one rank is loaded, so there is nothing to compare. Open the "
                                    "folder that contains the traces of all ranks.");
    if (calls == 0)
        return CollectivesTable::tr("No collectives: none of the ranks ran a communication kernel or a "
                                    "collective of a CPU backend (gloo).");
    return CollectivesTable::tr("No collectives across ranks: none of the %1 communication calls could be "
                                "matched. The list of unmatched calls gives the reasons.")
        .arg(formatCount(static_cast<std::uint64_t>(calls)));
}

CollectivesTable::CollectivesTable(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_summary(new QLabel(this))
    , m_words(new QLineEdit(this))
    , m_groups(new QComboBox(this))
    , m_what(new QComboBox(this))
    , m_lateOnly(new QCheckBox(tr("late only"), this))
    , m_visibleOnly(new QCheckBox(tr("visible range only"), this))
    , m_pages(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_unmatchedTable(new QTableView(this))
{
    setObjectName(QStringLiteral("collectives"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    buildControls();
    buildTable(*m_table, m_model, tr("Collectives"));
    connect(m_table, &QTableView::clicked, this, &CollectivesTable::reveal);
    buildTable(*m_unmatchedTable, m_unmatched, tr("Unmatched calls"));
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_unmatchedTable);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(10, 0, 10, 6);
    controls->setSpacing(8);
    controls->addWidget(m_words, 1);
    controls->addWidget(m_groups);
    controls->addWidget(m_what);
    controls->addWidget(m_lateOnly);
    controls->addWidget(m_visibleOnly);
    layout->addLayout(controls);
    layout->addWidget(m_pages, 1);

    m_visibleSettled.setSingleShot(true);
    m_visibleSettled.setInterval(tableSettleMs);
    connect(&m_visibleSettled, &QTimer::timeout, this, &CollectivesTable::applyFilter);
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, [this] {
        if (m_visibleOnly->isChecked())
            m_visibleSettled.start();
    });
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setCollectives(nullptr); });
    connect(&state->run(), &RunContext::exposureChanged, this,
            [this, state] { m_model.setExposure(state->run().exposure()); });
    connect(&state->selection(), &ViewSelection::sliceChanged, this, &CollectivesTable::selectInstance);
    setCollectives(nullptr);
}

void CollectivesTable::buildControls()
{
    m_summary->setContentsMargins(10, 6, 10, 4);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    m_words->setPlaceholderText(tr("Filter, e.g. allreduce bf16"));
    m_words->setToolTip(tr("Words that must occur in the name, the type or the process group"));
    m_words->setClearButtonEnabled(true);
    m_words->setAccessibleName(tr("Filter collectives"));
    m_words->setMinimumWidth(80);
    m_groups->setObjectName(QStringLiteral("collectivesGroup"));
    m_groups->setAccessibleName(tr("Process group of the collectives"));
    setUpGroups(*m_groups);
    m_what->setObjectName(QStringLiteral("collectivesMatched"));
    m_what->setAccessibleName(tr("Matched or unmatched calls"));
    m_what->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_lateOnly->setObjectName(QStringLiteral("collectivesLateOnly"));
    m_lateOnly->setToolTip(tr("Only collectives whose skew exceeds the clock uncertainty"));
    m_visibleOnly->setObjectName(QStringLiteral("collectivesVisibleOnly"));
    m_visibleOnly->setToolTip(tr("Only rows within the timeline's visible range"));
    m_what->addItems({tr("matched"), tr("unmatched")});
    connect(m_words, &QLineEdit::textChanged, this, &CollectivesTable::applyFilter);
    connect(m_groups, &QComboBox::currentIndexChanged, this, &CollectivesTable::applyFilter);
    connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
        m_lateOnly->setEnabled(!showsUnmatched());
        showPage();
    });
    connect(m_lateOnly, &QCheckBox::toggled, this, &CollectivesTable::applyFilter);
    connect(m_visibleOnly, &QCheckBox::toggled, this, &CollectivesTable::applyFilter);
}

void CollectivesTable::buildTable(QTableView& table, QAbstractItemModel& model, const QString& name)
{
    table.setModel(&model);
    table.setItemDelegate(new NumberDelegate(&table));
    table.setSortingEnabled(true);
    // The most expensive first; by start while that is not known.
    if (&table == m_table)
        table.sortByColumn(CollectivesModel::Exposed, Qt::DescendingOrder);
    else
        table.sortByColumn(UnmatchedModel::Start, Qt::AscendingOrder);
    table.horizontalHeader()->setResizeContentsPrecision(50);
    table.setAccessibleName(name);
    setUpTable(table);
    onRowChosen(table, tr("Show on the timeline"), [this](const QModelIndex& index) { reveal(index); });
    auto* visible = new QAction(tr("Only in the visible range"), &table);
    visible->setCheckable(true);
    table.addAction(visible);
    connect(visible, &QAction::toggled, m_visibleOnly, &QCheckBox::setChecked);
    connect(m_visibleOnly, &QCheckBox::toggled, visible, &QAction::setChecked);
}

void CollectivesTable::setCollectives(const CollectiveRowsPtr& collectives)
{
    fillGroups(*m_groups, collectives.get(), true);
    const bool isFirst = !m_model.collectives() && collectives;
    m_model.setExposure(m_state->run().exposure());
    m_model.setCollectives(collectives);
    m_unmatched.setCollectives(collectives);
    updateWhatToList();
    applyFilter();
    if (isFirst) {
        fitColumns(*m_table);
        fitColumns(*m_unmatchedTable);
        m_unmatchedTable->horizontalHeader()->setStretchLastSection(true);
    }
}

bool CollectivesTable::showsUnmatched() const
{
    return m_what->currentIndex() == 1;
}

void CollectivesTable::updateWhatToList()
{
    const CollectiveRows* all = m_model.collectives().get();
    const auto count = [](std::size_t n) { return formatCount(n); };
    m_what->setItemText(0, all ? tr("matched (%1)").arg(count(all->rows.size())) : tr("matched"));
    m_what->setItemText(
        1, all ? tr("unmatched (%1)").arg(count(all->run->matching.unmatched.size())) : tr("unmatched"));
    for (QWidget* control : std::initializer_list<QWidget*>{m_words, m_what, m_lateOnly, m_visibleOnly})
        control->setEnabled(all != nullptr);
    m_lateOnly->setEnabled(all && !showsUnmatched());
}

void CollectivesTable::applyFilter()
{
    CollectiveFilter filter;
    filter.words = m_words->text();
    filter.groups = chosenGroups(*m_groups);
    filter.lateOnly = m_lateOnly->isChecked();
    if (m_visibleOnly->isChecked())
        filter.range = m_state->viewport().visibleRange();
    m_model.setFilter(filter);
    m_unmatched.setFilter(filter);
    updateSummary();
    showPage();
    selectInstance();
}

QString CollectivesTable::emptyText() const
{
    const CollectiveRows* all = m_model.collectives().get();
    if (showsUnmatched() && all) {
        if (m_unmatched.rowCount() > 0)
            return {};
        if (all->run->matching.unmatched.empty())
            return callCount(*all->run) > 0 ? tr("All communication calls were matched.")
                                            : tr("No communication kernel ran on any rank.");
    } else if (QString why = whyNoCollectives(*m_state, all); !why.isEmpty()) {
        return why;
    }
    const int shown = showsUnmatched() ? m_unmatched.rowCount() : m_model.rowCount();
    return shown > 0 ? QString() : tr("No rows match the filter. Clear it or choose all process groups.");
}

void CollectivesTable::showPage()
{
    m_pages->present(showsUnmatched() ? m_unmatchedTable : m_table, emptyText());
}

QString CollectivesTable::summaryText() const
{
    const CollectiveRows* all = m_model.collectives().get();
    if (!all)
        return {};
    const std::int64_t calls = callCount(*all->run);
    if (calls == 0)
        return tr("No communication calls.");
    const std::int64_t matched = all->run->matching.matchedCalls();
    const QString percent
        = QLocale().toString(100.0 * static_cast<double>(matched) / static_cast<double>(calls), 'f', 1);
    QStringList rules;
    for (std::size_t rule = 0; rule < all->callsByRule.size(); ++rule) {
        if (all->callsByRule[rule] > 0)
            rules << toText(matchRuleName(static_cast<MatchRule>(rule)));
    }
    QString text
        = tr("%1 collectives across ranks; %2 % of %3 calls matched")
              .arg(formatCount(all->rows.size()), percent, formatCount(static_cast<std::uint64_t>(calls)));
    if (!rules.isEmpty())
        text += tr(" by %1").arg(rules.join(tr(", or by ")));
    text += tr("; %1 unmatched.").arg(formatCount(all->run->matching.unmatched.size()));
    return text + QLatin1Char(' ') + toText(all->run->clocks.summary(all->choice));
}

void CollectivesTable::updateSummary()
{
    const QString text = summaryText();
    m_summary->setText(text);
    QStringList lines{text};
    if (const CollectiveRows* all = m_model.collectives().get()) {
        for (const std::string& warning : all->run->matching.warnings)
            lines << toText(warning);
    }
    m_summary->setToolTip(plainToolTip(lines.join(QLatin1Char('\n'))));
    m_summary->setVisible(!text.isEmpty());
}

void CollectivesTable::selectInstance()
{
    if (!m_model.collectives() || m_model.collectives()->run != m_state->run().collectives())
        return;
    const auto instance = m_state->selection().collective();
    const auto id = instance ? m_model.collectives()->rowOf(*instance) : std::nullopt;
    const int row = id ? m_model.rowOf(*id) : -1;
    if (row < 0) {
        m_table->clearSelection();
        return;
    }
    if (m_table->currentIndex().row() != row || !m_table->selectionModel()->isRowSelected(row))
        m_table->setCurrentIndex(m_model.index(row, CollectivesModel::Name));
    m_table->scrollTo(m_model.index(row, CollectivesModel::Name));
}

void CollectivesTable::reveal(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    if (index.model() == &m_unmatched)
        m_state->revealSlice(m_unmatched.rowAt(index.row()).call->slice);
    else
        m_state->revealSlice(m_model.collectives()->lastSlice(m_model.rowAt(index.row())));
}

} // namespace collscope
