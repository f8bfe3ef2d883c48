// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/reader.h"
#include "tests/fuzz/reader_target.h"

namespace collscope {

extern const ReaderDescriptor nsysJsonReader;

} // namespace collscope

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return collscope::readBytes(collscope::nsysJsonReader, "nsys_0.jsonl", {data, size});
}
