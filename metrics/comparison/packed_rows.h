// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows of a sheet in few bytes, for a sheet that is written when what it was made from is gone.

#include "metrics/core/sheet.h"

namespace collscope {

/// Makes the rows of a stream and keeps them: a number in 9 bytes, a text in 5, with each different text
/// stored once. The result makes the same rows.
std::shared_ptr<const RowStream> packedRows(const RowStream& stream);

} // namespace collscope
