// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A metric's result in words: its meaning, how and from what it was computed, and other tools' values.

#include "metrics/core/metric.h"

#include <QPalette>
#include <QString>

namespace collscope {

/// Rich text for the panel. Details nested deeper than two levels and lists of more than a dozen entries are
/// truncated, with a reference to the JSON.
QString metricExplanation(const MetricRequest& request, const MetricResult& result, const QPalette& palette);

} // namespace collscope
