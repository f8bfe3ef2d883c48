// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The verdict on a job that hung: who did not go on, what that rests on, how far each rank was.

#include "metrics/export/page/html_writer.h"
#include "metrics/hang/hang_case.h"

namespace collscope {

/// Sections for the findings and the proofs, the grids of the groups in which ranks wait, and who waits for
/// whom.
void writeHang(HtmlWriter& html, const HangCase& own);

} // namespace collscope
