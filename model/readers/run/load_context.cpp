// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/load_context.h"

#include <limits>

namespace collscope {

std::uint64_t MemoryLimit::left() const
{
    return bytes == 0 ? std::numeric_limits<std::uint64_t>::max() : bytes - std::min(bytes, inUse());
}

} // namespace collscope
