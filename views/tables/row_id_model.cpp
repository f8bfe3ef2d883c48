// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/row_id_model.h"

#include "views/common/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

QVariant RowIdModel::raw(std::uint32_t id, int column) const
{
    if (isText(column))
        return toText(text(id, column));
    const double value = number(id, column);
    constexpr double exact = 9e15; // integers up to this are copied with all digits, not as 2e+05
    if (std::isnan(value))
        return {};
    return std::floor(value) == value && std::abs(value) < exact ? QVariant(std::llround(value))
                                                                 : QVariant(value);
}

QColor RowIdModel::chip(std::uint32_t, int) const
{
    return {};
}

QColor RowIdModel::ink(std::uint32_t, int) const
{
    return {};
}

QVariant RowIdModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const std::uint32_t id = idAt(index.row());
    const int column = index.column();
    const auto colored = [](const QColor& color) { return color.isValid() ? QVariant(color) : QVariant(); };
    switch (role) {
    case RawRole:
        return raw(id, column);
    case Qt::DisplayRole:
        return shown(id, column);
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(id, column));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter) | int(isText(column) ? Qt::AlignLeft : Qt::AlignRight);
    case Qt::DecorationRole:
        return colored(chip(id, column));
    case Qt::ForegroundRole:
        return colored(ink(id, column));
    default:
        return {};
    }
}

QVariant RowIdModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Heading named = heading(section);
    switch (role) {
    case RawRole:
        return QLatin1String(named.key);
    case Qt::DisplayRole:
        return named.title;
    case Qt::ToolTipRole:
        return named.meaning.isEmpty() ? QVariant() : QVariant(named.meaning);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter) | int(isText(section) ? Qt::AlignLeft : Qt::AlignRight);
    case Qt::InitialSortOrderRole: // the largest amounts come first
        return int(isText(section) || named.isPlace ? Qt::AscendingOrder : Qt::DescendingOrder);
    default:
        return {};
    }
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
    // Selected rows stay selected when they move.
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

std::vector<double> RowIdModel::numbers() const
{
    std::vector<double> values;
    values.reserve(m_ids.size());
    for (const std::uint32_t id : m_ids)
        values.push_back(number(id, m_column));
    return values;
}

/// Numbers sort fast, and there are few distinct texts: each text is replaced by its rank among them. Texts
/// are identified by address, as most are interned; equal texts at different addresses get the same rank.
std::vector<double> RowIdModel::ordinals() const
{
    std::unordered_map<const char*, std::uint32_t> known;
    std::vector<std::string_view> texts;
    std::vector<std::uint32_t> textOf;
    textOf.reserve(m_ids.size());
    for (const std::uint32_t id : m_ids) {
        const std::string_view word = text(id, m_column);
        // An empty text can have the address of the next text.
        const auto [found, isNew] = known.try_emplace(word.empty() ? nullptr : word.data(),
                                                      static_cast<std::uint32_t>(texts.size()));
        if (isNew)
            texts.push_back(word);
        textOf.push_back(found->second);
    }
    std::vector<std::string_view> sorted = texts;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> places;
    for (const std::string_view word : texts) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), word) - sorted.begin();
        places.push_back(word.empty() ? std::numeric_limits<double>::quiet_NaN()
                                      : static_cast<double>(place));
    }
    std::vector<double> values;
    values.reserve(textOf.size());
    for (const std::uint32_t which : textOf)
        values.push_back(places[which]);
    return values;
}

void RowIdModel::sortIds()
{
    if (m_column < 0 || m_column >= columnCount()) {
        std::sort(m_ids.begin(), m_ids.end());
        return;
    }
    const bool descending = m_order == Qt::DescendingOrder;
    const std::vector<double> values = isText(m_column) ? ordinals() : numbers();
    std::vector<std::pair<double, std::uint32_t>> keys;
    keys.reserve(m_ids.size());
    for (std::size_t i = 0; i < m_ids.size(); ++i) {
        const double value = values[i];
        const double key = std::isnan(value) ? std::numeric_limits<double>::infinity()
            : descending                     ? -value
                                             : value;
        keys.emplace_back(key, m_ids[i]);
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i)
        m_ids[i] = keys[i].second;
}

} // namespace collscope
