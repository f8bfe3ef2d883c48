// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the files that come with the program are.

#include <QString>

namespace collscope {

/// The folder `name` of the resources ("demo"): beside the installed binary (../share/collscope), else the
/// source tree's. Empty if there is none. COLLSCOPE_RESOURCES overrides both.
QString resourceFolder(const QString& name);

} // namespace collscope
