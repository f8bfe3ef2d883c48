// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace collscope {

/// Lets the program open as many files at once as the system allows it, instead of the usual 1024: a merge
/// keeps the part of each task open.
void allowManyOpenFiles();

} // namespace collscope
