// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/looks/shades.h"
#include "metrics/network/node_matrix.h"

namespace collscope {

/// Cool for the fast ways between GPUs, warm for those through the host, red for sockets.
constexpr Shade linkShade(LinkKind kind)
{
    constexpr Shade shades[linkKindCount]{{0xff4f9b8b, 0xff5db3a1},
                                          {0xff3f6fb5, 0xff5b8fd9},
                                          {0xffe3c069, 0xffb99a4a},
                                          {0xffd9923f, 0xffd08f45},
                                          {0xffc0392f, 0xffe8697a}};
    return shades[static_cast<std::size_t>(kind)];
}

} // namespace collscope
