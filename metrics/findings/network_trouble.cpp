// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the logs of NCCL show to be different on some nodes of the job.

#include "metrics/findings/finding_groups.h"
#include "metrics/network/network_troubles.h"

namespace collscope {

void addNetworkTrouble(const FindingInput& input)
{
    const auto& record = input.analysis.model().network;
    if (!record || !record->hasLog())
        return;
    for (NetworkTrouble& trouble : networkTroubles(*record, nodeConnections(*record))) {
        if (trouble.isConditional)
            continue; // it may be how these machines are built: the command network lists it
        Finding& finding = input.findings.all.emplace_back();
        finding.kind = FindingKind::NetworkTrouble;
        finding.title = std::move(trouble.text);
        finding.cause = networkTroubleId(trouble.kind);
    }
}

} // namespace collscope
