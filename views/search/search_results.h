// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The "Search" tab: a table of slices, each linked to the timeline, and their durations. It lists the slices
// that a search found or, without a search, those of a range.

#include "metrics/analysis/slice_listing.h"
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
class NameColumnFit;

/// Shows search results: call begin(), then setListing() whenever the result changes.
class SearchResults : public QWidget
{
    Q_OBJECT

public:
    explicit SearchResults(ViewState* state, QWidget* parent = nullptr);

    /// Starts a search and clears the previous result. An empty question: no search.
    void begin(const SliceQuestion& question);
    void setListing(const SliceListingPtr& listing);
    /// Progress or error message for the user; empty: none.
    void setProgress(const QString& text, bool canCancel);
    QTableView* table() const { return m_table; }
    DurationFilter* durations() const { return m_durations; }
    const SearchModel& rows() const { return m_model; }
    QString summaryText() const;
    QString progressText() const;
    /// Message shown instead of the table; empty if the table is shown.
    QString emptyText() const;

signals:
    /// The listed slices are to be filtered by duration.
    void lastingWanted(const collscope::DurationRange& lasting);
    /// The slices of the selected range are to be listed.
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
    SliceListingPtr m_listing; ///< nullptr until something is found
    QLabel* m_summary;
    QLabel* m_progress;
    QToolButton* m_cancel;
    bool m_canCancel = false;
    QTimer m_patience;
    QSplitter* m_splitter;
    DurationFilter* m_durations;
    ContentStack* m_pages;
    QTableView* m_table;
    NameColumnFit* m_names = nullptr;
    bool m_isLaidOut = false; ///< initial layout is set; the user's is kept from then on
};

} // namespace collscope
