// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a person says of kernels, and what the window says of kernels that it may not have recognised.

#include "app/main_window.h"
#include "views/banner.h"
#include "views/format.h"
#include "views/kernel_rule_dialog.h"

#include <algorithm>

namespace collscope {

bool MainWindow::isKernelSelected() const
{
    const SliceRef slice = m_state.selectedSlice();
    return slice && !m_isPreview
        && m_state.model()->track(slice.track).slices.category[slice.row] == SliceCategory::Kernel;
}

/// Asks what kernels like the selected one do, and loads the run again with the answer.
void MainWindow::teachKernel()
{
    if (!isKernelSelected())
        return;
    auto* dialog = new KernelRuleDialog(*m_state.model(), m_state.selectedSlice(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_state, &ViewState::modelChanged, dialog, &QWidget::close); // it is about this run
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_banner->retract(QStringLiteral("kernelRule"));
        const QString failure = m_definitions.addKernelRule(dialog->rule());
        if (failure.isEmpty())
            reload();
        else
            m_banner->showMessage({BannerTone::Error, failure, QStringLiteral("kernelRule")});
    });
    dialog->open();
}

/// A run in which nothing was recognised as communication may still communicate.
void MainWindow::showUnrecognised()
{
    m_banner->retract(QStringLiteral("communication"));
    const auto& problems = m_state.model()->problems.entries();
    const auto unknown = std::find_if(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "communication_not_recognised";
    });
    if (unknown != problems.end())
        m_banner->showMessage(
            {BannerTone::Warning, toText(unknown->explanation), QStringLiteral("communication")});
}

} // namespace collscope
