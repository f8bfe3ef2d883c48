// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/text_blocks.h"

#include "model/readers/text/event_starts.h"

#include <cstring>

namespace collscope {

namespace {

/// Text without a boundary in this many blocks is passed on uncut.
constexpr std::size_t uncutBlocks = 16;

} // namespace

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
