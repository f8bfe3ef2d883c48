// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The operators whose work is known.

#include "metrics/operators/operator_work.h"

namespace collscope {

/// nullopt for an operator whose work does not follow from its inputs, or is not known here.
std::optional<OperatorWork> operatorWork(std::string_view name, const OperatorInputs& inputs);

} // namespace collscope
