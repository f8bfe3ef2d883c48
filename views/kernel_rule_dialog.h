// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "Classify as communication": adds a rule for kernels like one in the timeline.

#include "model/building/kernel_rules.h"
#include "model/trace_model.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace collscope {

class KernelRuleDialog : public QDialog
{
    Q_OBJECT

public:
    /// Starts with a rule for the kernels of the same function as this slice.
    KernelRuleDialog(const TraceModel& model, SliceRef kernel, QWidget* parent = nullptr);

    KernelRule rule() const;

private:
    /// Shows how many kernel names of the run match the text.
    void count();

    std::vector<std::string> m_names; ///< of the run's kernels
    QLineEdit* m_text;
    QComboBox* m_class;
    QLabel* m_count;
    QPushButton* m_accept;
};

} // namespace collscope
