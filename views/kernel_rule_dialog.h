// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "This is communication": a rule for kernels like one of the timeline.

#include "model/kernel_rules.h"
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
    /// Begins with a rule for the kernels of the same function as this slice.
    KernelRuleDialog(const TraceModel& model, SliceRef kernel, QWidget* parent = nullptr);

    KernelRule rule() const;

private:
    /// Says how many kernel names of the run the text is in.
    void count();

    std::vector<std::string> m_names; ///< of the run's kernels
    QLineEdit* m_text;
    QComboBox* m_class;
    QLabel* m_count;
    QPushButton* m_accept;
};

} // namespace collscope
