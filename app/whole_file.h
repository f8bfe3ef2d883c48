// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every file that the program writes: whole or not at all, whatever fails.

#include <sys/types.h>

#include <string>
#include <string_view>

namespace collscope {

/// A file that is written piece by piece under a temporary name in the same folder, brought on to the disk,
/// then renamed. What stood there before stays until then, and so it does if anything fails or commit() is
/// not called; a link's target is replaced, not the link. A device or a pipe (/dev/stdout) is written as it
/// is. An input or a trace is never replaced (app/protected_files.h).
class WholeFile
{
public:
    /// Path: any bytes.
    explicit WholeFile(std::string path, bool executable = false);
    ~WholeFile();
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    /// False if it cannot be written; commit() says why.
    bool write(std::string_view piece);
    /// "", or a sentence that says what went wrong so far.
    std::string failure() const;
    /// The answer: "", or a sentence that says why the file was not written. Call once.
    std::string commit();

private:
    void open(bool executable);
    void finish();

    std::string m_path;
    std::string m_target; ///< of a link
    std::string m_temporary; ///< "": written in place
    mode_t m_mode = 0;
    int m_file = -1;
    int m_error = 0; ///< the first that occurred
    std::string m_refusal; ///< the sentence, if the file must not be replaced
};

/// The same in one call.
std::string writeWholeFile(const std::string& path, std::string_view content, bool executable = false);

} // namespace collscope
