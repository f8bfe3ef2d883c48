// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Filter of the tables of collectives, and the texts and numbers that these tables share.

#include "metrics/matching/collective_rows.h"

#include <QStringList>

class QComboBox;

namespace collscope {

/// The user's filter of the table.
struct CollectiveFilter
{
    QString words; ///< each word must occur in the collective's name, class, type or group
    GroupFilter groups;
    bool lateOnly = false;
    std::optional<TimeRange> range; ///< time range on the axis
};

/// The words of a filter, prepared for matching many rows.
class CollectiveWords
{
public:
    explicit CollectiveWords(const QString& words);
    bool isEmpty() const { return m_words.isEmpty(); }
    bool fit(const CollectiveRows& table, const Call& call, std::string_view group) const;

private:
    QStringList m_words;
};

/// Prepares a combo box for fillGroups(): wide enough for most names, narrower in a narrow window.
void setUpGroups(QComboBox& box);
/// Fills a combo box with the entry for all groups, the kinds of parallelism that several groups share, and
/// each group. Groups of sends and receives are included only if `pairs`. Keeps the current choice if it
/// still exists.
void fillGroups(QComboBox& box, const CollectiveRows* table, bool pairs);
/// The current choice of the combo box.
GroupFilter chosenGroups(const QComboBox& box);

} // namespace collscope
