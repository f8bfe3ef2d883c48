// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_tree.h"

#include "model/queries/rank_order.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/ranks/rank_folds.h"
#include "views/ranks/rank_head.h"
#include "views/ranks/rank_words.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr int rankRole = Qt::UserRole; ///< rank number
constexpr int searchRole = Qt::UserRole + 1; ///< text searched by the filter
constexpr int rightMargin = 10;
constexpr std::size_t many = 16; ///< above this number of ranks, groups start collapsed and a filter is shown

/// Grouping of the tree, as data of the combo box: a MeshDimension, or one of these values.
constexpr int byNothing = -1;
constexpr int byNode = -2;

bool isRank(const QTreeWidgetItem& item)
{
    return item.data(0, rankRole).isValid();
}

/// Those that stand out, by cost.
std::vector<std::int32_t> worstRanks(const std::map<std::int32_t, RankBadge>& badges)
{
    std::vector<std::int32_t> worst;
    for (const auto& [rank, badge] : badges)
        worst.push_back(rank);
    std::stable_sort(worst.begin(), worst.end(),
                     [&](std::int32_t a, std::int32_t b) { return badges.at(a).cost > badges.at(b).cost; });
    return worst;
}

} // namespace

RankTree::RankTree(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_head(new RankHead(state, this))
    , m_choices(new QWidget(this))
    , m_grouping(new QComboBox(m_choices))
    , m_filter(new QLineEdit(this))
    , m_notes(new QLabel(this))
    , m_tree(new QTreeWidget(this))
{
    m_notes->setForegroundRole(QPalette::PlaceholderText);
    m_grouping->setObjectName(QStringLiteral("rankGrouping"));
    m_grouping->setAccessibleName(tr("Group ranks by"));
    m_grouping->setToolTip(tr("How the list of ranks is grouped"));
    auto* groupBy = new QLabel(tr("&Group by"), m_choices);
    groupBy->setBuddy(m_grouping);
    auto* choices = new QHBoxLayout(m_choices);
    choices->setContentsMargins(12, 0, 12, 6);
    choices->addWidget(groupBy);
    choices->addWidget(m_grouping, 1);
    m_filter->setPlaceholderText(tr("Filter: 12, 8-15, TP1, node name"));
    m_filter->setAccessibleName(tr("Filter ranks"));
    m_filter->setClearButtonEnabled(true);
    auto* filter = new QHBoxLayout;
    filter->setContentsMargins(12, 0, 12, 0);
    filter->addWidget(m_filter);
    m_notes->setWordWrap(true);
    m_notes->setObjectName(QStringLiteral("rankNotes"));
    m_notes->setContentsMargins(12, 4, 12, 4);
    m_tree->setColumnCount(3); // the last column is the margin
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(14);
    m_tree->setUniformRowHeights(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->header()->setMinimumSectionSize(rightMargin);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(2, QHeaderView::Fixed);
    m_tree->header()->resizeSection(2, rightMargin);
    m_tree->setAccessibleName(tr("Ranks"));
    m_tree->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_choices);
    layout->addLayout(filter);
    layout->addWidget(m_notes);
    layout->addWidget(m_tree, 1);
    connect(&state->run(), &RunContext::modelChanged, this, &RankTree::onModelChanged);
    connect(&state->run(), &RunContext::collectivesChanged, this, &RankTree::onMeshChanged);
    connect(&state->preferences(), &ViewPreferences::hiddenRanksChanged, this, &RankTree::updateChecks);
    connect(&state->selection(), &ViewSelection::sliceChanged, this, &RankTree::markSelected);
    connect(m_grouping, &QComboBox::activated, this, [this] { m_groupingChosen = true; });
    connect(m_grouping, &QComboBox::currentIndexChanged, this, &RankTree::rebuild);
    connect(&state->preferences(), &ViewPreferences::firstRanksChanged, this, &RankTree::rebuild);
    connect(&state->preferences(), &ViewPreferences::rankFoldsChanged, this, &RankTree::rebuild);
    connect(m_filter, &QLineEdit::textChanged, this, &RankTree::applyFilter);
    connect(m_tree, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
        if (column == 0)
            toggle(*item, item->checkState(0) != Qt::Unchecked);
    });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (isRank(*item))
            emit rankActivated(item->data(0, rankRole).toInt());
    });
    onModelChanged();
}

