// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The timeline: ruler, steps, one group of rows per rank. Reads the model, writes only ViewState.

#include "views/timeline/group_painter.h"
#include "views/timeline/range_label.h"
#include "views/timeline/timeline_painter.h"

#include <QAbstractScrollArea>

#include <map>
#include <optional>

class QLineEdit;
class QMenu;

namespace collscope {

/// W/S zoom, A/D pan, Ctrl+wheel zooms at the cursor, dragging selects a range. resources/help/views.md lists
/// all keys and gestures.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit TimelineView(ViewState* state, QWidget* parent = nullptr);

    /// Where a slice is drawn, in viewport coordinates; empty if its row or time is not in sight.
    QRectF rectOf(SliceRef slice) const;
    /// Where a collective is drawn on the lane of its process group; empty if it is not in sight.
    QRectF rectOfCollective(std::uint32_t instance) const;
    /// Whether anything that is highlighted (ViewState::evidence) can be seen. O(slices that are).
    bool isEvidenceInSight() const;
    /// The slice under a viewport position; on the lane of a process group the kernel of the rank that came
    /// last.
    std::optional<SliceRef> sliceAt(QPoint position) const;
    /// The collective under a viewport position on the lane of its process group.
    std::optional<std::uint32_t> collectiveAt(QPoint position) const;
    /// Where an instant of a track is drawn, in viewport coordinates; empty if it is not in sight.
    QRectF rectOfInstant(TrackId track, std::size_t instant) const;
    /// What stands on the selected range, in viewport coordinates; empty while none is in sight.
    RangeLabel rangeLabel() const;
    /// Which rows there are, and where; their y = 0 lies at the top of lanesRect() while nothing is scrolled.
    const TimelineLayout& layout() const { return m_layout; }
    /// Left edge and width of the lanes in viewport coordinates; charts below share them.
    QRect lanesRect() const;
    /// Opens or collapses the CPU threads and annotations of every rank.
    void setThreadsOpen(bool open);
    /// A lane for each process group, or one row for each purpose.
    void setGroupsOpen(bool open);
    /// Selects and shows the kernel that the next (1) or previous (-1) rank runs for the selected collective;
    /// after the last rank comes the first. Says with noticed() why it cannot.
    void walkCollective(int direction);
    /// From a kernel to the call that launched it (-1), or from a call to the first kernel that it, or a call
    /// in it, launched (1). Says with noticed() why it cannot.
    void followLink(int direction);
    /// The slice around the selected one (-1), or the first one in it (1).
    void selectInStack(int direction);
    /// Where the mouse is, in whichever view, else in the middle.
    void setTemporaryMark();
    void keepMark();
    /// Shows the next (1) or previous (-1) mark.
    void walkMarks(int direction);
    void removeMark(); ///< the current one
    /// Opens a line over the ruler to write the note of the current mark, which is kept by that.
    void editNote();
    void setGridShown(bool shown);
    bool areThreadsOpen() const; ///< of every rank
    /// Each rank whose rows the row filter shows becomes one row, or all of its rows again.
    void setRanksCollapsed(bool collapsed);
    /// The row that keys are about: that of the selected slice, else the one that was clicked or walked to;
    /// nullptr if there is none. Valid until rows change.
    const TimelineRow* focusedRow() const;
    /// Pins the focused row to the top, or lets it go. Says with noticed() if there is none.
    void togglePin();
    /// Opens what hides a track, scrolls to its row and focuses it.
    void goToTrack(TrackId track);
    /// Into the line that filters rows.
    void editFilter();
    const LayoutChoices& choices() const { return m_choices; }
    /// What is open and collapsed, and how tall rows are.
    void setOpen(const std::set<std::int32_t>& collapsedRanks, const std::set<std::uint32_t>& openThreads,
                 std::optional<bool> openGroups, double scale);
    void zoomIn() { zoomAtCursor(1.5); }
    void zoomOut() { zoomAtCursor(1 / 1.5); }
    void fitAll();
    /// Fits the selected slice or range; the last full step if nothing is selected.
    void fitSelection();

