// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Session files: whatever is in them, what is understood is written and read again the same.

#include "app/parts/session.h"
#include "tests/fuzz/reader_target.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const QByteArray text(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    const auto session = collscope::readSession(text);
    if (!session)
        return 0;
    const auto again = collscope::readSession(collscope::sessionJson(*session));
    if (!again || collscope::sessionJson(*again) != collscope::sessionJson(*session))
        std::abort();
    return 0;
}
