// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The forward passes of an inference server in a trace: which of them read the prompt, which generate.

#include "metrics/analysis.h"

namespace collscope {

/// The passes of one timeline in time order, and which of them read the prompt of the first requests.
struct ServingPasses
{
    const Timeline* timeline = nullptr;
    std::vector<Step> passes;
    std::size_t prefillBegin = 0, prefillEnd = 0; ///< of `passes`, half-open; never empty
    /// The prompt is read again after generation began: several requests were served at once.
    bool isInterleaved = false;

    std::size_t generating() const { return passes.size() - prefillEnd; }
    std::int64_t prefillBeginNs() const { return passes[prefillBegin].range.beginNs; }
    std::int64_t prefillEndNs() const { return passes[prefillEnd - 1].range.endNs; }
};

enum class PassKind : std::uint8_t
{
    None, ///< no pass, or nothing says which
    Prefill, ///< reads prompts
    Decode, ///< generates
    Mixed ///< both: chunked prefill
};
/// Of an annotation of vLLM, "execute_context_1(512)_generation_0(0)"; None of any other name.
PassKind passKindOf(std::string_view name);
/// Whether the run has annotations that say what a pass does. O(names).
bool namesPasses(const TraceModel& model);

struct RankPasses
{
    std::int32_t rank = 0;
    std::vector<ServingPasses> parts; ///< one per timeline of the rank that has passes
};

/// Passes by execute_context_* annotations (vLLM), run_batch calls (SGLang) or, if `xla`, XLA step markers.
/// The prefill is the first unbroken run of passes with context tokens, `execute_context_<n>(<tokens>)`;
/// without a token count it is the first pass. Ranks without passes are left out.
std::vector<RankPasses> findPasses(const TraceModel& model, const Selection& selection, bool xla);

} // namespace collscope
