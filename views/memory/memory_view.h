// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The memory of one GPU at one moment: amounts, segments and call stacks. Opens at the peak.

#include "metrics/memory/history.h"
#include "views/state/view_state.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QSlider;
class QToolButton;

namespace collscope {

class BlockMap;
class CellTable;
class ContentStack;

class MemoryView : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryView(ViewState* state, QWidget* parent = nullptr);

    /// True for a run with memory snapshots.
    bool isWanted() const { return !m_devices.empty(); }
    /// Sets the history of the GPU selected in the state; nullptr while it is being computed.
    void setHistory(MemoryHistoryPtr history);
    bool isComputing() const { return isWanted() && !m_history; }
    const MemoryHistoryPtr& history() const { return m_history; }
    /// The displayed place of the history.
    std::size_t place() const;

    BlockMap* map() const { return m_map; }
    CellTable* table() const { return m_table; }
    QSlider* slider() const { return m_slider; }

signals:
    void wantedChanged();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void onModelChanged();
    void onMomentChanged();
    void buildBar(QHBoxLayout& bar);
    void showMoment();
    void showContents();
    void fillTable();
    void chooseStack(std::optional<StackId> stack);
    void showFrames();
    void goTo(std::size_t place);
    void goToOutOfMemory();
    QString summary() const;
    QString settingsText() const;
    const MemorySnapshot& snapshot() const;
    const MemoryDevice& device() const;

    ViewState* m_state;
    std::vector<MemoryDeviceRef> m_devices;
    MemoryHistoryPtr m_history;
    QTimer m_contents; ///< updates the contents after a change of the moment, with a delay
    std::vector<std::uint32_t> m_active; ///< allocations that are active at the moment
    std::vector<StackUse> m_uses; ///< rows of the table
    std::optional<StackId> m_chosen;
    ContentStack* m_stack;
    QComboBox* m_chooser;
    QToolButton* m_peak;
    QToolButton* m_outOfMemory;
    QToolButton* m_end;
    QSlider* m_slider;
    QLabel* m_moment;
    QLabel* m_summary;
    BlockMap* m_map;
    CellTable* m_table;
    QPlainTextEdit* m_frames;
};

} // namespace collscope
