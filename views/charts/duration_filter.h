// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Filter for the durations of the listed slices, set with the mouse in a chart or exactly in two fields.

#include "metrics/analysis/slice_listing.h"

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

    /// nullptr: clears the listing.
    void setListing(const SliceListingPtr& listing);
    DurationChart* chart() const { return m_chart; }
    QLineEdit* fromLine() const { return m_from; }
    QLineEdit* toLine() const { return m_to; }

signals:
    /// Requests a new listing. Emitted after the mouse settles, not for each pixel of movement.
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
    QTimer m_settled; ///< fires when the mouse rests or is released
    SliceListingPtr m_listing;
};

/// Parses "1.2 ms", "85 us" or "1 380.5" (in units of unitNs); nullopt if the text is not a duration.
std::optional<std::int64_t> parseDuration(const QString& text, double unitNs);

} // namespace collscope
