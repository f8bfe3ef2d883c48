// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/collective_filter.h"

#include "model/kernels/kernel_names.h"
#include "views/common/format.h"

#include <QComboBox>

#include <algorithm>
#include <array>

namespace collscope {

namespace {

constexpr int allGroups = -1;
constexpr int firstParallelismKind = -2; ///< and below: kinds of parallelism

int dataOf(ParallelismKind parallelismKind)
{
    return firstParallelismKind - static_cast<int>(parallelismKind);
}

} // namespace

CollectiveWords::CollectiveWords(const QString& words)
    : m_words(words.split(QLatin1Char(' '), Qt::SkipEmptyParts))
{ }

bool CollectiveWords::fit(const CollectiveRows& table, const Call& call, std::string_view group) const
{
    QStringList parts{toText(table.nameOf(call)), toText(kernelClassName(call.kind)), toText(group)};
    if (call.meta)
        parts << toText(table.model->text(call.meta->elementType))
              << toText(table.model->text(call.meta->groupDescription));
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        return std::any_of(parts.begin(), parts.end(),
                           [&](const QString& part) { return part.contains(word, Qt::CaseInsensitive); });
    });
}

void setUpGroups(QComboBox& box)
{
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.setMinimumContentsLength(16);
    box.setMinimumWidth(72);
}

void fillGroups(QComboBox& box, const CollectiveRows* table, bool pairs)
{
    const QVariant before = box.currentData();
    const QSignalBlocker quiet(&box);
    box.clear();
    box.addItem(QComboBox::tr("all process groups"), allGroups);
    if (table) {
        std::vector<bool> isUsed(table->run->matching.groups.size(), false);
        for (const CollectiveRow& row : table->rows) {
            if (pairs || !row.isPointToPoint)
                isUsed[table->instanceOf(row).group] = true;
        }
        std::array<int, parallelismKindCount> groupsOf{};
        for (std::size_t group = 0; group < isUsed.size(); ++group) {
            if (isUsed[group])
                ++groupsOf[static_cast<std::size_t>(table->run->matching.groups[group].parallelismKind)];
        }
        for (int i = 0; i < parallelismKindCount; ++i) {
            const auto parallelismKind = static_cast<ParallelismKind>(i);
            const int count = groupsOf[static_cast<std::size_t>(i)];
            if (count > 1 && parallelismKind != ParallelismKind::Unknown)
                box.addItem(QComboBox::tr("%1: %2 groups")
                                .arg(toText(parallelismKindName(parallelismKind)))
                                .arg(count),
                            dataOf(parallelismKind));
        }
        for (std::size_t group = 0; group < isUsed.size(); ++group) {
            if (!isUsed[group])
                continue;
            const ProcessGroup& known = table->run->matching.groups[group];
            QString text = toText(known.text);
            if (text.isEmpty())
                text = QComboBox::tr("group %1 (unnamed)").arg(group);
            if (!known.description.empty())
                text = toText(known.description) + QStringLiteral(" \u00b7 ") + text;
            else if (known.parallelismKind != ParallelismKind::Unknown)
                text = toText(parallelismKindName(known.parallelismKind)) + QStringLiteral(" \u00b7 ") + text;
            box.addItem(text, static_cast<int>(group));
            box.setItemData(box.count() - 1, plainToolTip(text), Qt::ToolTipRole);
        }
    }
    box.setEnabled(box.count() > 1);
    box.setCurrentIndex(std::max(0, box.findData(before)));
}

GroupFilter chosenGroups(const QComboBox& box)
{
    GroupFilter filter;
    const int data = box.currentData().toInt();
    if (data >= 0 && box.currentIndex() > 0)
        filter.group = static_cast<std::uint32_t>(data);
    else if (data <= firstParallelismKind)
        filter.parallelismKind = static_cast<ParallelismKind>(firstParallelismKind - data);
    return filter;
}

} // namespace collscope