void RankTree::onModelChanged()
{
    m_groupingChosen = false;
    m_badges.clear();
    m_head->offer({}, {});
    m_timelines.clear();
    m_devicesDiffer = false;
    if (const TraceModelPtr& model = m_state->run().model()) {
        StringId first;
        for (const Timeline& timeline : model->timelines) {
            m_timelines[timeline.rank].push_back(&timeline);
            if (!timeline.deviceName)
                continue;
            m_devicesDiffer |= first && model->text(first) != model->text(timeline.deviceName);
            first = timeline.deviceName;
        }
    }
    const QSignalBlocker quiet(m_filter);
    m_filter->clear();
    m_filter->setVisible(m_timelines.size() > many);
    onMeshChanged();
}

void RankTree::setFindings(const FindingsPtr& findings)
{
    const std::map<std::int32_t, RankBadge> before
        = std::exchange(m_badges, *findings ? rankBadges(**findings) : std::map<std::int32_t, RankBadge>());
    m_head->offer(worstRanks(m_badges), *findings ? foldAlike(**findings, m_badges) : RankFolds());
    const QSignalBlocker quiet(m_tree); // no rank is hidden or shown
    for (const RankPlace& place : m_state->run().mesh().ranks) {
        // Each change makes the tree lay out its rows: of thousands of ranks, few stand out.
        const auto item = m_items.find(place.rank);
        if (item != m_items.end() && (before.contains(place.rank) || m_badges.contains(place.rank)))
            fillRank(*item->second, place);
    }
}

void RankTree::onMeshChanged()
{
    fillGroupings();
    rebuild();
    updateNotes();
}

/// Offers only groupings that divide the ranks.
void RankTree::fillGroupings()
{
    const RankMesh& mesh = m_state->run().mesh();
    const QSignalBlocker quiet(m_grouping);
    const int chosen = m_groupingChosen ? m_grouping->currentData().toInt() : byNothing;
    m_grouping->clear();
    const bool nodes = mesh.nodeCount() > 1;
    if (nodes)
        m_grouping->addItem(tr("node"), byNode);
    for (const MeshDimension dimension : meshDimensions) {
        const auto parts = static_cast<std::size_t>(mesh.extent(dimension).size);
        if (parts > 1 && parts < mesh.ranks.size()) // groups with a single rank are useless
            m_grouping->addItem(groupingName(dimension), static_cast<int>(dimension));
    }
    m_choices->setVisible(m_grouping->count() > 0);
    m_grouping->addItem(tr("no grouping"), byNothing);
    const int last = m_grouping->count() - 1;
    const int preferred = m_groupingChosen  ? m_grouping->findData(chosen)
        : nodes || mesh.ranks.size() > many ? 0
                                            : last;
    m_grouping->setCurrentIndex(preferred < 0 ? last : preferred);
}

QTreeWidgetItem* RankTree::groupOf(const RankPlace& place, std::map<QString, QTreeWidgetItem*>& groups,
                                   QList<QTreeWidgetItem*>& top)
{
    const int by = m_grouping->currentData().toInt();
    if (by == byNothing)
        return nullptr;
    QString name;
    if (by == byNode) {
        const QString node = toText(place.node);
        name = node.isEmpty()                         ? tr("node unknown")
            : node.startsWith(QLatin1String("node ")) ? node
                                                      : tr("node %1").arg(node);
    } else {
        const auto dimension = static_cast<MeshDimension>(by);
        const QString shortName = toText(meshDimensionName(dimension));
        name = place.at(dimension) < 0 ? tr("%1 unknown").arg(shortName)
                                       : shortName + QString::number(place.at(dimension));
    }
    QTreeWidgetItem*& group = groups[name];
    if (!group) {
        group = new QTreeWidgetItem({name});
        top << group;
        group->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        group->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        group->setForeground(1, surfaces(palette()).dimText);
        QFont bold = group->font(0);
        bold.setWeight(QFont::DemiBold);
        group->setFont(0, bold);
    }
    return group;
}

