// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/metrics/metrics_table.h"

#include "metrics/analysis/known_communication.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/summary/finding_label.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

enum Column
{
    Name,
    Number,
    Unit,
    Bar,
    ColumnCount
};
constexpr int shareRole = Qt::UserRole + 1; ///< 0 to 1, for metrics in percent
constexpr int indexRole = Qt::UserRole + 2; ///< index into the results
constexpr int groupRole = Qt::UserRole + 3; ///< key of a group
constexpr int nameRole = Qt::UserRole + 4; ///< name of a metric
constexpr int barColorRole = Qt::UserRole + 5; ///< of the bar; without one it is plain

constexpr QLatin1String atAGlance("at a glance");
constexpr QLatin1String notAvailable("not available");
constexpr QLatin1String allZero("all zero: "); ///< begin of a key

/// Paints a small bar for shares.
class ShareDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant share = index.data(shareRole);
        if (!share.isValid())
            return;
        const Surfaces colors = surfaces(option.palette);
        const QRect track(option.rect.left() + 4, option.rect.center().y() - 3, option.rect.width() - 8, 7);
        painter->fillRect(track, colors.line);
        painter->fillRect(
            QRect(track.topLeft(),
                  QSize(static_cast<int>(track.width() * std::clamp(share.toDouble(), 0.0, 1.0)), 7)),
            index.data(barColorRole).isValid() ? index.data(barColorRole).value<QColor>() : colors.accent);
    }
};

/// Gives a name that is too long for its column a second line.
class NameDelegate : public QStyledItemDelegate
{
public:
    explicit NameDelegate(QTreeView* tree)
        : QStyledItemDelegate(tree)
        , m_tree(*tree)
    { }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        constexpr int padding = 6;
        const QSize one = QStyledItemDelegate::sizeHint(option, index);
        int room = m_tree.columnWidth(Name) - m_tree.indentation() - padding;
        for (QModelIndex parent = index.parent(); parent.isValid(); parent = parent.parent())
            room -= m_tree.indentation();
        const QFontMetrics metrics(option.font);
        const bool fits = m_tree.isFirstColumnSpanned(index.row(), index.parent())
            || metrics.horizontalAdvance(index.data().toString()) <= room;
        return fits ? one : QSize(one.width(), one.height() + metrics.lineSpacing());
    }

private:
    const QTreeView& m_tree;
};

bool isGroup(const QTreeWidgetItem& item)
{
    return !item.parent();
}

/// What a group or a metric is called in the sets of expanded and collapsed items.
QString keyOf(const QTreeWidgetItem& item)
{
    return item.data(0, isGroup(item) ? groupRole : nameRole).toString();
}

bool isHeadline(const QTreeWidgetItem& item)
{
    return item.parent() && keyOf(*item.parent()) == atAGlance;
}

bool nameHolds(const MetricRequest& request, const QString& words)
{
    if (toText(request.metric->title).contains(words, Qt::CaseInsensitive)
        || toText(request.name).contains(words, Qt::CaseInsensitive))
        return true;
    return std::any_of(
        request.metric->aliases.begin(), request.metric->aliases.end(),
        [&](const MetricAlias& alias) { return toText(alias.id).contains(words, Qt::CaseInsensitive); });
}

} // namespace

