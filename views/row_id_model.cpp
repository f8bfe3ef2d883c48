// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/row_id_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

namespace collscope {

int RowIdModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

int RowIdModel::rowOf(std::uint32_t id) const
{
    const auto found = std::find(m_ids.begin(), m_ids.end(), id);
    return found == m_ids.end() ? -1 : static_cast<int>(found - m_ids.begin());
}

void RowIdModel::setIds(std::vector<std::uint32_t> ids)
{
    beginResetModel();
    m_ids = std::move(ids);
    sortIds();
    endResetModel();
}

void RowIdModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    // Selected rows stay selected wherever they go.
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> marked;
    for (const QModelIndex& index : before)
        marked.push_back(idAt(index.row()));
    sortIds();
    std::unordered_map<std::uint32_t, int> rows;
    for (const std::uint32_t id : marked)
        rows.emplace(id, -1);
    for (std::size_t row = 0; row < m_ids.size() && !rows.empty(); ++row) {
        if (const auto found = rows.find(m_ids[row]); found != rows.end())
            found->second = static_cast<int>(row);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(rows[marked[static_cast<std::size_t>(i)]], before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void RowIdModel::sortIds()
{
    if (m_column < 0 || m_column >= columnCount()) {
        std::sort(m_ids.begin(), m_ids.end());
        return;
    }
    // Texts become numbers first: few of them differ, and numbers sort fast.
    std::map<std::string_view, double> ordinals;
    if (isText(m_column)) {
        for (const std::uint32_t id : m_ids)
            ordinals.emplace(text(id, m_column), 0);
        double next = 0;
        for (auto& [word, ordinal] : ordinals)
            ordinal = word.empty() ? std::numeric_limits<double>::quiet_NaN() : next++;
    }
    const bool descending = m_order == Qt::DescendingOrder;
    std::vector<std::pair<double, std::uint32_t>> keys;
    keys.reserve(m_ids.size());
    for (const std::uint32_t id : m_ids) {
        const double key
            = isText(m_column) ? ordinals.find(text(id, m_column))->second : number(id, m_column);
        keys.emplace_back(std::isnan(key)  ? std::numeric_limits<double>::infinity()
                              : descending ? -key
                                           : key,
                          id);
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i)
        m_ids[i] = keys[i].second;
}

} // namespace collscope