void RankTree::fillRank(QTreeWidgetItem& item, const RankPlace& place)
{
    const RankMesh& mesh = m_state->run().mesh();
    const int by = m_grouping->currentData().toInt();
    const QString label = toText(mesh.labelOf(place.rank));
    QString device;
    QStringList sources; // shown if a rank has several sources and nothing else is known about it
    for (const Timeline* timeline : m_timelines[place.rank]) {
        sources << toText(sourceKindName(timeline->kind));
        if (timeline->deviceName)
            device = shortDevice(toText(m_state->run().model()->text(timeline->deviceName)));
    }
    // Facts in the group's title are not repeated for each of its ranks.
    QStringList facts{by >= 0 ? toText(mesh.labelWithout(place.rank, static_cast<MeshDimension>(by)))
                              : label};
    if (m_devicesDiffer)
        facts << device;
    facts.removeAll(QString());
    if (sources.removeDuplicates(); facts.isEmpty() && sources.size() > 1)
        facts << sources.join(QStringLiteral(" + "));
    item.setText(0, tr("rank %1").arg(place.rank));
    const auto badge = m_badges.find(place.rank);
    const bool hasBadge = badge != m_badges.end();
    if (hasBadge)
        facts = {badge->second.text}; // the mesh is in the tool tip
    if (const std::size_t folded = m_state->preferences().foldedInto(place.rank))
        facts = {tr("and %1 alike").arg(folded)};
    item.setText(1, facts.join(QStringLiteral(" \u00b7 ")));
    item.setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item.setForeground(1, hasBadge ? surfaces(palette()).worse : surfaces(palette()).dimText);
    item.setData(0, rankRole, place.rank);
    item.setData(0, searchRole,
                 QStringList{item.text(0), label, toText(place.node), device}.join(QLatin1Char(' ')));
    item.setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                  | Qt::ItemNeverHasChildren);
    QString tip = rankFacts(*m_state->run().model(), mesh, place, m_timelines[place.rank]);
    if (hasBadge)
        tip.prepend(QStringLiteral("<p>%1</p>").arg(badge->second.toolTip.toHtmlEscaped()));
    item.setToolTip(0, tip);
    item.setToolTip(1, tip);
}

std::vector<RankPlace> RankTree::orderedPlaces() const
{
    std::vector<RankPlace> places = m_state->run().mesh().ranks;
    RankOrder(m_state->preferences().firstRanks()).sort(places, [](const RankPlace& place) {
        return place.rank;
    });
    const int by = m_grouping->currentData().toInt();
    if (by >= 0) {
        const auto dimension = static_cast<MeshDimension>(by);
        std::stable_sort(places.begin(), places.end(), [&](const RankPlace& a, const RankPlace& b) {
            return static_cast<unsigned>(a.at(dimension)) < static_cast<unsigned>(b.at(dimension));
        });
    }
    return places;
}

void RankTree::rebuild()
{
    const QSignalBlocker quiet(m_tree);
    m_tree->clear();
    m_items.clear();
    if (!m_state->run().model())
        return updateChecks();
    const std::vector<RankPlace> places = orderedPlaces();
    std::map<QString, QTreeWidgetItem*> groups;
    // Filled before the tree has them, because it lays out its rows with each change.
    QList<QTreeWidgetItem*> top;
    for (const RankPlace& place : places) {
        auto* const item = new QTreeWidgetItem(groupOf(place, groups, top));
        fillRank(*item, place);
        item->setCheckState(0, m_state->preferences().isRankHidden(place.rank) ? Qt::Unchecked : Qt::Checked);
        m_items[place.rank] = item;
        if (!item->parent())
            top << item;
    }
    m_tree->addTopLevelItems(top);
    m_tree->setRootIsDecorated(!groups.empty());
    if (places.size() <= many)
        m_tree->expandAll();
    updateChecks();
    applyFilter();
    markSelected();
}

