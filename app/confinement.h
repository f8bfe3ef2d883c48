// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a process gives up before it reads files of strangers. Should a parser be taken over by what it reads,
// it can then start no program, open no connection, and write only where outputs were named. The kernel
// enforces it: Landlock (docs.kernel.org/userspace-api/landlock.html) and seccomp
// (docs.kernel.org/userspace-api/seccomp_filter.html).
// batch.cpp calls it before a job begins.

#include <filesystem>
#include <string>
#include <vector>

namespace collscope {

struct Confinement
{
    bool files = false; ///< writing is limited to the named places
    bool calls = false; ///< programs and connections are refused
    std::string missing; ///< a sentence that says what the kernel does not do; "" = nothing
};

/// For the rest of the process; threads that are started later inherit it, so call it before there are any.
/// `writable`: files or folders, which may still be missing (then the nearest folder that exists is
/// writable). The folders of temporary files are writable too. Reading stays possible everywhere.
Confinement confine(const std::vector<std::filesystem::path>& writable);

} // namespace collscope
