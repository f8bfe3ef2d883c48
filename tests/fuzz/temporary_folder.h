// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Real files for what only reads files.

#include <cstdint>
#include <span>
#include <string>

namespace collscope {

/// One folder per process, removed at its end. A real one, because SQLite does not open anonymous files.
class TemporaryFolder
{
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return m_path; }
    std::string file(const std::string& name) const { return m_path + "/" + name; }
    /// Removes what is in it.
    void clear() const;

private:
    std::string m_path;
};

void writeBytes(const std::string& path, std::span<const std::uint8_t> bytes);

} // namespace collscope
