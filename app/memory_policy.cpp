// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/memory_policy.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace collscope {

void giveFreedMemoryBack()
{
#ifdef __GLIBC__
    constexpr int largeBlockBytes = 128 * 1024;
    mallopt(M_MMAP_THRESHOLD, largeBlockBytes);
#endif
}

} // namespace collscope
