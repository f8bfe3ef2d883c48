// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The forward passes of an inference server in a trace: which of them read the prompt, which generate.

#include "metrics/analysis.h"
#include "model/pass_names.h"

namespace collscope {

/// The passes of one timeline in time order, and which of them read the prompt of the first requests.
struct ServingPasses
{
    const Timeline* timeline = nullptr;
    std::vector<Step> passes;
    std::size_t prefillBegin = 0, prefillEnd = 0; ///< of `passes`, half-open; empty: all of them generate
    /// The prompt is read again after generation began: several requests were served at once.
    bool isInterleaved = false;
    std::size_t mixed = 0; ///< passes of the prefill that also generate, for other requests

    bool hasPrefill() const { return prefillEnd > prefillBegin; }
    std::size_t generating() const { return passes.size() - prefillEnd; }
    std::int64_t prefillBeginNs() const { return passes[prefillBegin].range.beginNs; }
    /// Where generation begins.
    std::int64_t prefillEndNs() const
    {
        return hasPrefill() ? passes[prefillEnd - 1].range.endNs : passes.front().range.beginNs;
    }
};

/// Of an annotation of a server (PassName); None of any other name.
PassKind passKindOf(std::string_view name);
/// Whether the run has annotations that say what a pass does. O(names).
bool namesPasses(const TraceModel& model);

struct RankPasses
{
    std::int32_t rank = 0;
    std::vector<ServingPasses> parts; ///< one per timeline of the rank that has passes
};

/// Passes by execute_* annotations (vLLM), step[...] annotations or run_batch calls (SGLang) or, if `xla`,
/// XLA step markers. The prefill is the first unbroken run of passes with context tokens, such as
/// `execute_context_<n>(<tokens>)`; where no pass says what it does it is the first pass, and where all say
/// that they generate there is none. Ranks without passes are left out.
std::vector<RankPasses> findPasses(const TraceModel& model, const Selection& selection, bool xla);

} // namespace collscope
