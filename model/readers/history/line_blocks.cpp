// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/history/line_blocks.h"

#include <algorithm>
#include <cstring>

namespace collscope {

void LineBlockReader::next(LineBlock& block)
{
    std::size_t size = m_rest.size();
    block.skipped = 0;
    block.isLast = false;
    block.offset = m_offset;
    block.memory.resize(std::max(block.memory.size(), size + blockBytes + LineBlock::margin));
    if (size > 0)
        std::memcpy(block.memory.data(), m_rest.data(), size);
    m_rest.clear();
    while (true) {
        block.memory.resize(std::max(block.memory.size(), size + blockBytes + LineBlock::margin));
        const std::size_t got = m_source.read({block.memory.data() + size, blockBytes});
        block.isLast = got < blockBytes;
        size += got;
        if (m_skipsLine) {
            const char* const end = static_cast<const char*>(std::memchr(block.memory.data(), '\n', size));
            const std::size_t gone
                = end == nullptr ? size : static_cast<std::size_t>(end - block.memory.data()) + 1;
            block.skipped += gone;
            block.offset += gone;
            std::memmove(block.memory.data(), block.memory.data() + gone, size - gone);
            size -= gone;
            m_skipsLine = end == nullptr && !block.isLast;
            if (m_skipsLine)
                continue;
        }
        const std::size_t lastEnd = std::string_view(block.memory.data(), size).rfind('\n');
        if (block.isLast || lastEnd != std::string_view::npos) {
            block.size = block.isLast ? size : lastEnd + 1;
            break;
        }
        if (size > longestLine) {
            block.skipped += size;
            block.offset += size;
            size = 0;
            m_skipsLine = true;
        }
    }
    m_rest.assign(block.memory.data() + block.size, size - block.size);
    m_offset = block.offset + block.size;
    block.diskBytes = m_source.diskBytesRead();
}

} // namespace collscope
