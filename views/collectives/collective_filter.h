// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the tables of collectives can be narrowed to, and the texts and numbers they have in common.

#include "metrics/multirank/collective_rows.h"

#include <QStringList>

class QComboBox;

namespace collscope {

/// What a person narrowed the table to.
struct CollectiveFilter
{
    QString words; ///< each must be in the collective's name, class, type or group
    GroupFilter groups;
    bool lateOnly = false;
    std::optional<TimeRange> range; ///< on the axis
};

/// The words of a filter, to be looked for in many rows.
class CollectiveWords
{
public:
    explicit CollectiveWords(const QString& words);
    bool isEmpty() const { return m_words.isEmpty(); }
    bool fit(const CollectiveRows& table, const Call& call, std::string_view group) const;

private:
    QStringList m_words;
};

/// A combo box for fillGroups(): as wide as most names, narrower in a narrow window.
void setUpGroups(QComboBox& box);
/// Fills a combo box with all groups, the purposes that several groups share, and each group; of sends and
/// receives only where `pairs`. Keeps the choice if it is still there.
void fillGroups(QComboBox& box, const CollectiveRows* table, bool pairs);
/// What is chosen in it.
GroupFilter chosenGroups(const QComboBox& box);

} // namespace collscope
