// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Colours of the uses of memory in the chart and the map of segments.

#include "views/common/palette.h"

namespace collscope {

enum class MemoryKind
{
    Reserved,
    Active, ///< freed, but possibly still in use by a stream
    Allocated
};

inline QColor memoryColor(MemoryKind kind, const QPalette& palette)
{
    constexpr std::size_t reserved = 2, active = 7, allocated = 0;
    return lineColor(kind == MemoryKind::Reserved     ? reserved
                         : kind == MemoryKind::Active ? active
                                                      : allocated,
                     palette);
}

} // namespace collscope
