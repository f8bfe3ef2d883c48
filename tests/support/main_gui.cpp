// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite.h"

#include <QApplication>

int main(int argc, char** argv)
{
    // Tests never open a window on somebody's desktop.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    return collscope::runTests(application.arguments());
}
