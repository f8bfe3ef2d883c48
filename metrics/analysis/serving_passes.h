// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The forward passes of an inference server in a trace: which of them read the prompt and which generate.

#include "metrics/analysis/analysis.h"
#include "model/text/pass_names.h"

namespace collscope {

/// The passes of one timeline in time order, and which of them read the prompt of the first requests.
struct ServingPasses
{
    const Timeline* timeline = nullptr;
    std::vector<Step> passes;
    std::size_t prefillBegin = 0, prefillEnd = 0; ///< into `passes`, half-open; empty: all passes generate
    /// Prompts are read again after generation started: several requests were served at the same time.
    bool isInterleaved = false;
    std::size_t mixed = 0; ///< prefill passes that also generate, for other requests

    bool hasPrefill() const { return prefillEnd > prefillBegin; }
    std::size_t generating() const { return passes.size() - prefillEnd; }
    std::int64_t prefillBeginNs() const { return passes[prefillBegin].range.beginNs; }
    /// The time at which generation starts.
    std::int64_t prefillEndNs() const
    {
        return hasPrefill() ? passes[prefillEnd - 1].range.endNs : passes.front().range.beginNs;
    }
};

/// The kind of a server's pass annotation (PassName); None for any other name.
PassKind passKindOf(std::string_view name);
/// Whether the run has annotations that describe passes. O(names).
bool namesPasses(const TraceModel& model);

struct RankPasses
{
    std::int32_t rank = 0;
    std::vector<ServingPasses> parts; ///< one per timeline of the rank that has passes
};

/// Finds passes by execute_* annotations (vLLM), step[...] annotations or run_batch calls (SGLang) or, if
/// `xla`, XLA step markers. The prefill is the first unbroken run of passes with context tokens, such as
/// `execute_context_<n>(<tokens>)`. If no pass describes its work, it is the first pass; if all passes are
/// marked as generating, the run has no prefill. Ranks without passes are omitted.
std::vector<RankPasses> findPasses(const TraceModel& model, const Selection& selection, bool xla);

} // namespace collscope
