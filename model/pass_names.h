// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The annotations with which inference servers mark their forward passes.

#include <cstdint>
#include <optional>
#include <string_view>

namespace collscope {

enum class PassKind : std::uint8_t
{
    None, ///< no pass, or nothing says which
    Prefill, ///< reads prompts
    Decode, ///< generates
    Mixed ///< both: chunked prefill
};

/// What the name of a pass says.
struct PassName
{
    /// "execute_context_1(512)_generation_0(0)", "execute_32_context_0(sq0sk0...)_generation_32(sq32...)":
    /// vLLM and tools that follow it; the other form is SGLang's "step[EXTEND bs=15 toks=15360]",
    /// "step[DECODE bs=32]".
    bool isExecute = true;
    PassKind kind = PassKind::None;
    std::int64_t contextTokens = 0; ///< of the prompts that are read; 0 if there are none, or it does not say
};

/// nullopt if the name is not that of a pass.
std::optional<PassName> passNameOf(std::string_view name);

} // namespace collscope
