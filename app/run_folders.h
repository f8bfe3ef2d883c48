// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Which folders of a folder are runs of their own.

#include <QString>
#include <QStringList>

namespace collscope {

/// The run directories that a folder stands for: the folder itself if it holds the files or the parts of one
/// run (traces, a card, profile_trace/, iteration_*/, rank*/, torch_profiler/), else its sub-folders.
QStringList runFolders(const QString& folder);

} // namespace collscope
