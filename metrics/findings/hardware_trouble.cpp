// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What other programs recorded of the hardware, as findings that are not about time.

#include "metrics/core/value.h"
#include "metrics/findings/finding_groups.h"
#include "metrics/hardware/hardware_troubles.h"
#include "metrics/hardware/slow_gpu.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostDevices = 32;

} // namespace

void addHardwareTroubles(const FindingInput& input)
{
    HardwareTroubles troubles = hardwareTroublesOf(input.analysis);
    for (std::size_t i = 0; i < std::min(troubles.all.size(), mostDevices); ++i) {
        Finding& finding = input.findings.all.emplace_back();
        finding.kind = FindingKind::HardwareTrouble;
        finding.title = std::move(troubles.all[i].text);
        finding.ranks = std::move(troubles.all[i].ranks);
        finding.count = troubles.all[i].count;
        finding.cause = troubles.all[i].cause;
        finding.isEstimated = troubles.all[i].isGuessed;
    }
    if (troubles.all.size() > mostDevices) {
        Finding& finding = input.findings.all.emplace_back();
        finding.kind = FindingKind::HardwareTrouble;
        finding.count = static_cast<std::int64_t>(troubles.all.size() - mostDevices);
        finding.title = countText(finding.count, "more device") + " had trouble with hardware.";
    }
    input.findings.warnings.insert(input.findings.warnings.end(), troubles.warnings.begin(),
                                   troubles.warnings.end());
}

void addSlowGpu(const FindingInput& input, std::int32_t rank,
                const std::function<bool(std::int64_t step)>& isConcerned, Finding& finding)
{
    if (!input.analysis.model().hardware)
        return;
    const SlowGpu gpu = slowGpuOf(input.analysis, rank, wallRangesOf(input.analysis, rank, isConcerned));
    if (gpu.kind != SlowGpu::Kind::Slow)
        return;
    if (finding.title.ends_with('.'))
        finding.title.pop_back();
    finding.title += "; " + gpu.text + ".";
}

} // namespace collscope
