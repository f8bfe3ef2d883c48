// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The timeline: ruler, steps and one group of rows per rank. Reads the model and writes only to ViewState.

#include "views/range_label.h"
#include "views/timeline/group_painter.h"
#include "views/timeline/timeline_layout.h"
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

    /// The rectangle of a slice in viewport coordinates; empty if its row or time is not visible.
    QRectF rectOf(SliceRef slice) const;
    /// The rectangle of a collective on the lane of its process group; empty if it is not visible.
    QRectF rectOfCollective(std::uint32_t instance) const;
    /// Whether any highlighted slice (ViewState::evidence) is visible. O(highlighted slices).
    bool isEvidenceInSight() const;
    /// The slice under a viewport position; on the lane of a process group, the kernel of the rank that
    /// arrived last.
    std::optional<SliceRef> sliceAt(QPoint position) const;
    /// The collective under a viewport position on the lane of its process group.
    std::optional<std::uint32_t> collectiveAt(QPoint position) const;
    /// The rectangle of an instant of a track in viewport coordinates; empty if it is not visible.
    QRectF rectOfInstant(TrackId track, std::size_t instant) const;
    /// The label of the selected range in viewport coordinates; empty if the range is not visible.
    RangeLabel rangeLabel() const;
    /// The rows and their positions; y = 0 is at the top of lanesRect() while nothing is scrolled.
    const TimelineLayout& layout() const { return m_layout; }
    /// Left edge and width of the lanes in viewport coordinates; charts below share them.
    QRect lanesRect() const;
    /// Opens or collapses the CPU threads and annotations of every rank.
    void setThreadsOpen(bool open);
    /// Shows one lane per process group, or one row per kind of parallelism.
    void setGroupsOpen(bool open);
    /// Selects and shows the kernel that the next (1) or previous (-1) rank runs for the selected collective;
    /// wraps around after the last rank. Emits noticed() with the reason if it cannot.
    void walkCollective(int direction);
    /// Moves from a kernel to the call that launched it (-1), or from a call to the first kernel that it or a
    /// nested call launched (1). Emits noticed() with the reason if it cannot.
    void followLink(int direction);
    /// Selects the parent (-1) or the first child (1) of the selected slice.
    void selectInStack(int direction);
    /// Sets a temporary mark at the mouse position, in any view, otherwise in the middle of the view.
    void setTemporaryMark();
    void keepMark();
    /// Shows the next (1) or previous (-1) mark.
    void walkMarks(int direction);
    void removeMark(); ///< the current one
    /// Opens an editor over the ruler for the note of the current mark. This makes the mark permanent.
    void editNote();
    void setGridShown(bool shown);
    bool areThreadsOpen() const; ///< whether the threads of every rank are open
    /// Collapses each rank that matches the row filter to one row, or expands it again.
    void setRanksCollapsed(bool collapsed);
    /// The row with the keyboard focus: the row of the selected slice, otherwise the row that was last
    /// clicked or reached by keys; nullptr without one. Valid until the rows change.
    const TimelineRow* focusedRow() const;
    /// Pins the focused row to the top, or unpins it. Emits noticed() without a focused row.
    void togglePin();
    /// Expands the rows that hide a track, scrolls to its row and focuses it.
    void goToTrack(TrackId track);
    /// Moves the focus to the row filter.
    void editFilter();
    const LayoutChoices& choices() const { return m_choices; }
    /// Sets the open and collapsed rows and the row height factor.
    void setOpen(const std::set<std::int32_t>& collapsedRanks, const std::set<std::uint32_t>& openThreads,
                 std::optional<bool> openGroups, double scale);
    void zoomIn() { zoomAtCursor(1.5); }
    void zoomOut() { zoomAtCursor(1 / 1.5); }
    void fitAll();
    /// Fits the selected slice or range, or the last full step without a selection.
    void fitSelection();

    QSize sizeHint() const override { return {900, 500}; }

signals:
    /// The visible rows or their positions have changed.
    void rowsChanged();
    /// A transient message for the status bar.
    void noticed(const QString& text);
    /// The button on the label of the selected range was clicked: use that range for the metrics.
    void rangeMetricsWanted();
    /// Request to open the original trace file of a rank of a reduced run in a new window.
    void wholeTraceWanted(const std::string& path);
    /// A context menu is about to open; receivers may add actions.
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
        Ruler, ///< the start of the visible range is fixed, the time under the mouse follows the mouse
        RangeButton ///< pressed and not yet released
    };

    void openRanksWithoutStreams();
    void rebuildGroups();
    void rebuildLayout();
    void updateGroupEvidence();
    void updateScrollBar();
    void onModelChanged();
    void reveal(SliceRef slice);
    /// The visible range of the common axis.
    TimeAxis axis() const;
    /// The visible range in a timeline's own time.
    TimeAxis axisOf(TimelineId timeline) const;
    QRectF boxInSight(TimeRange range, const TimelineRow& row, int level) const;
    /// The top of a row in the viewport.
    int topOf(const TimelineRow& row) const;
    /// The part of the viewport that shows a row; pinned rows are above the others.
    QRect areaOf(const TimelineRow& row) const;
    int pinnedInSight() const; ///< px; height of the visible pinned rows
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
    /// The slice of a row that is closest to a time; the outermost if there are several.
    std::optional<SliceRef> nearestOn(const TimelineRow& row, std::int64_t axisNs) const;
    bool handleTimeKey(int key);
    bool handleSelectionKey(int key, bool shift);
    bool handleMarkKey(int key, bool shift);
    std::int64_t timeAtCursor() const;
    /// The opposite edge of the selected range if the position is on one of its edges.
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
    std::vector<bool> m_groupEvidence; ///< indexed by instance; empty: nothing is emphasised
    std::map<std::size_t, GroupDensity> m_densities; ///< keyed by the first lane of the row
    GroupPainter m_groupPainter;
    Drag m_drag = Drag::None;
    Qt::MouseButton m_dragButton = Qt::NoButton;
    QPoint m_pressPosition, m_lastPosition;
    std::int64_t m_pressTime = 0;
    std::int64_t m_rulerBegin = 0; ///< start of the visible range when the ruler was pressed
    std::optional<TimeRange> m_zoomRange; ///< while dragging with the right button
    std::optional<RowKey> m_focus;
    QLineEdit* m_filter;
    QLineEdit* m_note; ///< hidden while no note is edited
    std::int64_t m_noteTime = 0; ///< time of the mark whose note is edited
    bool m_showGrid = true;
    bool m_centredOnly = false; ///< the first press of F centres, the second fits
};

} // namespace collscope
