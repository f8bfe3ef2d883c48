// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/jobs/nvlink_job.h"
#include "app/parts/controller.h"

namespace collscope {

class GpuCounterChart;
class NvlinkChart;
struct NvlinkNeeds;

/// Fills the charts of NVLink and of the sampled GPUs below the timeline.
class CurvesController : public Controller
{
    Q_OBJECT

public:
    CurvesController(WindowContext& context, NvlinkChart& nvlink, GpuCounterChart& gpus);

    void start() override;
    void cancel() override;
    bool isComputing() const override;

signals:
    void ready();

private:
    NvlinkChart& m_nvlink;
    GpuCounterChart& m_gpus;
    NvlinkJob m_job;
    AnalysisJob<std::shared_ptr<const NvlinkNeeds>> m_needs; ///< asked when the curves are there
};

} // namespace collscope
