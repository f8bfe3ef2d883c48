// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The verdict on a job that hung as JSON, schema collscope.hang/1.

#include "metrics/core/value.h"
#include "metrics/hang/hang_verdict.h"
#include "model/diagnostics.h"

namespace collscope {

/// "yes", "no", "unproven".
std::string_view hangName(HangVerdict::Hang hang);
Value hangValue(const HangVerdict& verdict, const Diagnostics& problems);

} // namespace collscope
