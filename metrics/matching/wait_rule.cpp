// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/wait_rule.h"

#include "metrics/matching/clock_alignment.h"

namespace collscope {

WaitRule waitRuleOf(const TraceModel& model, const Call& call)
{
    const std::string_view name = call.meta ? model.text(call.meta->name) : std::string_view();
    // PyTorch implements these with sends and receives.
    if (name == "scatter")
        return WaitRule::AllForRoot;
    if (name == "gather")
        return WaitRule::RootForAll;
    if (name == "barrier")
        return WaitRule::AllForAll;
    const CollectiveTraits* const traits = collectiveTraits(call.kind);
    return traits ? traits->waitRule : WaitRule::Unknown;
}

bool confirmsByEnd(const TraceModel& model, const Call& call)
{
    return endsTogether(model, call)
        || (call.kind == KernelClass::SendRecv && waitRuleOf(model, call) == WaitRule::AllForAll);
}

} // namespace collscope
