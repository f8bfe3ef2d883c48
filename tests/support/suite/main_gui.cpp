// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite/suite.h"

#include <QApplication>
#include <QTemporaryDir>

int main(int argc, char** argv)
{
    // Tests never open a window on somebody's desktop.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Nor do they read or write what somebody has there.
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    qputenv("XDG_CACHE_HOME", home.path().toLocal8Bit());
    QApplication application(argc, argv);
    return collscope::runTests(application.arguments());
}