MetricsTable::MetricsTable(QWidget* parent)
    : QTreeWidget(parent)
{
    setColumnCount(ColumnCount);
    setHeaderHidden(true);
    setObjectName(QStringLiteral("metrics"));
    setIndentation(13);
    setAllColumnsShowFocus(true);
    setWordWrap(true);
    setItemDelegateForColumn(Name, new NameDelegate(this));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegateForColumn(Bar, new ShareDelegate(this));
    setAccessibleName(tr("Metrics"));
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    header()->setSectionResizeMode(Number, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(Unit, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(Bar, QHeaderView::Fixed);
    setColumnWidth(Bar, 42);
    connect(header(), &QHeaderView::sectionResized, this, [this](int section) {
        if (section == Name)
            scheduleDelayedItemsLayout(); // other names need two lines
    });
    // Few runs have a memory snapshot, a benchmark and an XLA profile. Metrics that need them are in a
    // collapsed group at the end.
    m_closed.insert(notAvailable);
    m_closed.insert(allZero + QStringLiteral("Communication"));
    setExpandsOnDoubleClick(false);
    connect(this, &QTreeWidget::itemClicked, this, [](QTreeWidgetItem* item) {
        if (isGroup(*item)) // a metric with parts is chosen by a click, and expanded by its arrow
            item->setExpanded(!item->isExpanded());
    });
    connect(this, &QTreeWidget::itemExpanded, this,
            [this](QTreeWidgetItem* item) { noteExpanded(*item, true); });
    connect(this, &QTreeWidget::itemCollapsed, this,
            [this](QTreeWidgetItem* item) { noteExpanded(*item, false); });
}

void MetricsTable::fillRow(QTreeWidgetItem& item, const MetricRequest& request,
                           const MetricResult& result) const
{
    const Surfaces colors = surfaces(palette());
    item.setText(Name, toText(request.metric->title));
    item.setToolTip(Name, plainToolTip(toText(request.metric->meaning)));
    item.setTextAlignment(Number, Qt::AlignRight | Qt::AlignVCenter);
    if (!result.value) {
        const QString state = result.state == MetricState::Value ? tr("table")
            : result.state == MetricState::NotApplicable         ? tr("n/a")
            : result.reason.starts_with(notRecorded)             ? tr("not recorded")
            : result.state == MetricState::MissingInput          ? tr("no input")
                                                                 : tr("error");
        item.setText(Number, state);
        for (const int column : {Name, Number})
            item.setForeground(
                column, result.state == MetricState::Value && column == Name ? colors.text : colors.dimText);
        item.setToolTip(Number,
                        result.reason.empty() ? tr("Select the metric to see its table")
                                              : plainToolTip(toText(result.reason)));
        return;
    }
    QString unit = toText(result.unit);
    const QString number = formatMetric(*result.value, unit);
    item.setText(Number, number);
    QFont bold = item.font(Number);
    bold.setWeight(QFont::DemiBold);
    item.setFont(Number, bold);
    item.setToolTip(Number, toText(numberText(*result.value) + " " + result.unit));
    item.setText(Unit, unit == QLatin1String("count") ? QString() : unit);
    item.setForeground(Unit, colors.dimText);
    if (result.unit == "%")
        item.setData(Bar, shareRole, *result.value / 100.0);
}

QTreeWidgetItem* MetricsTable::addGroup(const QString& name, const QString& key)
{
    auto* group = new QTreeWidgetItem(this, {name});
    group->setData(Name, groupRole, key);
    group->setFlags(Qt::ItemIsEnabled);
    group->setFirstColumnSpanned(true);
    QFont bold = group->font(Name);
    bold.setWeight(QFont::DemiBold);
    group->setFont(Name, bold);
    return group;
}

QTreeWidgetItem* MetricsTable::addRow(QTreeWidgetItem* parent, std::size_t index)
{
    const auto& [request, result] = (*m_results)[index];
    auto* const item = new QTreeWidgetItem(parent);
    item->setData(Name, indexRole, static_cast<int>(index));
    item->setData(Name, nameRole, toText(request.name));
    fillRow(*item, request, result);
    return item;
}

/// Times that cost something have the colours of the findings in the Summary.
void MetricsTable::addHeadlines()
{
    const std::vector<HeadlineMetric> headlines = headlineMetrics(*m_results);
    if (headlines.empty())
        return;
    QTreeWidgetItem* const group = addGroup(tr("At a glance"), atAGlance);
    for (const HeadlineMetric& headline : headlines) {
        QTreeWidgetItem* const item = addRow(group, headline.index);
        if (!headline.costShare)
            continue;
        const QColor color = severityColor(*headline.costShare, palette());
        item->setForeground(Number, color);
        item->setData(Bar, shareRole, *headline.costShare);
        item->setData(Bar, barColorRole, color);
        item->setToolTip(Bar, tr("%1 of the step").arg(formatPercent(100 * *headline.costShare)));
    }
}

void MetricsTable::setResults(const Results& results)
{
    const std::string kept
        = currentItem() ? currentItem()->data(Name, nameRole).toString().toStdString() : std::string();
    const bool keepsHeadline = currentItem() && isHeadline(*currentItem());
    m_results = &results;
    const QSignalBlocker quiet(this);
    clear();
    addHeadlines();
    std::map<QString, QTreeWidgetItem*> groups;
    std::vector<std::size_t> without;
    std::map<const MetricDescriptor*, QTreeWidgetItem*> wholes;
    const auto add = [&](QTreeWidgetItem* group, std::size_t index) {
        const MetricDescriptor* const metric = results[index].first.metric;
        const auto whole = wholes.find(metric->whole);
        QTreeWidgetItem* const item = addRow(whole == wholes.end() ? group : whole->second, index);
        if (!metric->parts.empty())
            wholes.emplace(metric, item);
    };
    const std::set<std::string_view> zeros = groupsOfZeros(results);
    std::vector<std::size_t> zero;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].second.state != MetricState::Value) {
            without.push_back(i);
            continue;
        }
        if (zeros.contains(results[i].first.metric->group)) {
            zero.push_back(i);
            continue;
        }
        const QString name = toText(results[i].first.metric->group);
        QTreeWidgetItem*& group = groups[name];
        if (!group)
            group = addGroup(name, name);
        add(group, i);
    }
    for (const std::size_t index : zero) {
        const QString name = toText(results[index].first.metric->group);
        QTreeWidgetItem*& group = groups[name];
        if (!group)
            group = addGroup(tr("%1: none in this run").arg(name), allZero + name);
        add(group, index);
    }
    if (!without.empty()) {
        QTreeWidgetItem* group = addGroup(tr("Not available (%1)").arg(without.size()), notAvailable);
        wholes.clear();
        for (const std::size_t index : without)
            add(group, index);
    }
    applyFilter();
    if (!kept.empty() && !keepsHeadline)
        selectRow(kept, false);
    else if (!kept.empty())
        select(kept);
}

