// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>

namespace collscope {

/// A trace with all that traces hold: strings with escapes, nested args, counters, metadata, flows, lists.
std::string sampleTrace(int rank, int events);

} // namespace collscope
