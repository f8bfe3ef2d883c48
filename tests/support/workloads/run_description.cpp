// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/run_description.h"

namespace collscope {

WorkloadDescription lateDescription()
{
    WorkloadDescription description;
    description.tensorParallel = 2;
    description.dataParallel = 3;
    description.steps = 5;
    description.jitter = 0.1;
    description.gapNs = 1'500;
    description.stragglerRank = 3;
    description.lateNs = 180'000;
    description.peaks = {{0, 60}, {2, 90}};
    description.seed = 5;
    return description;
}

WorkloadDescription demoDescription()
{
    WorkloadDescription demo;
    demo.model = "llama3-mini";
    demo.tensorParallel = 2;
    demo.dataParallel = 4;
    demo.steps = 6;
    demo.firstStep = 20;
    demo.stepNs = 8'500'000;
    demo.layers = 3;
    demo.hiddenShare = 0.8;
    demo.stragglerRank = 5;
    demo.lateNs = 260'000;
    demo.jitter = 0.06;
    demo.gapNs = 1'400;
    demo.peaks = {{0, 96}, {1, 128}, {2, 180}, {3, 142}, {4, 165}, {5, 110}};
    demo.links = 12;
    demo.samplePeriodNs = 250'000;
    demo.seed = 20260117;
    demo.batchSize = 4;
    demo.sequenceLength = 512;
    return demo;
}

} // namespace collscope
