// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The NCCL Inspector's Prometheus text: plugins/profiler/inspector/inspector_prom.cc of NVIDIA/nccl.

#include "model/building/fragment.h"

#include <string_view>

namespace collscope {

/// Whether the text seems to contain samples of the Inspector.
bool holdsInspectorMetrics(std::string_view text);
/// Adds the samples of a text to the fragment's history, and counts its lines as events.
void readInspectorMetrics(std::string_view text, TraceFragment& fragment);

} // namespace collscope
