// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The program collscope-window: the whole command line, and the window.

#include "app/commands/run_command_line.h"
#include "app/program/qt_window_program.h"

#include <QCoreApplication>

int main(int argc, char* argv[])
{
    // The configuration folder has this name (app/files/user_folders.cpp).
    QCoreApplication::setOrganizationName(QStringLiteral("collscope"));
    QCoreApplication::setApplicationName(QStringLiteral("collscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(COLLSCOPE_VERSION));
    collscope::QtWindowProgram window(argc, argv);
    return collscope::runCommandLine(argc, argv, &window);
}
