// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The verdict on a job that hung, as text for a terminal and the clipboard.

#include "metrics/hang/hang_verdict.h"

namespace collscope {

/// At most 40 lines.
std::string hangText(const HangVerdict& verdict);

} // namespace collscope