std::optional<std::size_t> MetricsTable::currentResult() const
{
    const QTreeWidgetItem* item = currentItem();
    const QVariant index = item ? item->data(Name, indexRole) : QVariant();
    return index.isValid() ? std::optional<std::size_t>(index.toUInt()) : std::nullopt;
}

void MetricsTable::select(std::string_view id)
{
    if (m_filter.isEmpty())
        selectRow(id, true);
    if (!currentItem() || currentItem()->data(Name, nameRole).toString() != toText(id))
        selectRow(id, false);
}

void MetricsTable::selectRow(std::string_view id, bool atTheTop)
{
    for (QTreeWidgetItemIterator it(this); *it; ++it) {
        if ((*it)->data(Name, nameRole).toString() != toText(id) || isHeadline(**it) != atTheTop)
            continue;
        setCurrentItem(*it);
        return;
    }
}

void MetricsTable::setFilter(const QString& words)
{
    m_filter = words.trimmed();
    const QSignalBlocker quiet(this); // a search expands groups temporarily
    applyFilter();
}

void MetricsTable::noteExpanded(const QTreeWidgetItem& item, bool isExpanded)
{
    // Groups start expanded and metrics with parts collapsed: each set holds the exceptions.
    const bool isException = isGroup(item) ? !isExpanded : isExpanded;
    QSet<QString>& exceptions = isGroup(item) ? m_closed : m_opened;
    if (isException)
        exceptions.insert(keyOf(item));
    else
        exceptions.remove(keyOf(item));
}

bool MetricsTable::filterItem(QTreeWidgetItem& item)
{
    bool isVisible = m_filter.isEmpty();
    if (!isGroup(item) && !isVisible)
        isVisible = nameHolds((*m_results)[item.data(Name, indexRole).toUInt()].first, m_filter);
    for (int i = 0; i < item.childCount(); ++i)
        isVisible |= filterItem(*item.child(i));
    // A search finds each metric once.
    item.setHidden(!isVisible || (!m_filter.isEmpty() && keyOf(item) == atAGlance));
    item.setExpanded(!m_filter.isEmpty()
                     || (isGroup(item) ? !m_closed.contains(keyOf(item)) : m_opened.contains(keyOf(item))));
    return isVisible;
}

void MetricsTable::applyFilter()
{
    for (int g = 0; g < topLevelItemCount(); ++g)
        filterItem(*topLevelItem(g));
}

} // namespace collscope
