// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Puts together what the files say of a job that hung.

#include "model/diagnostics.h"
#include "model/hang/hang_evidence.h"

namespace collscope {

/// Sorts the evidence. Of several dumps of a rank, the one whose calls are the latest is kept; dumps whose
/// rank is not known are left out. Both are reported.
void settleHang(HangEvidence& evidence, const std::vector<std::string>& paths, Diagnostics& problems);

} // namespace collscope
