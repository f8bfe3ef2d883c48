// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The files of a plan, read into fragments under a limit of memory: what does not fit is refused, instead of
// the program being killed.

#include "model/readers/load_trace.h"

#include <vector>

namespace collscope {

/// One file of a plan, by its reader; an Nsight report through its export.
Result<TraceFragment> readPlanned(const PlannedFile& planned, const ReadContext& context);

class FileReading
{
public:
    enum class ParallelismKind
    {
        Load,
        Examine ///< every value is checked, and no event kept where a reader can do that
    };
    FileReading(const LoadPlan& plan, const LoadContext& context,
                ParallelismKind parallelismKind = ParallelismKind::Load);

    /// Reads one file, unless the user cancelled. Several may be read at once, each once.
    void read(std::size_t file, const Parallel& parallel,
              const std::function<void(TraceFragment&&)>& firstLook = nullptr);
    /// Files that were refused while others took the memory are read alone, if they fit now.
    /// `done` is told of each.
    void readRefusedAgain(const std::function<void(std::size_t file)>& done = [](std::size_t) {});

    /// What was read of a file; nullptr, or an Error, if nothing was.
    Result<TraceFragment>* result(std::size_t file);
    /// Gives the memory of that back.
    void forget(std::size_t file) { m_parts[file].result.reset(); }
    /// True if the file did not fit in the memory.
    bool wasRefused(std::size_t file) const { return m_parts[file].refused; }
    /// A sentence about all that were refused: the need, the limit, what to do.
    std::string refusal() const;

private:
    struct Part
    {
        std::optional<Result<TraceFragment>> result;
        bool refused = false; ///< for want of memory
        double neededBytes = 0; ///< of memory, about, if it was begun and refused
    };
    bool isOverLimit(const std::function<std::uint64_t()>& inUse) const;
    /// Memory that a byte of a file on disk takes, as far as can be told from what was read; 0 = unknown.
    double memoryPerByte() const;

    const LoadPlan& m_plan;
    const LoadContext& m_context;
    ParallelismKind m_parallelismKind;
    std::vector<Part> m_parts;
    std::uint64_t m_inUseBefore; ///< memory, when the load began
};

} // namespace collscope
