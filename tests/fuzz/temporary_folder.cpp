// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace collscope {

TemporaryFolder::TemporaryFolder()
{
    // In memory where that is possible: libFuzzer writes thousands of files a second.
    std::error_code ignored;
    const std::filesystem::path memory("/dev/shm");
    const bool isInMemory = !std::getenv("TMPDIR") && std::filesystem::is_directory(memory, ignored);
    m_path
        = ((isInMemory ? memory : std::filesystem::temp_directory_path()) / "collscope_fuzz_XXXXXX").string();
    if (!mkdtemp(m_path.data()))
        std::abort();
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

void TemporaryFolder::clear() const
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(m_path, ignored))
        std::filesystem::remove_all(entry.path(), ignored);
}

void writeBytes(const std::string& path, std::span<const std::uint8_t> bytes)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace collscope
