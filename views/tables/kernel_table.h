// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The "Peak kernels" table: kernels that ran during the selected NVLink peak, largest overlap first.

#include "views/state/view_state.h"
#include "views/tables/kernel_table_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QTableView;

namespace collscope {

class NameColumnFit;

/// Which kernels the table asks for.
struct KernelQuestion
{
    std::vector<std::size_t> timelines; ///< indices into TraceModel::timelines
    TimeRange recorded; ///< on the clock of these timelines
    friend bool operator==(const KernelQuestion&, const KernelQuestion&) = default;
};

/// Takes O(kernels of the timelines): call it off the GUI thread.
std::vector<KernelOverlap> kernelsOf(const TraceModel& model, const KernelQuestion& question);

/// Shows the kernels set with setKernels(), the answer to kernelsWanted().
class KernelTable : public QWidget
{
    Q_OBJECT

public:
    explicit KernelTable(ViewState* state, QWidget* parent = nullptr);

    /// Answers the last kernelsWanted(). Not shown if the peak was cleared meanwhile.
    void setKernels(KernelOverlapsPtr kernels);
    QTableView* table() const { return m_table; }
    /// The slice in a displayed row (after sorting).
    SliceRef sliceAt(int row) const;

signals:
    void kernelsWanted(const collscope::KernelQuestion& question);

private:
    void update();
    void ask(std::optional<KernelQuestion> question);
    /// Shows a text in place of kernels.
    void showNone(const QString& why);
    void showKernels(const ViewSelection::Peak& peak, std::int32_t rank);
    void reveal(const QModelIndex& index);

    ViewState* m_state;
    QLabel* m_caption;
    QTableView* m_table;
    NameColumnFit* m_names = nullptr;
    std::optional<KernelQuestion> m_question; ///< the last one; nullopt: no peak with kernels is chosen
    KernelOverlapsPtr m_kernels; ///< the answer; nullptr until it is there
    KernelTableModel m_model;
    QSortFilterProxyModel m_sorted;
};

} // namespace collscope
