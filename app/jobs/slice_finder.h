// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Answers the search line and the tab "Search", off the GUI thread. A newer question discards older answers.

#include "app/jobs/latest_only_job.h"
#include "metrics/analysis/slice_listing.h"
#include "model/readers/run/arg_search.h"
#include "views/search/slice_question.h"

#include <QTimer>

namespace collscope {

/// Matches of a text search become the matches of ViewState; slices of a range are only listed. Data in the
/// model is searched immediately; args that the model does not keep are then read from the files again.
class SliceFinder : public QObject
{
    Q_OBJECT

public:
    explicit SliceFinder(ViewState* state, QObject* parent = nullptr);

    /// Answers with begun(), and with found() each time more is known. An empty question ends the last one.
    void ask(const SliceQuestion& question);
    /// Answers with found(): the slices of the last question that have such a duration.
    void narrow(const DurationRange& lasting);
    /// Stops reading files; the results so far are kept.
    void cancelReading();
    const SliceQuestion& question() const { return m_question; }
    /// True while results are pending.
    bool isRunning() const { return m_isFinding || m_filesToRead > 0; }

signals:
    void begun(const collscope::SliceQuestion& question);
    void found(const collscope::SliceListingPtr& listing);
    /// Text for the user; empty: idle without errors.
    void progressChanged(const QString& text, bool canCancel);

private:
    using Find = std::function<SliceMatchesPtr(const TraceModel&, const std::stop_token& stop)>;

    /// Makes the listing of an answer; nullptr if a stop is requested.
    using Listing = std::function<SliceListingPtr(const TraceModel&, const std::stop_token& stop)>;

    Find finder() const;
    void startListing(Listing listing);
    void start();
    void startReading();
    void onFound(const SliceListingPtr& listing);
    void onRead(const ArgSearchAnswerPtr& answer);
    void onProgress(int percent);
    void onModelChanged();
    void followRange();
    /// Returns the range on each timeline's own clock; empty for timelines of hidden ranks.
    std::vector<TimeRange> windows() const;

    ViewState* m_state;
    TraceModelPtr m_model; ///< model of the question
    SliceQuestion m_question;
    Find m_find; ///< answers the question from the data available so far
    SliceListingPtr m_listing; ///< the answer so far
    bool m_isFinding = false;
    std::size_t m_filesToRead = 0;
    QTimer m_rangeSettled; ///< fires when the range has stopped moving: its slices are listed then
    LatestOnlyJob<SliceListingPtr> m_job{[this](const auto& listing) { onFound(listing); }};
    LatestOnlyJob<ArgSearchAnswerPtr> m_reading{[this](const auto& answer) { onRead(answer); },
                                                [this](int percent) { onProgress(percent); }};
};

} // namespace collscope
