// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long the listed slices last, and which of them are wanted: by mouse in a chart, or exactly in two
// fields.

#include "metrics/slice_listing.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QToolButton;

namespace collscope {

class DurationChart;

class DurationFilter : public QWidget
{
    Q_OBJECT

public:
    explicit DurationFilter(QWidget* parent = nullptr);

    /// nullptr: none.
    void setListing(const SliceListingPtr& listing);
    DurationChart* chart() const { return m_chart; }
    QLineEdit* fromLine() const { return m_from; }
    QLineEdit* toLine() const { return m_to; }

signals:
    /// To be answered with another listing. Not for each pixel that the mouse moves.
    void lastingWanted(const collscope::DurationRange& lasting);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void want(const DurationRange& lasting);
    void takeFields();
    void fillFields();

    DurationChart* m_chart;
    QLineEdit* m_from;
    QLineEdit* m_to;
    QToolButton* m_all;
    DurationRange m_wanted;
    QTimer m_settled; ///< the mouse rests, or let go
    SliceListingPtr m_listing;
};

/// "1.2 ms", "85 us", "1 380.5" (of a unit); nullopt if it is no duration.
std::optional<std::int64_t> parseDuration(const QString& text, double unitNs);

} // namespace collscope
