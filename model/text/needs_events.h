// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is said where a run of summaries cannot answer.

#include <string_view>

namespace collscope {

/// Why a summarized run has no answer (TraceModel::isSummarized()).
inline constexpr std::string_view needsEventsText
    = "The run was merged from summaries, which contain sums in place of events: only metrics and findings "
      "can be computed. "
      "Plan it again with --keep metrics (--ranks 0-7 for some of its ranks).";

} // namespace collscope
