// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes every output file of the program: completely or not at all, whatever fails.

#include "model/result.h"

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace collscope {

/// A file that is written piece by piece under a temporary name in the same folder, synced to disk, then
/// renamed. The previous file is kept until then, and also if anything fails or commit() is not called. If
/// the path is a link, its target is replaced, not the link. Devices and pipes (/dev/stdout) are written
/// directly. An input or a trace is never replaced (app/files/protected_files.h).
class WholeFile
{
public:
    /// `path`: any bytes.
    explicit WholeFile(std::string path, bool executable = false);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    /// Returns false if the piece cannot be written; status() and commit() return the reason.
    bool write(std::string_view piece);
    /// Where a library that opens files by name writes the content; empty for devices and pipes, and after a
    /// failure.
    const std::string& temporaryPath() const { return m_temporary; }
    /// Returns the first failure so far.
    Status status() const;
    /// Completes the file. An error is the reason why it was not written. Call once.
    Status commit();

private:
    void open(bool executable);
    void finish();

    std::string m_path;
    std::string m_target; ///< the path with links resolved
    std::string m_temporary; ///< "": the target itself is open
    mode_t m_mode = 0;
    int m_file = -1;
    int m_error = 0; ///< the first that occurred
    Status m_replaceable; ///< an error: the file must not be replaced
};

/// Writes a whole file of the pieces that `content` passes to its argument until that returns false.
Status writeWholeFile(const std::string& path,
                      const std::function<void(const std::function<bool(std::string_view)>& take)>& content);
/// Writes a whole file in one call.
Status writeWholeFile(const std::string& path, std::string_view content, bool executable = false);

} // namespace collscope
