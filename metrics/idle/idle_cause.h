// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The names of CPU events that show why a GPU was idle (IdleCause).
// See idle-causes.md.

#include "model/name_table.h"
#include "model/partition_summary.h"
#include "model/trace_model.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace collscope {

/// Number of causes that names show.
constexpr std::size_t namedCauseCount = static_cast<std::size_t>(IdleCause::CopiesFromHost) + 1;
/// "synchronises", "allocates", ...: the words of the JSON.
std::string_view idleCauseName(IdleCause cause);
/// As the end of a sentence: "the CPU waits for the GPU".
std::string_view idleCauseText(IdleCause cause);

/// Whether GpuGap::name is the GPU event after the gap: nothing on the CPU is to blame.
bool blamesNextEvent(IdleCause cause);

/// The meaning of a CPU event for the idle time of a GPU.
enum class NameMeaning : std::uint8_t
{
    Unseen, ///< not examined yet
    Work, ///< recorded activity without a special meaning
    Annotation, ///< a label around other events: shows no activity by itself
    Waits, ///< for something other than the GPU: another thread, a time, a file
    CopyCall, ///< a copy that does not block by its name: its direction decides
    ReadsBack, ///< waits for the GPU if its tensor is there, which a call inside it shows
    FirstCall, ///< compiles if it is the first call of its name and later ones are much shorter
    Cause ///< Cause + n: the IdleCause n
};
/// The cause of a meaning that is one.
constexpr bool isCause(NameMeaning meaning)
{
    return meaning >= NameMeaning::Cause;
}
constexpr IdleCause causeOf(NameMeaning meaning)
{
    return static_cast<IdleCause>(static_cast<unsigned>(meaning) - static_cast<unsigned>(NameMeaning::Cause));
}
constexpr NameMeaning meaningOf(IdleCause cause)
{
    return static_cast<NameMeaning>(static_cast<unsigned>(NameMeaning::Cause) + static_cast<unsigned>(cause));
}

/// Looks up the meaning of names, each only once.
class CauseNames
{
public:
    explicit CauseNames(const TraceModel& model)
        : m_model(model)
    { }
    /// The meaning of a slice on a CPU thread.
    NameMeaning of(SliceCategory category, StringId name);

private:
    const TraceModel& m_model;
    NameTable<NameMeaning> m_meanings{NameMeaning::Unseen};
};

} // namespace collscope
