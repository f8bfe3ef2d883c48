// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Each reader of hardware records gets every input, whether it would take it or not.

#include "tests/fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace collscope;
    for (const ReaderDescriptor* const reader : allReaders()) {
        if (reader->kind == SourceKind::HardwareSamples || reader->kind == SourceKind::SystemLog)
            readBytes(*reader, "gpus.txt", {data, size});
    }
    return 0;
}
