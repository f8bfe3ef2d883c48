// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/reader_target.h"

#include "model/readers/byte_source.h"
#include "model/readers/reader.h"
#include "tests/fuzz/temporary_folder.h"

#include <cstdio>
#include <cstdlib>

namespace collscope {

int readBytes(SourceKind kind, const char* fileName, std::span<const std::uint8_t> bytes)
{
    static const TemporaryFolder folder;
    const std::string path = folder.file(fileName);
    writeBytes(path, bytes);
    const ReaderDescriptor& reader = readerOf(kind);
    reader.sniff(fileName, *readHead(path, 65536));
    auto fragment = reader.read({path, bytes.size(), -1, std::nullopt}, ReadContext());
    if (!fragment)
        return 0;
    const SourceInfo& source = fragment->source;
    if (source.eventsInFile != source.shown + source.excluded) {
        std::fprintf(stderr, "%s: %llu events, but %llu shown and %llu excluded\n", fileName,
                     static_cast<unsigned long long>(source.eventsInFile),
                     static_cast<unsigned long long>(source.shown),
                     static_cast<unsigned long long>(source.excluded));
        std::abort();
    }
    std::vector<TraceFragment> fragments;
    fragments.push_back(std::move(*fragment));
    assemble(std::move(fragments), Diagnostics(), {{path}, {}});
    return 0;
}

} // namespace collscope
