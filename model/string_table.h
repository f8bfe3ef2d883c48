// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Interned strings: each distinct text is stored once, under a StringId that stays valid for the lifetime of
// the table.

#include "model/ids.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Append-only while a trace is built, const afterwards. Id 0 is "". Open addressing, without a heap object
/// per lookup.
class StringTable
{
public:
    StringTable();
    StringTable(const StringTable&) = delete; ///< a copy's views would point into the original
    StringTable& operator=(const StringTable&) = delete;
    StringTable(StringTable&&) = default;
    StringTable& operator=(StringTable&&) = default;

    StringId intern(std::string_view text);
    /// The id of a text that is already in the table, else none.
    StringId find(std::string_view text) const;
    std::string_view view(StringId id) const;
    std::size_t size() const { return m_texts.size(); }

    /// Returns a separate table with the same ids.
    StringTable clone() const;
    /// Interns all strings of `other`. Element i of the result is the id here of id i there.
    std::vector<StringId> merge(const StringTable& other);

private:
    struct Slot
    {
        std::uint32_t hash = 0;
        std::uint32_t id = StringId::noneValue;
    };
    static std::uint64_t hashOf(std::string_view text);
    std::size_t slotOf(std::string_view text, std::uint64_t hash) const;
    void grow();

    std::vector<Slot> m_slots;
    std::vector<std::string_view> m_texts;
    std::deque<std::string> m_blocks; ///< arena; a block never moves, so the views stay valid
    std::size_t m_blockFree = 0;
};

} // namespace collscope
