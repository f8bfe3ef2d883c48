// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Splits a text into blocks of whole lines, with room behind each block for a parser that reads beyond it.

#include "model/readers/byte_source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

struct LineBlock
{
    static constexpr std::size_t margin = 128; ///< writable bytes behind the text
    std::vector<char> memory;
    std::size_t size = 0; ///< of the text
    std::uint64_t offset = 0; ///< of the text in the inflated file
    std::uint64_t diskBytes = 0; ///< read from the disk up to the end of the block
    std::uint64_t skipped = 0; ///< bytes of a line that is too long, before the text
    bool isLast = false;

    std::string_view view() const { return {memory.data(), size}; }
};

class LineBlockReader
{
public:
    explicit LineBlockReader(ByteSource& source)
        : m_source(source)
    { }
    /// Fills the block with the lines that follow the last one. The last block of the file may be empty, and
    /// may end within a line.
    void next(LineBlock& block);

private:
    static constexpr std::size_t blockBytes = std::size_t{256} * 1024;
    /// No line of a writer is longer. Such a line is skipped: it would have to be kept as a whole.
    static constexpr std::size_t longestLine = std::size_t{4} << 20;

    ByteSource& m_source;
    std::string m_rest; ///< read already: a line that has not ended
    std::uint64_t m_offset = 0;
    bool m_skipsLine = false;
};

} // namespace collscope
