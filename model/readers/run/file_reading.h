// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads the files of a plan into fragments under a memory limit: a file that does not fit is refused, so that
// the system does not kill the program.

#include "model/readers/run/load_context.h"
#include "model/readers/run/load_plan.h"

#include <vector>

namespace collscope {

/// Reads one file of a plan with its reader; an Nsight report is read through its export.
Result<TraceFragment> readPlanned(const PlannedFile& planned, const ReadContext& context);

class FileReading
{
public:
    enum class ParallelismKind
    {
        Load,
        Examine ///< every value is checked, and events are not kept if the reader supports that
    };
    FileReading(const LoadPlan& plan, const LoadContext& context,
                ParallelismKind parallelismKind = ParallelismKind::Load);

    /// Reads one file, unless the user cancelled. Several files may be read in parallel, each of them once.
    void read(std::size_t file, const Parallel& parallel,
              const std::function<void(TraceFragment&&)>& firstLook = nullptr);
    /// Reads files that were refused while others used the memory again, one by one, if they fit now. `done`
    /// is called for each.
    void readRefusedAgain(const std::function<void(std::size_t file)>& done = [](std::size_t) {});

    /// The result of reading a file, which may be an Error; nullptr if it was not read.
    Result<TraceFragment>* result(std::size_t file);
    /// Frees the memory of that result.
    void forget(std::size_t file) { m_parts[file].result.reset(); }
    /// Whether the file did not fit into memory.
    bool wasRefused(std::size_t file) const { return m_parts[file].refused; }
    /// A sentence about all refused files: memory needed, limit and remedy.
    std::string refusal() const;

private:
    struct Part
    {
        std::optional<Result<TraceFragment>> result;
        bool refused = false; ///< because memory is insufficient
        double neededBytes = 0; ///< approximate memory need, if reading was started and then refused
    };
    bool isOverLimit(const std::function<std::uint64_t()>& inUse) const;
    /// Memory needed per byte of a file on disk, estimated from the files read so far; 0 = unknown.
    double memoryPerByte() const;

    const LoadPlan& m_plan;
    const LoadContext& m_context;
    ParallelismKind m_parallelismKind;
    std::vector<Part> m_parts;
    std::uint64_t m_inUseBefore; ///< memory in use at the start of the load
};

} // namespace collscope
