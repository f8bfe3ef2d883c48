// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Search": slices as a table that leads to each of them, and how long they last. What a search
// found, or without one the slices of a range.

#include "metrics/slice_listing.h"
#include "views/search/search_model.h"
#include "views/search/slice_question.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QSplitter;
class QTableView;
class QToolButton;

namespace collscope {

class ContentStack;
class DurationFilter;

/// Shows what app finds: begin(), then setListing() as often as there is more or less of it.
class SearchResults : public QWidget
{
    Q_OBJECT

public:
    explicit SearchResults(ViewState* state, QWidget* parent = nullptr);

    /// This is being looked for; what was listed before is not it. An empty question: nothing is.
    void begin(const SliceQuestion& question);
    void setListing(const SliceListingPtr& listing);
    /// What is still going on, or went wrong, for people; empty: nothing.
    void setProgress(const QString& text, bool canCancel);
    QTableView* table() const { return m_table; }
    DurationFilter* durations() const { return m_durations; }
    const SearchModel& rows() const { return m_model; }
    QString summaryText() const;
    QString progressText() const;
    /// What is shown instead of a table; empty if there is one.
    QString emptyText() const;

signals:
    /// Only these of the listed slices are wanted.
    void lastingWanted(const collscope::DurationRange& lasting);
    /// The slices of the selected range are wanted.
    void rangeWanted();
    void cancelWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildTable();
    void refill();
    void showProgress();
    void showPage();
    void reveal(const QModelIndex& index);
    void selectSlice();

    ViewState* m_state;
    SearchModel m_model;
    SliceQuestion m_question;
    SliceListingPtr m_listing; ///< nullptr while nothing is found yet
    QLabel* m_summary;
    QLabel* m_progress;
    QToolButton* m_cancel;
    bool m_canCancel = false;
    QTimer m_patience;
    QSplitter* m_splitter;
    DurationFilter* m_durations;
    ContentStack* m_pages;
    QTableView* m_table;
    bool m_isLaidOut = false; ///< sorted and sized once; from then on as a person wants it
};

} // namespace collscope
