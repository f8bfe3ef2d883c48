// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A metric's result in words: what it means, how it was worked out, from what, and what other tools print.

#include "metrics/metric.h"

#include <QPalette>
#include <QString>

namespace collscope {

/// Rich text for the panel. Details deeper than two levels, and lists of more than a dozen entries, are cut
/// short and point to the JSON.
QString metricExplanation(const MetricRequest& request, const MetricResult& result, const QPalette& palette);

} // namespace collscope
