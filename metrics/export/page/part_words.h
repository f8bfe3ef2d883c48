// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the parts of the time are called on a page. What is not known is not written as 0.

#include "metrics/findings/finding.h"

#include <string>

namespace collscope {

/// partLabelOf(), but for communication: a metric and the columns of kernels count the waits in it, and the
/// part does not where they are known.
std::string partWords(Part part, const Findings& findings);
/// "21.4 %"; of a whole of 0: "0.0 %".
std::string partPercentText(std::int64_t ns, std::int64_t wholeNs);
/// "computing 9.1 ms (47.0 %)". `parts`: as below.
std::string partText(Part part, const PartTimes& parts, const Findings& findings);
/// "computing 9.1 ms (47.0 %), ..., waiting for other ranks unknown". `parts`: of the findings, or of one
/// step in them.
std::string partsSentence(const PartTimes& parts, const Findings& findings);

} // namespace collscope
