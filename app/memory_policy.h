// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the program asks of the allocator.

namespace collscope {

/// Columns grow by doubling. By default glibc keeps ever larger freed blocks for reuse, where the next,
/// larger one does not fit: a third of the memory of a load would be holes. Large blocks go back to the
/// system instead.
void giveFreedMemoryBack();

} // namespace collscope