    QSize sizeHint() const override { return {900, 500}; }

signals:
    /// Others are shown, or elsewhere.
    void rowsChanged();
    /// Something to tell in passing, for the status bar.
    void noticed(const QString& text);
    /// The button on the label of the selected range: metrics are to count that range.
    void rangeMetricsWanted();
    /// Of a rank of a reduced run: the file that was reduced, in a window of its own.
    void wholeTraceWanted(const std::string& path);
    /// A menu for what was clicked with the right button is about to open; others may add to it.
    void menuOpening(QMenu* menu);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag
    {
        None,
        Pending,
        SelectRange,
        Pan,
        ZoomRange,
        Ruler, ///< the begin of the visible range stays, the time under the mouse follows it
        RangeButton ///< pressed, and not let go yet
    };

    void openRanksWithoutStreams();
    void rebuildGroups();
    void rebuildLayout();
    void updateGroupEvidence();
    void updateScrollBar();
    void onModelChanged();
    void reveal(SliceRef slice);
    /// The common axis.
    TimeAxis axis() const;
    /// The same pixels in a timeline's own time.
    TimeAxis axisOf(TimelineId timeline) const;
    QRectF boxInSight(TimeRange range, const TimelineRow& row, int level) const;
    /// Top of a row in the viewport.
    int topOf(const TimelineRow& row) const;
    /// The part of the viewport in which a row can be seen: pinned ones have theirs above the others'.
    QRect areaOf(const TimelineRow& row) const;
    int pinnedInSight() const; ///< height, px
    const TimelineRow* rowAtViewport(int y) const;
    void zoomAtCursor(double factor);
    void toggleRow(const TimelineRow& row);
    void scrollTo(const TimelineRow& row, int level);
    void focusRow(const TimelineRow& row);
    void focusNextRow(int direction);
    void onEdited();
    void onFilterChanged();
    void showFilter();
    void toggleRankOfFocus();
    void buildFilter();
    void selectNeighbour(int direction);
    void selectOnNextRow(int direction);
    void toggleFocusedRow();
    void copySelection();
    void showSlice(SliceRef slice);
    /// The slice of a row that is closest to a time, the outermost of several.
    std::optional<SliceRef> nearestOn(const TimelineRow& row, std::int64_t axisNs) const;
    bool handleTimeKey(int key);
    bool handleSelectionKey(int key, bool shift);
    bool handleMarkKey(int key, bool shift);
    std::int64_t timeAtCursor() const;
    /// The other edge of the selected range if the position is on one of its edges.
    std::optional<std::int64_t> edgeOppositeOf(QPoint position) const;
    bool pressRuler(QPoint position);
    void drag(QPoint position);
    void updateCursor(QPoint position);
    void click(const QMouseEvent& event);
    void openMenu(QPoint position, QPoint globalPosition);
    void closeNote(bool keep);
    void paintRows(QPainter& painter, const QRect& lanes);
    void paintFocus(QPainter& painter, const QRect& header);
    void paintNoRows(QPainter& painter, const QRect& lanes);
    void paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row);
    void paintOverlays(QPainter& painter, const QRect& lanes);
    void paintSelectedCollective(QPainter& painter, const QRect& lanes);
    void paintEmpty(QPainter& painter);
    std::optional<DrawInstant> instantAt(const TimelineRow& row, QPoint position) const;
    QString toolTipAt(QPoint position) const;
    QString sliceToolTip(SliceRef slice) const;
    QString rangeLabelToolTip(const RangeLabel& label, QPoint position) const;
    QString instantToolTip(const Track& track, const DrawInstant& instant) const;

    ViewState* m_state;
    TimelineLayout m_layout;
    LayoutChoices m_choices;
    TimelinePainter m_painter;
    GroupLanes m_groups;
    std::vector<bool> m_groupEvidence; ///< by instance; empty: nothing is emphasised
    std::map<std::size_t, GroupDensity> m_densities; ///< by the first lane of the row that shows it
    GroupPainter m_groupPainter;
    Drag m_drag = Drag::None;
    Qt::MouseButton m_dragButton = Qt::NoButton;
    QPoint m_pressPosition, m_lastPosition;
    std::int64_t m_pressTime = 0;
    std::int64_t m_rulerBegin = 0; ///< of the visible range when the ruler was pressed
    std::optional<TimeRange> m_zoomRange; ///< while dragging with the right button
    std::optional<RowKey> m_focus;
    QLineEdit* m_filter;
    QLineEdit* m_note; ///< hidden while no note is written
    std::int64_t m_noteTime = 0; ///< of the mark whose note that is
    bool m_showGrid = true;
    bool m_centredOnly = false; ///< the first F centres, the second fits
};

} // namespace collscope
