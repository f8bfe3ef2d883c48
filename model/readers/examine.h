// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Every value of every file of a run, read to see what is damaged: the ledger of --doctor, and clean copies.

#include "model/readers/load_trace.h"

namespace collscope {

/// What became of the events of a file, and why.
struct ExaminedFile
{
    std::string path;
    const ReaderDescriptor* reader = nullptr; ///< nullptr: of no known format, or set aside
    std::string format; ///< in words; empty: of no known format, or set aside
    bool isRead = false; ///< false: no event of it is counted; a finding says why
    std::uint64_t eventsInFile = 0, shown = 0,
                  excluded = 0; ///< of the file by itself, whatever other ranks hold
    std::vector<Diagnostic> findings;
    /// Events = shown + excluded, and each excluded one is under a finding.
    bool isConserved() const;
    /// Strict readers refuse the file or alter it; writeCleanCopy() makes one that they take.
    bool isDamaged() const;
};

struct Examination
{
    std::vector<ExaminedFile> files; ///< those of the plan, then others that a finding names
    std::vector<Diagnostic> findings; ///< about the run, or a folder of it
    bool isConserved() const;
    /// Whether there is more than what describes a run (card, configuration, number of GPUs).
    bool isReadable() const;
};

/// Reads all files of a plan. Of Kineto files no event is kept, of others each file's until it is counted.
/// Error Cancelled only: a file that cannot be read, or needs more memory than the context allows, is a
/// finding.
Result<Examination> examine(const LoadPlan& plan, const LoadContext& context);

/// Adds what only the loaded run shows (`problems` of `run`: ranks that are missing, clocks, steps, files
/// that do not belong together), unless it is known already, and which ranks lack an execution trace. Mere
/// information only if `all`. Counts of events stay those of each file by itself.
void addRunFindings(Examination& examination, const TraceModel& run, bool all);

/// What was left out of a copy.
struct CleanCopy
{
    std::uint64_t events = 0; ///< written
    std::uint64_t leftOut = 0; ///< could not be made valid
};
/// Writes a valid copy of a damaged Kineto file piece by piece: sound events as they stand, repaired ones
/// repaired, the members of the document behind them. Error if the file cannot be read, needs more memory
/// than there may be, or `write` says no.
Result<CleanCopy> writeCleanCopy(const SourceFile& file, const ReadContext& context,
                                 const MemoryLimit& memory,
                                 const std::function<bool(std::string_view text)>& write);

} // namespace collscope
