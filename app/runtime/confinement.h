// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Privileges that a process drops before it reads untrusted files. If a file took over a parser, the process
// could not start programs or open connections, and could write only to the named outputs. The kernel
// enforces this: Landlock (docs.kernel.org/userspace-api/landlock.html) and seccomp
// (docs.kernel.org/userspace-api/seccomp_filter.html).
// Called by batch.cpp before a job starts.

#include "model/result.h"

#include <filesystem>
#include <vector>

namespace collscope {

struct Confinement
{
    bool files = false; ///< writing is limited to the named places
    bool calls = false; ///< starting programs and opening connections is refused
    Status status; ///< an error: what the kernel does not support
};

/// Confines the rest of the process. Threads started later inherit the restrictions, so call it before
/// starting any. `writable`: files or folders that may still be missing, in which case the nearest existing
/// folder is writable. The folders for temporary files are writable, too. Reading remains possible
/// everywhere.
Confinement confine(const std::vector<std::filesystem::path>& writable);

} // namespace collscope
