// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/reader_target.h"

#include "model/readers/byte_source.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/temporary_folder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace collscope {

int readBytes(SourceKind kind, const char* fileName, std::span<const std::uint8_t> bytes)
{
    return readBytes(readerOf(kind), fileName, bytes);
}

int readBytes(const ReaderDescriptor& reader, const char* fileName, std::span<const std::uint8_t> bytes)
{
    static const TemporaryFolder folder;
    const std::string path = folder.file(fileName);
    writeBytes(path, bytes);
    readFileAt(reader, path);
    return 0;
}

void readFileAt(const ReaderDescriptor& reader, const std::string& path)
{
    const Budget budget(std::filesystem::file_size(path));
    auto fragment = fragmentAt(reader, path);
    if (!fragment)
        return;
    std::vector<TraceFragment> fragments;
    fragments.push_back(std::move(*fragment));
    assemble(std::move(fragments), Diagnostics(), {{path}, {}});
}

Result<TraceFragment> fragmentAt(const ReaderDescriptor& reader, const std::string& path)
{
    const std::uint64_t size = std::filesystem::file_size(path);
    reader.sniff(std::filesystem::path(path).filename().string(), *readHead(path, 65536));
    auto fragment = reader.read({path, size, -1, std::nullopt}, ReadContext());
    if (!fragment)
        return fragment;
    const SourceInfo& source = fragment->source;
    if (source.eventsInFile != source.shown + source.excluded) {
        std::fprintf(stderr, "%s: %llu events, but %llu shown and %llu excluded\n", path.c_str(),
                     static_cast<unsigned long long>(source.eventsInFile),
                     static_cast<unsigned long long>(source.shown),
                     static_cast<unsigned long long>(source.excluded));
        std::abort();
    }
    return fragment;
}

} // namespace collscope
