// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/communication_call.h"

#include <array>

namespace collscope {

std::string_view parallelismKindName(ParallelismKind parallelismKind)
{
    static constexpr std::array<std::string_view, parallelismKindCount> names{"tp", "dp",     "pp",     "cp",
                                                                              "ep", "global", "unknown"};
    return names[static_cast<std::size_t>(parallelismKind)];
}

} // namespace collscope
