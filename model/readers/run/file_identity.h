// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Recognises the files of a plan where a task reads them: also as copies, and on mounts of object stores,
// which do not keep the times of files.

#include "model/partial/reduce_plan.h"

namespace collscope {

/// Reads the first and the last 64 KiB of a regular file. Error NotFound or Io.
Result<FileIdentity> identityOf(const std::string& path);
/// An error, with what is different, if the file at `path` is not the one that was planned.
Status checkUnchanged(const std::string& path, const FileIdentity& planned);

} // namespace collscope
