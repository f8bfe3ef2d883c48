// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/history/inspector_blocks.h"

#include <algorithm>

namespace collscope {

namespace {

void addLoss(InspectorRows::Loss& all, const InspectorRows::Loss& own)
{
    all.offset = all.count == 0 ? own.offset : all.offset;
    all.count += own.count;
}

constexpr std::size_t mostMembers = 200'000, mostClasses = 1'000'000;
constexpr std::size_t mostPartEntries = 65'536;
constexpr std::uint32_t noPlace = 0xFFFF'FFFF;

} // namespace

void InspectorPart::clear()
{
    rows.clear();
    const JobHistory& tables = rows.tables.history();
    if (tables.members.size() <= mostPartEntries && tables.classes.size() <= mostPartEntries)
        return;
    rows.tables = HistoryBuilder();
    memberAt.clear();
    classAt.clear();
    lines.forget();
}

void InspectorBlocks::takeTables(InspectorPart& part)
{
    const JobHistory& theirs = part.rows.tables.history();
    for (std::size_t i = part.memberAt.size(); i < theirs.members.size(); ++i) {
        if (m_builder.history().members.size() >= mostMembers) {
            part.memberAt.push_back(noPlace);
            continue;
        }
        HistoryMember member = theirs.members[i];
        member.communicator = m_builder.communicator(theirs.communicators[member.communicator]);
        part.memberAt.push_back(m_builder.member(member));
    }
    for (std::size_t i = part.classAt.size(); i < theirs.classes.size(); ++i)
        part.classAt.push_back(m_builder.history().classes.size() >= mostClasses
                                   ? noPlace
                                   : m_builder.operationClass(theirs.classes[i]));
}

void InspectorBlocks::endDump()
{
    unfinishedDumps += m_left > 0 ? 1u : 0u;
    m_left = 0;
}

void InspectorBlocks::take(InspectorPart& part)
{
    takeTables(part);
    std::vector<HistoryMember>& members = m_builder.history().members;
    std::size_t marker = 0;
    const auto& markersOf = part.rows.markers;
    for (std::size_t i = 0; i <= part.rows.rows.size(); ++i) {
        for (; marker < markersOf.size() && markersOf[marker].beforeRow == i; ++marker) {
            const InspectorRows::Marker& own = markersOf[marker];
            endDump();
            const std::uint32_t place = part.memberAt[own.context];
            if (place == noPlace)
                continue;
            HistoryMember& member = members[place];
            member.dropped = std::max(member.dropped.value_or(0), own.dropped);
            m_member = own.ownsLines ? std::optional(place) : std::nullopt;
            m_timeUs = own.timeUs;
            m_left = own.ownsLines ? own.lines : 0;
        }
        if (i == part.rows.rows.size())
            break;
        const InspectorRow& row = part.rows.rows[i];
        std::optional<std::uint32_t> place;
        std::int64_t timeUs = row.timeUs;
        if (row.context != InspectorRow::inherited) {
            place = part.memberAt[row.context];
        } else if (m_member && m_left > 0) {
            place = m_member;
            timeUs = timeUs == 0 ? m_timeUs : timeUs;
            --m_left;
        }
        if (!place) {
            orphans.add(part.block.offset);
            continue;
        }
        if (*place == noPlace || part.classAt[row.operationClass] == noPlace) {
            tooMany.add(part.block.offset);
            continue;
        }
        OperationColumns& columns = members[*place].operations;
        columns.timeUs.push_back(timeUs);
        columns.operationClass.push_back(part.classAt[row.operationClass]);
        columns.number.push_back(row.number);
        columns.durationUs.push_back(row.durationUs);
        columns.busGbPerSecond.push_back(row.busGbPerSecond);
        ++operations;
    }
    records += part.rows.records;
    markers += part.rows.markersRead;
    proxyLines += part.rows.proxyLines;
    skippedBytes += part.block.skipped;
    addLoss(damaged, part.rows.damaged);
    addLoss(incomplete, part.rows.incomplete);
    addLoss(otherText, part.rows.otherText);
    if (part.block.isLast)
        endDump();
}

} // namespace collscope
