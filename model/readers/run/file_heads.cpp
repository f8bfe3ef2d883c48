// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/file_heads.h"

#include "model/readers/byte_source.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace collscope {

namespace {

constexpr std::size_t logHeadBytes = std::size_t{1} << 20;

/// The last bytes of a file. Of a compressed one they are noise, which no format recognises.
std::string tailOf(const std::string& path, std::size_t bytes)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = std::max<std::int64_t>(file.tellg(), 0);
    const auto begin = std::max<std::int64_t>(size - static_cast<std::int64_t>(bytes), 0);
    std::string tail(static_cast<std::size_t>(size - begin), '\0');
    file.seekg(begin);
    file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
    tail.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return tail;
}

} // namespace

bool isLogName(std::string_view lowerName)
{
    static constexpr std::array<std::string_view, 4> endings{".log", ".out", ".err", ".txt"};
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return lowerName.ends_with(ending); });
}

Result<std::string> headOf(const std::string& path, std::string_view lowerName)
{
    if (!isLogName(lowerName))
        return readHead(path, headBytes);
    Result<std::string> head = readHead(path, logHeadBytes);
    if (head && head->size() == logHeadBytes)
        *head += '\n' + tailOf(path, logHeadBytes);
    return head;
}

const ReaderDescriptor* readerFor(const std::string& name, const std::string& head)
{
    const auto readers = allReaders();
    const auto found = std::find_if(readers.begin(), readers.end(), [&](const ReaderDescriptor* reader) {
        return reader->sniff(name, head) == Sniff::Yes;
    });
    return found == readers.end() ? nullptr : *found;
}

} // namespace collscope
