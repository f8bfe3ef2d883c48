// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/network/node_matrix.h"

#include <memory>

namespace collscope {

/// What the window shows of a report.
struct NetworkCase
{
    std::string headline; ///< a sentence
    std::string trouble; ///< the first one that is certain, a sentence; empty: none
    std::string text; ///< all that is known, without the headline
    NodeMatrix matrix;
};
using NetworkCasePtr = std::shared_ptr<const NetworkCase>;

} // namespace collscope
