// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/kernel_rule_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/window_context.h"
#include "app/run/run_controller.h"
#include "views/common/format.h"
#include "views/kernel_rule_dialog.h"
#include "views/widgets/banner.h"

#include <QMainWindow>
#include <QMenu>

namespace collscope {

KernelRuleController::KernelRuleController(WindowContext& context, RunController& run,
                                           MetricsController& metrics)
    : Controller(context)
    , m_run(run)
    , m_metrics(metrics)
{ }

void KernelRuleController::extend(QMenu& menu)
{
    if (isKernelSelected())
        menu.addAction(tr("Classify as communication\u2026"), this, &KernelRuleController::teach)
            ->setObjectName(QStringLiteral("classifyKernel"));
}

bool KernelRuleController::isKernelSelected() const
{
    const SliceRef slice = state().selection().slice();
    return slice && !context().run.isPreview
        && state().run().model()->track(slice.track).slices.category[slice.row] == SliceCategory::Kernel;
}

/// Asks for the class of kernels like the selected one, then reloads the run with the new rule.
void KernelRuleController::teach()
{
    if (!isKernelSelected())
        return;
    auto* dialog
        = new KernelRuleDialog(*state().run().model(), state().selection().slice(), &context().window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&state().run(), &RunContext::modelChanged, dialog,
            &QWidget::close); // the dialog is about this run
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        context().banner->retract(QStringLiteral("kernelRule"));
        const Status added = m_metrics.definitions().addKernelRule(dialog->rule());
        if (added)
            m_run.reload();
        else
            context().banner->showMessage(
                {BannerTone::Error, toText(added.error().message), QStringLiteral("kernelRule")});
    });
    dialog->open();
}

} // namespace collscope
