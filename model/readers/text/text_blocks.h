// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Splits a trace's text into blocks that end between two events, so that each can be parsed separately.

#include "model/readers/byte_source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Text in reused memory, with writable margins on both sides for the use of a parser.
class TextBlock
{
public:
    static constexpr std::size_t frontMargin = 1;
    static constexpr std::size_t backMargin = 128;

    char* text() { return m_memory.data() + frontMargin; }
    std::size_t size() const { return m_size; }
    std::string_view view() const { return {m_memory.data() + frontMargin, m_size}; }
    std::uint64_t offset() const { return m_offset; } ///< of the text in the inflated file
    bool isLast() const { return m_isLast; }

private:
    friend class TextBlockReader;
    std::vector<char> m_memory;
    std::size_t m_size = 0;
    std::uint64_t m_offset = 0;
    bool m_isLast = false;
};

/// Cuts a byte source into blocks between two events. It only looks at the text around the cut, so a cut may
/// be wrong (objects in a list inside an event, text that looks like events inside a string): the parser of a
/// block detects this and treats the next block as its continuation.
class TextBlockReader
{
public:
    explicit TextBlockReader(ByteSource& source, std::size_t blockBytes = std::size_t{64} * 1024)
        : m_source(source)
        , m_blockBytes(blockBytes)
    { }

    /// Fills the block with the text that follows the last one; the last block of the file may be empty.
    void next(TextBlock& block);

private:
    ByteSource& m_source;
    std::size_t m_blockBytes;
    std::string m_rest; ///< already read, but after the last cut
    std::uint64_t m_offset = 0;
};

/// The last brace of a text where an event seems to start after another one; npos if there is none.
std::size_t lastEventBoundary(std::string_view text);

} // namespace collscope