void RankTree::updateChecks()
{
    const QSignalBlocker quiet(m_tree);
    for (const auto& [rank, item] : m_items)
        item->setCheckState(0, m_state->preferences().isRankHidden(rank) ? Qt::Unchecked : Qt::Checked);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* const group = m_tree->topLevelItem(i);
        if (isRank(*group))
            continue;
        int shown = 0;
        for (int child = 0; child < group->childCount(); ++child)
            shown += group->child(child)->checkState(0) == Qt::Checked ? 1 : 0;
        const int all = group->childCount();
        group->setCheckState(0,
                             shown == all     ? Qt::Checked
                                 : shown == 0 ? Qt::Unchecked
                                              : Qt::PartiallyChecked);
        group->setText(1,
                       shown < all    ? tr("%1 of %2 shown").arg(shown).arg(all)
                           : all == 1 ? tr("1 rank")
                                      : tr("%1 ranks").arg(all));
    }
    const std::size_t all = m_items.size();
    const auto isHidden
        = [this](const auto& entry) { return m_state->preferences().isRankHidden(entry.first); };
    const auto hidden = static_cast<std::size_t>(std::count_if(m_items.begin(), m_items.end(), isHidden));
    m_head->setCount(hidden > 0    ? tr("%1 of %2 shown").arg(all - hidden).arg(all)
                         : all > 1 ? QString::number(all)
                                   : QString());
    m_tree->viewport()->update(); // signals are blocked, so the view must be updated explicitly
}

void RankTree::applyFilter()
{
    const QStringList words = m_filter->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const auto& [rank, item] : m_items) {
        const QString text = item->data(0, searchRole).toString();
        const bool fits = std::all_of(words.begin(), words.end(), [&, number = rank](const QString& word) {
            return rankMatches(word, number, text);
        });
        // Who looks for a rank finds it, folded or not.
        const bool hides = !fits || (words.isEmpty() && m_state->preferences().isRankFolded(rank));
        if (item->isHidden() != hides)
            item->setHidden(hides);
    }
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* const group = m_tree->topLevelItem(i);
        if (isRank(*group))
            continue;
        bool any = false;
        for (int child = 0; child < group->childCount() && !any; ++child)
            any = !group->child(child)->isHidden();
        group->setHidden(!any);
        if (!words.isEmpty())
            group->setExpanded(true);
    }
}

std::set<std::int32_t> RankTree::ranksOf(QTreeWidgetItem& item) const
{
    std::set<std::int32_t> ranks;
    const auto take = [&](const QTreeWidgetItem& one) {
        if (!one.isHidden())
            ranks.insert(one.data(0, rankRole).toInt());
    };
    if (isRank(item))
        take(item);
    for (int child = 0; child < item.childCount(); ++child)
        take(*item.child(child));
    return ranks;
}

void RankTree::toggle(QTreeWidgetItem& item, bool shown)
{
    std::set<std::int32_t> hidden = m_state->preferences().hiddenRanks();
    for (const std::int32_t rank : ranksOf(item)) {
        if (shown)
            hidden.erase(rank);
        else
            hidden.insert(rank);
    }
    if (hidden == m_state->preferences().hiddenRanks())
        updateChecks(); // nothing could be hidden or shown: restore the check box
    m_state->preferences().setHiddenRanks(std::move(hidden));
}

