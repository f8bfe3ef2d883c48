// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Comparing a metric's number with one worked out by hand.

#include "metrics/core/value.h"

#include <cmath>
#include <optional>

namespace collscope {

/// Equal but for the last rounding: 1e-9 of the expected value. A 0 must be 0.
inline bool areClose(double got, double expected)
{
    return std::abs(got - expected) <= 1e-9 * std::abs(expected);
}
inline bool areClose(std::optional<double> got, double expected)
{
    return got && areClose(*got, expected);
}

} // namespace collscope

#define COLLSCOPE_CLOSE(got, expected)                                                                       \
    QVERIFY2(collscope::areClose(got, expected),                                                             \
             (collscope::numberText(got) + " is not " + collscope::numberText(expected)).c_str())
