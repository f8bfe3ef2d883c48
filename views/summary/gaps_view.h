// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Gaps tab: when the GPUs were idle, by cause and by length.

#include "metrics/findings/gap_table.h"
#include "views/state/view_state.h"

#include <QWidget>

namespace collscope {

class AnswerPage;
class CellTable;

/// The gaps of a run, or the reason why there are none.
using GapTablePtr = std::shared_ptr<const Result<GapTable>>;

class GapsView : public QWidget
{
    Q_OBJECT

public:
    explicit GapsView(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: they are being computed.
    void setGaps(GapTablePtr gaps);
    /// The gaps of the list, by row.
    const std::vector<const ListedGap*>& shown() const { return m_shown; }
    /// Row 0 is all causes, then one row for each of GapTable::causes.
    CellTable* causes() const { return m_causes; }
    CellTable* list() const { return m_list; }
    /// Lists the gaps of one cause.
    void showCause(IdleCause cause);
    /// Text shown instead of an answer; empty if there is one.
    QString emptyText() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillCauses();
    /// Lists the gaps of one cause; nullopt: of all.
    void fillList(std::optional<IdleCause> cause);
    void fitColumns(); ///< leaves the names room in a narrow window
    void chooseCause(int row);
    void showGap(int row);

    ViewState* m_state;
    GapTablePtr m_gaps;
    std::vector<const ListedGap*> m_shown; ///< into *m_gaps
    CellTable* m_causes;
    CellTable* m_list;
    AnswerPage* m_page;
};

} // namespace collscope
