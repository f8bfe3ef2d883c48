// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the files that come with the program are.

#include <QString>

namespace collscope {

/// The folder `name` of the resources ("demo"), beside the binary in ../share/collscope. Empty if there is
/// none. COLLSCOPE_RESOURCES stands over that.
QString resourceFolder(const QString& name);

/// What to start to get this program again: the wrapper of the relocatable package, which says so in
/// COLLSCOPE_PROGRAM, else the binary.
QString programFile();

} // namespace collscope
