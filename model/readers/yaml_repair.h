// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Makes hand-written YAML parse: 14 of 256 published workload cards are not valid, most often because a value
// without quotation marks holds ": ".

#include "model/diagnostics.h"
#include "model/result.h"

#include <string>
#include <string_view>

namespace collscope {

/// The text itself if it parses; else with the lines a parser stops at put in quotation marks or, failing
/// that, left out (both said in `problems`). Error Format if that does not help either.
Result<std::string> repairedYaml(const std::string& text, const std::string& file, Diagnostics& problems);

} // namespace collscope
