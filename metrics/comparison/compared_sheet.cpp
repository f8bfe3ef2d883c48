// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/compared_sheet.h"

#include "metrics/core/sweep.h"

namespace collscope {

bool CallSubject::contains(const CallKind& call) const
{
    return restricted(call, waitsForAll ? collectiveKeys() : callKeys(), known) == kind;
}

unsigned kindsOf(StepPart part)
{
    switch (part) {
    case StepPart::Moving:
    case StepPart::Waiting:
    case StepPart::Unsplit:
        return ActiveCommunication;
    case StepPart::Copies:
        return ActiveCopy | ActiveSet;
    case StepPart::Idle:
        return 0;
    default:
        return ActiveCompute;
    }
}

std::optional<std::size_t> ComparedSheet::first(ColumnRole role) const
{
    const auto found = std::find_if(roles.begin(), roles.end(),
                                    [role](const ComparedColumn& column) { return column.role == role; });
    return found == roles.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - roles.begin()));
}

ComparedSheet asRead(const ComparedSheet& sheet)
{
    ComparedSheet read = sheet;
    for (std::size_t c = 0; c < sheet.roles.size(); ++c) {
        if (sheet.roles[c].role != ColumnRole::Improvement)
            continue;
        read.roles[c].role = ColumnRole::Change;
        read.columns[c] = "change_percent" + (sheet.roles[c].name.empty() ? "" : "_" + sheet.roles[c].name);
        for (Value::Array& row : read.rows) // baseline, test and difference are before it
            row[c] = numberCell(deltaOf(numberOf(row[c - 3]), numberOf(row[c - 2]), {}).change);
    }
    return read;
}

} // namespace collscope
