// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stacks of a Python process, as "py-spy dump" prints them (print_traces in src/dump.rs).

#include "model/hang/hang_evidence.h"

#include <optional>
#include <string_view>

namespace collscope {

/// The threads of the first process in the text; nullopt without a process that has a thread. Lines of other
/// kinds are skipped: local variables (--locals), a command above the dump, the processes that follow
/// (--subprocesses). The caller sets source, file and rank. A frame without a line, as native ones are, has
/// 0.
std::optional<PythonStacks> pythonStacksOf(std::string_view text);

} // namespace collscope
