// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Text -> file -> reader, for tests that write their trace down where they check it.

#include "model/readers/run/load_trace.h"

#include <string>
#include <string_view>

namespace collscope {

/// The fragment that the Kineto reader makes of this content. `name` decides nothing but the sniffing
/// tie-break.
Result<TraceFragment> readKineto(std::string_view content, const std::string& name = "trace.json");
/// Plans and loads a file or folder with one thread.
Result<TraceModelPtr> loadPath(const std::string& path, const LoadOptions& options = {});
/// The first problem with this code, nullptr if there is none.
const Diagnostic* findProblem(const Diagnostics& problems, std::string_view code);

} // namespace collscope
