// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Response times of a server from its benchmarks: percentiles and distribution of each kind of time.

#include "metrics/counters/latencies.h"
#include "views/state/view_state.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace collscope {

class CellTable;
class SmallChart;

class LatencyView : public QWidget
{
    Q_OBJECT

public:
    explicit LatencyView(ViewState* state, QWidget* parent = nullptr);

    /// True for a run with benchmarks that contain times.
    bool isWanted() const { return !m_benchmarks.empty(); }

    QComboBox* chooser() const { return m_chooser; }
    CellTable* table() const { return m_table; }
    SmallChart* chart() const { return m_chart; }

signals:
    void wantedChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void onModelChanged();
    void showBenchmark();
    void showLatency(int row);

    ViewState* m_state;
    std::vector<std::size_t> m_benchmarks; ///< indices of the model's benchmarks with times
    std::vector<Latency> m_latencies; ///< latencies of the chosen benchmark; rows of the table
    QComboBox* m_chooser;
    QLabel* m_summary;
    CellTable* m_table;
    SmallChart* m_chart;
    int m_row = 0; ///< row shown in the chart
};

} // namespace collscope
