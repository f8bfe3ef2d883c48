// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runtime/open_files.h"

#include <sys/resource.h>

namespace collscope {

void allowManyOpenFiles()
{
    rlimit files = {};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    // If it fails, what needs more files says so.
    (void)::setrlimit(RLIMIT_NOFILE, &files);
}

} // namespace collscope
