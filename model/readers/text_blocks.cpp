// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text_blocks.h"

#include "model/readers/json_blanks.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace collscope {

namespace {

constexpr std::array<std::string_view, 12> eventKeys{"ph",  "name", "cat", "ts", "pid", "tid",
                                                     "dur", "args", "id",  "bp", "s",   "tts"};
/// A text without a boundary for so long is handed on uncut.
constexpr std::size_t uncutBlocks = 16;

/// Index of the last character before `at` that is no blank; npos if there is none.
std::size_t beforeBlanks(std::string_view text, std::size_t at)
{
    while (at > 0 && isJsonBlank(text[at - 1]))
        --at;
    return at == 0 ? std::string_view::npos : at - 1;
}

} // namespace

bool isEventKey(std::string_view key)
{
    return std::find(eventKeys.begin(), eventKeys.end(), key) != eventKeys.end();
}

bool isEventBoundary(std::string_view text, std::size_t brace)
{
    const std::size_t comma = beforeBlanks(text, brace);
    if (comma == std::string_view::npos || text[comma] != ',')
        return false;
    const std::size_t closing = beforeBlanks(text, comma);
    if (closing == std::string_view::npos || text[closing] != '}')
        return false;
    const std::size_t quote = afterBlanks(text, brace + 1);
    if (quote >= text.size() || text[quote] != '"')
        return false;
    const std::string_view key = text.substr(quote + 1, 5);
    return std::any_of(eventKeys.begin(), eventKeys.end(), [&](std::string_view name) {
        return key.starts_with(name) && key.substr(name.size()).starts_with('"');
    });
}

std::size_t lastEventBoundary(std::string_view text)
{
    std::size_t brace = text.rfind('{');
    while (brace != std::string_view::npos && !isEventBoundary(text, brace))
        brace = brace == 0 ? std::string_view::npos : text.rfind('{', brace - 1);
    return brace;
}

void TextBlockReader::next(TextBlock& block)
{
    std::size_t size = m_rest.size();
    block.m_offset = m_offset;
    block.m_isLast = false;
    for (std::size_t pieces = 1;; ++pieces) {
        const std::size_t room = TextBlock::frontMargin + size + m_blockBytes + TextBlock::backMargin;
        if (block.m_memory.size() < room)
            block.m_memory.resize(room + m_blockBytes / 8);
        if (pieces == 1 && size > 0)
            std::memcpy(block.text(), m_rest.data(), size);
        const std::size_t got = m_source.read({block.text() + size, m_blockBytes});
        size += got;
        block.m_size = size;
        block.m_isLast = got < m_blockBytes;
        const std::size_t cut
            = block.m_isLast ? std::string_view::npos : lastEventBoundary({block.text(), size});
        if (cut != std::string_view::npos)
            block.m_size = cut;
        if (cut != std::string_view::npos || block.m_isLast || pieces == uncutBlocks)
            break;
    }
    m_rest.assign(block.text() + block.m_size, size - block.m_size);
    m_offset += block.m_size;
}

} // namespace collscope