void RankTree::showOnly(QTreeWidgetItem& item)
{
    const std::set<std::int32_t> shown = ranksOf(item);
    std::set<std::int32_t> hidden;
    for (const auto& [rank, other] : m_items) {
        if (!shown.contains(rank))
            hidden.insert(rank);
    }
    m_state->preferences().setHiddenRanks(std::move(hidden));
}

void RankTree::fillMenu(QMenu& menu, QTreeWidgetItem& item)
{
    const QString name = item.text(0);
    menu.addAction(tr("Show &only %1").arg(name), this, [this, &item] { showOnly(item); })
        ->setObjectName(QStringLiteral("ranksShowOnly"));
    if (item.checkState(0) != Qt::Checked)
        menu.addAction(tr("&Show %1").arg(name), this, [this, &item] { toggle(item, true); });
    if (item.checkState(0) != Qt::Unchecked)
        menu.addAction(tr("&Hide %1").arg(name), this, [this, &item] { toggle(item, false); });
    menu.addSeparator();
    QAction* const whatIf = menu.addAction(
        (isRank(item) ? tr("&What if %1 were like its peers") : tr("&What if %1 were like their peers"))
            .arg(name),
        this, [this, &item] {
            const std::set<std::int32_t> ranks = ranksOf(item);
            emit whatIfWanted({ranks.begin(), ranks.end()});
        });
    whatIf->setObjectName(QStringLiteral("ranksWhatIf"));
    whatIf->setEnabled(!m_state->run().model()->isSummarized()); // a replay needs events
    menu.addSeparator();
    QAction* const all
        = menu.addAction(tr("Show &all ranks"), this, [this] { m_state->preferences().setHiddenRanks({}); });
    all->setObjectName(QStringLiteral("ranksShowAll"));
    all->setEnabled(!m_state->preferences().hiddenRanks().empty());
    if (!m_tree->rootIsDecorated())
        return;
    menu.addAction(tr("&Expand all groups"), m_tree, &QTreeWidget::expandAll);
    menu.addAction(tr("&Collapse all groups"), m_tree, &QTreeWidget::collapseAll);
}

bool RankTree::eventFilter(QObject* watched, QEvent* event)
{
    QTreeWidgetItem* const current = m_tree->currentItem();
    if (event->type() == QEvent::KeyPress && current) {
        // The check box is in the first column; Space works in every column of the row.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            toggle(*current, current->checkState(0) != Qt::Checked);
            return true;
        }
    }
    if (event->type() == QEvent::ContextMenu) {
        const auto* context = static_cast<QContextMenuEvent*>(event);
        const bool byMouse = context->reason() == QContextMenuEvent::Mouse;
        const QPoint inViewport = m_tree->viewport()->mapFromGlobal(context->globalPos());
        QTreeWidgetItem* const item = byMouse ? m_tree->itemAt(inViewport) : current;
        if (item) {
            QMenu menu(this);
            fillMenu(menu, *item);
            menu.exec(byMouse ? context->globalPos()
                              : m_tree->viewport()->mapToGlobal(m_tree->visualItemRect(item).bottomLeft()));
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void RankTree::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        rebuild(); // items contain the colour of the dim column
    QWidget::changeEvent(event);
}

/// Makes the rank of the selected slice the current item; collapsed groups stay collapsed.
void RankTree::markSelected()
{
    if (!m_state->run().model() || !m_state->selection().slice())
        return;
    const auto found = m_items.find(m_state->run().model()->timelineOf(m_state->selection().slice()).rank);
    if (found == m_items.end() || (found->second->parent() && !found->second->parent()->isExpanded()))
        return;
    m_tree->setCurrentItem(found->second);
}

/// Shows contradictions between card and process groups.
void RankTree::updateNotes()
{
    QStringList notes;
    for (const std::string& note : m_state->run().mesh().notes)
        notes << toText(note);
    m_notes->setVisible(!notes.isEmpty());
    m_notes->setText(notes.join(QLatin1Char('\n')));
}

} // namespace collscope
