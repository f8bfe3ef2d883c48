// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/wait_rule.h"

#include "metrics/matching/clock_alignment.h"

namespace collscope {

WaitRule waitRuleOf(const TraceModel& model, const Call& call)
{
    const CollectiveTraits* const traits = collectiveTraits(call.kind);
    const WaitRule rule = traits ? traits->waitRule : WaitRule::Unknown;
    // PyTorch implements these with sends and receives. Other kernels tell the rule themselves.
    if ((call.kind != KernelClass::SendRecv && rule != WaitRule::Unknown) || !call.meta)
        return rule;
    const std::string_view name = model.text(call.meta->name);
    if (name == "scatter")
        return WaitRule::AllForRoot;
    if (name == "gather")
        return WaitRule::RootForAll;
    return name == "barrier" ? WaitRule::AllForAll : rule;
}

bool confirmsByEnd(const TraceModel& model, const Call& call)
{
    return endsTogether(model, call)
        || (call.kind == KernelClass::SendRecv && waitRuleOf(model, call) == WaitRule::AllForAll);
}

} // namespace collscope
