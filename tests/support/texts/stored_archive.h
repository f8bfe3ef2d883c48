// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/partial/checksum.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace collscope {

/// A ZIP archive that compresses nothing: so that changes of the input reach the XML, not its checksum.
class StoredArchive
{
public:
    void add(std::string_view path, std::string_view content)
    {
        std::string header;
        addNumber(20, 2, header); // version
        addNumber(0, 2, header); // flags
        addNumber(0, 2, header); // stored
        addNumber(0x00210000, 4, header); // 1980-01-01
        addNumber(checksumOf(content), 4, header);
        addNumber(static_cast<std::uint32_t>(content.size()), 4, header);
        addNumber(static_cast<std::uint32_t>(content.size()), 4, header);
        addNumber(static_cast<std::uint32_t>(path.size()), 2, header);
        addNumber(0, 2, header); // no extra field
        m_directory += "PK\x01\x02";
        addNumber(20, 2, m_directory);
        m_directory += header;
        addNumber(0, 2, m_directory); // no comment
        addNumber(0, 2, m_directory); // disk
        addNumber(0, 2, m_directory); // attributes
        addNumber(0, 4, m_directory);
        addNumber(static_cast<std::uint32_t>(m_files.size()), 4, m_directory);
        m_directory += path;
        m_files += "PK\x03\x04" + header;
        m_files += path;
        m_files += content;
        ++m_count;
    }
    std::string bytes() const
    {
        std::string text = m_files + m_directory + "PK\x05\x06";
        addNumber(0, 4, text); // disks
        addNumber(m_count, 2, text);
        addNumber(m_count, 2, text);
        addNumber(static_cast<std::uint32_t>(m_directory.size()), 4, text);
        addNumber(static_cast<std::uint32_t>(m_files.size()), 4, text);
        addNumber(0, 2, text); // no comment
        return text;
    }

private:
    static void addNumber(std::uint32_t value, int bytes, std::string& text)
    {
        for (int i = 0; i < bytes; ++i)
            text += static_cast<char>((value >> (8 * i)) & 0xFFu);
    }

    std::string m_files, m_directory;
    std::uint32_t m_count = 0;
};

} // namespace collscope
