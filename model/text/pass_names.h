// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Annotations that inference servers use to mark their forward passes.

#include <cstdint>
#include <optional>
#include <string_view>

namespace collscope {

enum class PassKind : std::uint8_t
{
    None, ///< not a pass, or of unknown kind
    Prefill, ///< reads prompts
    Decode, ///< generates tokens
    Mixed ///< both: chunked prefill
};

/// Information in the name of a pass.
struct PassName
{
    /// True for "execute_context_1(512)_generation_0(0)" and
    /// "execute_32_context_0(sq0sk0...)_generation_32(sq32...)": vLLM and tools that follow it. False for
    /// SGLang's "step[EXTEND bs=15 toks=15360]" and "step[DECODE bs=32]".
    bool isExecute = true;
    PassKind kind = PassKind::None;
    std::int64_t contextTokens = 0; ///< of the prompts that are read; 0 = none, or not stated
};

/// nullopt if this is not the name of a pass.
std::optional<PassName> passNameOf(std::string_view name);

} // namespace collscope
