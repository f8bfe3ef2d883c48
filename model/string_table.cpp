// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/string_table.h"

#include "model/text/same_text.h"

#include <cstring>

namespace collscope {

namespace {
// Every file has a table while a run is read: those of ten thousand summaries are small.
constexpr std::size_t firstBlockSize = 1024, largestBlockSize = std::size_t{64} * 1024;
constexpr std::size_t firstSlots = 64;
} // namespace

StringTable::StringTable()
    : m_slots(firstSlots)
{
    intern({});
}

std::uint64_t StringTable::hashOf(std::string_view text)
{
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ull;
    std::uint64_t hash = text.size() * multiplier;
    std::uint64_t word = 0;
    if (text.size() < sizeof word) {
        for (const char c : text)
            word = word << 8 | static_cast<unsigned char>(c);
    } else {
        for (std::size_t i = 0; i + sizeof word < text.size(); i += sizeof word) {
            std::memcpy(&word, text.data() + i, sizeof word);
            hash = (hash ^ word) * multiplier;
            hash ^= hash >> 32;
        }
        std::memcpy(&word, text.data() + text.size() - sizeof word, sizeof word); // may overlap
    }
    hash = (hash ^ word) * multiplier;
    return hash ^ (hash >> 29);
}

std::size_t StringTable::slotOf(std::string_view text, std::uint64_t hash) const
{
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t i = (hash >> 20) & mask;; i = (i + 1) & mask) {
        const Slot& slot = m_slots[i];
        if (slot.id == StringId::noneValue
            || (slot.hash == static_cast<std::uint32_t>(hash) && sameText(m_texts[slot.id], text)))
            return i;
    }
}

StringId StringTable::intern(std::string_view text)
{
    const std::uint64_t hash = hashOf(text);
    const std::size_t i = slotOf(text, hash);
    if (m_slots[i].id != StringId::noneValue)
        return StringId{m_slots[i].id};

    if (m_blocks.empty() || m_blockFree < text.size()) {
        const std::size_t usual = m_blocks.empty() ? firstBlockSize : 2 * m_blocks.back().capacity();
        m_blockFree = std::max(std::min(usual, largestBlockSize), text.size());
        m_blocks.emplace_back().reserve(m_blockFree);
    }
    std::string& block = m_blocks.back();
    const std::size_t begin = block.size();
    block.append(text);
    m_blockFree -= text.size();
    const auto id = static_cast<std::uint32_t>(m_texts.size());
    m_texts.emplace_back(block.data() + begin, text.size());
    m_slots[i] = {static_cast<std::uint32_t>(hash), id};
    if (m_texts.size() * 2 > m_slots.size())
        grow();
    return StringId{id};
}

void StringTable::grow()
{
    m_slots.assign(m_slots.size() * 2, Slot{});
    const std::size_t mask = m_slots.size() - 1;
    for (std::uint32_t id = 0; id < m_texts.size(); ++id) {
        const std::uint64_t hash = hashOf(m_texts[id]);
        std::size_t i = (hash >> 20) & mask;
        while (m_slots[i].id != StringId::noneValue)
            i = (i + 1) & mask;
        m_slots[i] = {static_cast<std::uint32_t>(hash), id};
    }
}

StringId StringTable::find(std::string_view text) const
{
    return StringId{m_slots[slotOf(text, hashOf(text))].id};
}

std::string_view StringTable::view(StringId id) const
{
    return id ? m_texts[id.value] : std::string_view();
}

StringTable StringTable::clone() const
{
    StringTable copy;
    copy.merge(*this);
    return copy;
}

std::vector<StringId> StringTable::merge(const StringTable& other)
{
    std::vector<StringId> ids;
    ids.reserve(other.size());
    for (const std::string_view text : other.m_texts)
        ids.push_back(intern(text));
    return ids;
}

} // namespace collscope
