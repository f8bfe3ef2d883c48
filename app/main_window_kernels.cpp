// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Kernel rules added by the user, and the notice about kernels that may not have been recognised.

#include "app/main_window.h"
#include "app/metrics_controller.h"
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

/// Asks for the class of kernels like the selected one, then reloads the run with the new rule.
void MainWindow::teachKernel()
{
    if (!isKernelSelected())
        return;
    auto* dialog = new KernelRuleDialog(*m_state.model(), m_state.selectedSlice(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_state, &ViewState::modelChanged, dialog, &QWidget::close); // the dialog is about this run
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_banner->retract(QStringLiteral("kernelRule"));
        const Status added = m_numbers->definitions().addKernelRule(dialog->rule());
        if (added)
            reload();
        else
            m_banner->showMessage(
                {BannerTone::Error, toText(added.error().message), QStringLiteral("kernelRule")});
    });
    dialog->open();
}

/// Shows a notice if no kernel was recognised as communication: the run may still communicate.
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
