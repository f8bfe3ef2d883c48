// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads every value of every file of a run to find damage: the report of --doctor, and clean copies.

#include "model/readers/run/load_trace.h"

namespace collscope {

/// How many events of a file are shown or excluded, and why.
struct ExaminedFile
{
    std::string path;
    const ReaderDescriptor* reader = nullptr; ///< nullptr: of unknown format, or set aside
    std::string format; ///< in words; empty: of unknown format, or set aside
    bool isRead = false; ///< false: its events are not counted; a finding gives the reason
    std::uint64_t eventsInFile = 0, shown = 0,
                  excluded = 0; ///< of this file alone, independent of other ranks
    std::vector<Diagnostic> findings;
    /// Whether events = shown + excluded and each excluded event is listed in a finding.
    bool isConserved() const;
    /// Whether strict readers reject or alter the file; writeCleanCopy() makes a copy that they accept.
    bool isDamaged() const;
};

struct Examination
{
    std::vector<ExaminedFile> files; ///< the files of the plan, then others that a finding names
    std::vector<Diagnostic> findings; ///< about the run or one of its folders
    bool isConserved() const;
    /// Whether at least one readable file does more than describe the run (card, configuration, number of
    /// GPUs).
    bool isReadable() const;
};

/// Reads all files of a plan. Events of Kineto files are not kept; those of other files are kept until the
/// file has been counted. Error Cancelled only: a file that cannot be read, or needs more memory than the
/// context allows, becomes a finding.
Result<Examination> examine(const LoadPlan& plan, const LoadContext& context);

/// Adds the problems that only the loaded run shows (`problems` of `run`: missing ranks, clocks, steps, files
/// that do not belong together) unless already known, and the ranks without an execution trace. Info problems
/// are added only if `all`. Event counts stay those of each file alone.
void addRunFindings(Examination& examination, const TraceModel& run, bool all);

/// The number of events in a clean copy.
struct CleanCopy
{
    std::uint64_t events = 0; ///< written
    std::uint64_t leftOut = 0; ///< not written because they could not be made valid
};
/// Writes a valid copy of a damaged Kineto file piece by piece: sound events unchanged, damaged ones
/// repaired, then the other members of the document. Error if the file cannot be read, needs more memory than
/// allowed, or `write` returns false.
Result<CleanCopy> writeCleanCopy(const SourceFile& file, const ReadContext& context,
                                 const MemoryLimit& memory,
                                 const std::function<bool(std::string_view text)>& write);

} // namespace collscope
