// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Answers what the search line and the tab "Search" ask, off the GUI thread. A newer question makes older
// answers void.

#include "app/analysis_job.h"
#include "metrics/slice_listing.h"
#include "model/readers/arg_search.h"
#include "views/search/slice_question.h"

#include <QTimer>

namespace collscope {

/// What a search by text found becomes the matches of ViewState; the slices of a range are only listed. What
/// the model keeps is answered at once; args that it does not keep are then read from the files again.
class SliceFinder : public QObject
{
    Q_OBJECT

public:
    explicit SliceFinder(ViewState* state, QObject* parent = nullptr);

    /// Answers with begun(), and with found() as often as more is known. An empty question ends the last one.
    void ask(const SliceQuestion& question);
    /// Answers with found(): of what was asked for last, the slices that last so long.
    void narrow(const DurationRange& lasting);
    /// What is found by then stays.
    void cancelReading();
    const SliceQuestion& question() const { return m_question; }
    /// True until there is nothing more to come.
    bool isRunning() const { return m_isFinding || m_filesToRead > 0; }

signals:
    void begun(const collscope::SliceQuestion& question);
    void found(const collscope::SliceListingPtr& listing);
    /// For people; an empty text: nothing is going on and nothing went wrong.
    void progressChanged(const QString& text, bool canCancel);

private:
    using Find = std::function<SliceMatchesPtr(const TraceModel&, const std::function<bool()>& cancelled)>;

    Find finder() const;
    void start();
    void startReading();
    void onFound(const SliceListingPtr& listing);
    void onRead(const ArgSearchAnswerPtr& answer);
    void onProgress(int percent);
    void onModelChanged();
    void followRange();
    /// The range on each timeline's own clock; empty for those of hidden ranks.
    std::vector<TimeRange> windows() const;

    ViewState* m_state;
    TraceModelPtr m_model; ///< that the question is about
    SliceQuestion m_question;
    Find m_find; ///< answers it, as far as it can be answered by now
    SliceListingPtr m_listing; ///< the answer so far
    bool m_isFinding = false;
    std::size_t m_filesToRead = 0;
    QTimer m_rangeSettled; ///< the range is not dragged any more: list its slices
    AnalysisJob<SliceListingPtr> m_job{[this](const auto& listing) { onFound(listing); }};
    LatestOnlyJob<ArgSearchAnswerPtr> m_reading{[this](const auto& answer) { onRead(answer); },
                                                [this](int percent) { onProgress(percent); }};
};

} // namespace collscope
