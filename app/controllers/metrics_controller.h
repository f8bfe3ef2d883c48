// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/metric_job.h"
#include "app/parts/controller.h"
#include "app/parts/metric_definitions.h"

namespace collscope {

class MetricsPanel;

/// Computes the metrics for the panel "Metrics", and explains the selected one. It has what the numbers
/// depend on beside the run: the user's definitions, and the tables of device peaks and model sizes.
class MetricsController : public Controller
{
    Q_OBJECT

public:
    /// `panel`: placed by the window.
    MetricsController(WindowContext& context, MetricsPanel& panel);

    MetricDefinitions& definitions() { return m_definitions; }
    const std::shared_ptr<const HardwareDatabase>& hardware() const { return m_hardware; }
    MetricOptions runOptions() const; ///< for the whole run
    MetricOptions options() const; ///< for the selection in the panel
    /// Stragglers of summaries for all who answer begun(): they are folded once. nullptr at other times.
    const SharedStragglerPtr& straggler() const { return m_straggler; }
    /// Computes all metrics again, because the run, its clocks or the options have changed.
    void compute();
    /// Sets the scope to the selected range, and opens the panel if it was closed.
    void showSelectedRange();
    /// Shows the results in the colours of another theme.
    void recolour();
    /// All metrics of the panel, byte for byte as written by collscope --batch --csv with the same scope.
    QByteArray csv() const;
    QByteArray json() const;
    void cancel() override;
    bool isComputing() const override { return m_job.isPending() || m_explainJob.isPending(); }

signals:
    void begun(); ///< what has the same options is to be computed again as well
    void ready();
    /// A link into the guide was clicked.
    void guideWanted(const QString& place);

private:
    void loadHardware();
    void connectDefinitions();
    void explain(const MetricRequest& request);

    MetricsPanel& m_panel;
    MetricJob m_job;
    MetricJob m_explainJob; ///< evidence and references of the selected metric
    std::shared_ptr<const HardwareDatabase> m_hardware;
    MetricDefinitions m_definitions;
    SharedStragglerPtr m_straggler;
};

} // namespace collscope
