// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Repairs hand-written YAML: 14 of 256 published workload cards are not valid, most often because an unquoted
// value contains ": ".

#include "model/diagnostics.h"
#include "model/result.h"

#include <string>
#include <string_view>

namespace collscope {

/// Returns the text itself if it can be parsed; otherwise, with the lines at which the parser stops put in
/// quotation marks or, failing that, removed (both reported in `problems`). Error Format if that does not
/// help either.
Result<std::string> repairedYaml(const std::string& text, const std::string& file, Diagnostics& problems);

} // namespace collscope
