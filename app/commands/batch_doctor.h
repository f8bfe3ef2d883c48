// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "model/readers/run/examine.h"

namespace collscope {

/// Returns the exit code of the command doctor. NotConserved takes precedence over NothingReadable: counts
/// that do not add up are a bug in the program.
int doctorExitCode(const Examination& examination);

} // namespace collscope
