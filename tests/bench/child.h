// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One measurement in a process of its own, so that its peak memory is its own.

#include <QJsonObject>
#include <QStringList>

#include <cstdint>

namespace collscope::bench {

struct ChildResult
{
    double seconds = 0;
    std::uint64_t peakBytes = 0; ///< resident, of the whole process
    std::uint64_t events = 0; ///< in the files
    QString digest; ///< of the model; the same for any number of threads
};

/// Runs this program again to load `paths`; with `overlap` the time includes the overlap metric of all ranks.
/// No paths: an empty process. `simdjsonKernel`: "" or one of those this CPU has.
ChildResult measureInChild(int threads, bool overlap, const QStringList& paths,
                           const QString& simdjsonKernel = {});
/// Runs this program again with these arguments; the object that it prints.
QJsonObject answerOfChild(const QStringList& arguments, const QString& simdjsonKernel = {});
/// The most memory that was resident since the program started, and what is resident now.
std::uint64_t peakBytes();
std::uint64_t residentBytes();
/// What the child does; the exit code of its process.
int runChild(const QStringList& arguments);

} // namespace collscope::bench
