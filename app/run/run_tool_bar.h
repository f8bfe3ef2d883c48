// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>

class QComboBox;
class QLabel;

namespace collscope {

class RunController;
struct WindowContext;

/// The toolbar of the run window: commands, and what of the run is shown. The window adds the search line.
class RunToolBar : public QToolBar
{
    Q_OBJECT

public:
    explicit RunToolBar(WindowContext& context, QWidget* parent = nullptr);
    /// Offers the iterations of the runs that are opened.
    void follow(RunController& run);

private:
    void addCommand(const QString& id, const QString& text, const QString& objectName = {});
    void addChoices();
    void fillSteps();
    void fillIterations();
    void showStep(int index);
    void showChosenStep();
    void updateRangeLabel();

    WindowContext& m_context;
    QComboBox* m_steps;
    QComboBox* m_iterations;
    QAction* m_iterationsAction;
    QLabel* m_rangeLabel;
};

} // namespace collscope
