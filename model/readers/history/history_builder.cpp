// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/history/history_builder.h"

namespace collscope {

namespace {

/// The parts of a key, each with its length, so that two keys with the same text have the same parts.
std::string entryKey(std::initializer_list<std::string_view> texts,
                     std::initializer_list<std::int64_t> numbers)
{
    std::string key;
    for (const std::string_view text : texts)
        key.append(std::to_string(text.size())).append(":").append(text);
    for (const std::int64_t number : numbers)
        key.append(std::to_string(number)).append(",");
    return key;
}

template<typename Entry>
std::uint32_t entryPlace(std::unordered_map<std::string, std::uint32_t>& known, std::vector<Entry>& entries,
                         std::string key, const Entry& wanted)
{
    const auto [at, isNew] = known.emplace(std::move(key), static_cast<std::uint32_t>(entries.size()));
    if (isNew)
        entries.push_back(wanted);
    return at->second;
}

} // namespace

std::uint32_t HistoryBuilder::communicator(const HistoryCommunicator& wanted)
{
    return entryPlace(m_communicators, m_history.communicators,
                      entryKey({wanted.hash, wanted.name}, {wanted.ranks, wanted.nodes}), wanted);
}

std::uint32_t HistoryBuilder::member(const HistoryMember& wanted)
{
    return entryPlace(m_members, m_history.members,
                      entryKey({wanted.host, wanted.gpu},
                               {static_cast<std::int64_t>(wanted.communicator), wanted.rank, wanted.pid}),
                      wanted);
}

std::uint32_t HistoryBuilder::operationClass(const OperationClass& wanted)
{
    return entryPlace(m_classes, m_history.classes,
                      entryKey({wanted.operation},
                               {static_cast<std::int64_t>(wanted.bytes), wanted.peer,
                                static_cast<std::int64_t>(wanted.timing), wanted.isPointToPoint ? 1 : 0,
                                wanted.startIsStated ? 1 : 0}),
                      wanted);
}

} // namespace collscope
