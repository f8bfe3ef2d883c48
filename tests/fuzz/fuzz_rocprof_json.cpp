// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/reader_target.h"

namespace collscope {

extern const ReaderDescriptor rocprofReader;

} // namespace collscope

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return collscope::readBytes(collscope::rocprofReader, "1_results.json", {data, size});
}
