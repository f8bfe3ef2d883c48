// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The contract of a format reader. One format = one file = one ReaderDescriptor in the catalogue
// (CMakeLists.txt).

#include "model/fragment.h"
#include "model/parallel.h"
#include "model/partial/part_file.h"
#include "model/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace collscope {

/// A file chosen for loading.
struct SourceFile
{
    std::string path;
    std::uint64_t bytes = 0; ///< on disk
    std::int64_t iteration = -1;
    std::optional<std::int32_t> nameRank; ///< rank that the file or folder name says
    std::optional<std::int32_t> chosenRank = {}; ///< rank that a person says: it outweighs name and content
    std::string process = {}; ///< who wrote it, as its name says: files of one process are of one rank
    std::optional<PartLocation> part = {}; ///< of a reduced run: what a task kept of the file, and where
};

/// The only way a reader talks to the world: no dialogs, no logging, no globals. Callbacks may be called from
/// any thread.
struct ReadContext
{
    std::function<void(std::uint64_t doneBytes)> progress
        = [](std::uint64_t) {}; ///< bytes of the file on disk read so far
    /// The share of a file's bytes to report when it is read: the rest is for sorting and linking.
    static constexpr double readShare = 0.9;
    /// Polled about every MiB, by one thread at a time: the user cancelled, or there is no memory for more.
    std::function<bool()> cancelled = [] { return false; };
    /// Bytes of memory that the process may still take: asked before memory is taken that a file merely says
    /// it needs.
    std::function<std::uint64_t()> memoryLeft = [] { return std::numeric_limits<std::uint64_t>::max(); };
    /// The user cancelled; from any thread at any time, for a library that works on its own.
    std::function<bool()> interrupted = [] { return false; };
    /// If set: a reader of a large file gives what it has read early on, once, for a first look.
    std::function<void(TraceFragment&&)> firstLook;
    Parallel parallel; ///< for the parts of one file
    /// Check every value, also those that no view needs: slower, and the same model.
    bool isThorough = false;
    /// False: only what becomes of each event is asked for. A reader of large files keeps none of them then.
    bool keepsEvents = true;
    /// If set, with isThorough: given each event of a Kineto list as valid JSON, in the order of the file.
    std::function<void(std::string_view json)> eventText;
    std::string
        cacheFolder; ///< where converted files may go, and are looked for (nsys export); empty = nowhere
    bool exportsReports = false; ///< the user said so: nsys may be run to export its reports
};

enum class Sniff : std::uint8_t
{
    No,
    Yes
};

struct ReaderDescriptor
{
    std::string_view id;
    std::string_view title; ///< "PyTorch profiler (Kineto) JSON"
    SourceKind kind;
    /// Decides by content; the name is only a tie-break. `head` is up to 64 KiB of the file, inflated if it
    /// is gzip.
    Sniff (*sniff)(std::string_view fileName, std::string_view head);
    /// Reads the whole file. An Error means nothing could be used; partial damage goes to fragment.problems.
    Result<TraceFragment> (*read)(const SourceFile& file, const ReadContext& context);
};

/// All formats, in sniffing order. Generated from the list in CMakeLists.txt.
std::span<const ReaderDescriptor* const> allReaders();
/// The titles of all formats that are read, for a sentence: "A, B, C".
std::string knownFormats();
/// The (first) format of that kind.
const ReaderDescriptor& readerOf(SourceKind kind);

} // namespace collscope
