// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The page of a run, between the docks: overview, what costs time, and the timeline or what stands in its
// place.

#include <QWidget>

namespace collscope {

class FindingStrip;
class Minimap;
class RankSummariesView;
class TimelineArea;
class ViewState;
struct TraceModel;

class RunPage : public QWidget
{
public:
    explicit RunPage(ViewState* state, QWidget* parent = nullptr);

    Minimap* overview() const { return m_overview; }
    FindingStrip* strip() const { return m_strip; }
    TimelineArea* area() const { return m_area; }
    RankSummariesView* summaries() const { return m_summaries; }
    /// Shows the parts that a run fills. Returns whether there are none: then the tabs alone show it.
    bool showPartsOf(const TraceModel& model);

private:
    TimelineArea* m_area;
    RankSummariesView* m_summaries;
    Minimap* m_overview;
    FindingStrip* m_strip;
};

} // namespace collscope
