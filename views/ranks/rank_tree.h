// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ranks of the run as a tree, grouped by node or by a dimension of the device mesh. Check boxes hide and
// show ranks.

#include "views/ranks/rank_badges.h"
#include "views/state/view_state.h"

#include <QWidget>

#include <map>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QTreeWidget;
class QTreeWidgetItem;

namespace collscope {

class RankHead;

class RankTree : public QWidget
{
    Q_OBJECT

public:
    explicit RankTree(ViewState* state, QWidget* parent = nullptr);

    QTreeWidget* tree() const { return m_tree; }
    /// Shows what stands out about ranks beside their names, and offers to order and fold them. Forgotten
    /// with the run.
    void setFindings(const FindingsPtr& findings);
    /// Adds the context menu entries of an item (a rank or a group).
    void fillMenu(QMenu& menu, QTreeWidgetItem& item);

signals:
    /// The user asks what it would help if these ranks were like their peers.
    void whatIfWanted(const std::vector<std::int32_t>& ranks);
    void rankActivated(std::int32_t rank); ///< Enter or double click on a rank

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void onModelChanged();
    void onMeshChanged();
    void fillGroupings();
    void rebuild();
    /// In the order of the list: by number, or with the worst first.
    std::vector<RankPlace> orderedPlaces() const;
    /// The item of a rank's group; nullptr if they are not grouped. A new one is added to `top`.
    QTreeWidgetItem* groupOf(const RankPlace& place, std::map<QString, QTreeWidgetItem*>& groups,
                             QList<QTreeWidgetItem*>& top);
    void fillRank(QTreeWidgetItem& item, const RankPlace& place);
    void updateChecks();
    void applyFilter();
    void toggle(QTreeWidgetItem& item, bool shown);
    /// The ranks of an item that pass the filter.
    std::set<std::int32_t> ranksOf(QTreeWidgetItem& item) const;
    void showOnly(QTreeWidgetItem& item);
    void markSelected();
    void updateNotes();

    ViewState* m_state;
    RankHead* m_head;
    QWidget* m_choices;
    QComboBox* m_grouping;
    QLineEdit* m_filter;
    QLabel* m_notes;
    QTreeWidget* m_tree;
    std::map<std::int32_t, QTreeWidgetItem*> m_items; ///< by rank
    std::map<std::int32_t, RankBadge> m_badges; ///< by rank
    std::map<std::int32_t, std::vector<const Timeline*>> m_timelines; ///< by rank
    bool m_devicesDiffer = false;
    bool m_groupingChosen = false; ///< by the user, for this run
};

} // namespace collscope
