// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The contract of a format reader. One format = one file = one ReaderDescriptor in the catalogue
// (CMakeLists.txt).

#include "model/building/fragment.h"
#include "model/parallel.h"
#include "model/partial/part_file.h"
#include "model/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace collscope {

/// A file chosen for loading.
struct SourceFile
{
    std::string path;
    std::uint64_t bytes = 0; ///< on disk
    std::int64_t iteration = -1;
    std::optional<std::int32_t> nameRank; ///< rank stated by the file or folder name
    std::optional<std::int32_t> chosenRank = {}; ///< rank set by the user; it overrides name and content
    std::string process = {}; ///< process that wrote it, according to its name: files of one process belong
                              ///< to one rank
    std::string originalPath = {}; ///< where it lay when the run was planned, if `path` is a copy
    std::optional<PartLocation> part = {}; ///< of a reduced run: location of the data that a task kept of the
                                           ///< file
};

/// A reader's only connection to the rest of the program: no dialogs, no logging, no globals. Callbacks may
/// be called from any thread.
struct ReadContext
{
    std::function<void(std::uint64_t doneBytes)> progress
        = [](std::uint64_t) {}; ///< bytes of the file on disk read so far
    /// The share of a file's bytes to report once it is read; the rest is for sorting and linking.
    static constexpr double readShare = 0.9;
    /// Requested when the user cancels. Any thread may ask at any time, also a library that polls on its own.
    std::stop_token stop;
    /// Another reason to stop, which only asking reveals: memory is insufficient, or the output cannot be
    /// written. Called by mustStop().
    std::function<bool()> isExhausted = [] { return false; };
    /// Whether to stop reading, for either reason. Polled about every MiB, by one thread at a time.
    bool mustStop() const { return stop.stop_requested() || isExhausted(); }
    /// Bytes of memory that the process may still use; checked before allocating memory of a size that a file
    /// merely states.
    std::function<std::uint64_t()> memoryLeft = [] { return std::numeric_limits<std::uint64_t>::max(); };
    /// If set: a reader of a large file calls it early, once, with the data read so far, for a first look.
    std::function<void(TraceFragment&&)> firstLook;
    Parallel parallel; ///< for the parts of one file
    /// Check every value, including those that views do not need: slower, with the same model as result.
    bool isThorough = false;
    /// False: only the numbers of shown and excluded events are needed. A reader of large files then keeps no
    /// events.
    bool keepsEvents = true;
    /// If set, with isThorough: called with each event of a Kineto list as valid JSON, in file order.
    std::function<void(std::string_view json)> eventText;
    std::string
        cacheFolder; ///< where converted files are stored and searched for (nsys export); empty = nowhere
    bool exportsReports = false; ///< the user allowed nsys to be run to export its reports
};

enum class Sniff : std::uint8_t
{
    No,
    Yes
};

struct ReaderDescriptor
{
    std::string_view id;
    std::string_view title; ///< "Nsight Systems JSON export"
    SourceKind kind;
    /// Decides by content; the name only breaks ties. `head`: up to 64 KiB of the file (of a log
    /// its first MiB and its last), inflated if it is gzip.
    Sniff (*sniff)(std::string_view fileName, std::string_view head);
    /// Reads the entire file. An Error means that nothing could be used; partial damage is added to
    /// fragment.problems.
    Result<TraceFragment> (*read)(const SourceFile& file, const ReadContext& context);
};

/// All formats, in sniffing order. Generated from the list in CMakeLists.txt.
std::span<const ReaderDescriptor* const> allReaders();
/// The titles of all formats that are read, for use in a sentence: "A, B, C".
std::string knownFormats();
/// The (first) format of this kind.
const ReaderDescriptor& readerOf(SourceKind kind);

} // namespace collscope
