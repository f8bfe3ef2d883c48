// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files that no output of the program may replace: what it reads, and whatever it knows as a trace.

#include <string>

namespace collscope {

struct LoadPlan;

/// From now on the file at `path` is an input of this process, whatever names lead to it. From any thread.
void protectInput(const std::string& path);
/// The same of all files of a plan, also of those from which nothing can be read.
void protectInputs(const LoadPlan& plan);
/// Why an output must not be written to `path`: a sentence that names it and what it would replace. "" if it
/// may be: nothing is there, or nothing of worth.
std::string whyProtected(const std::string& path);

} // namespace collscope
