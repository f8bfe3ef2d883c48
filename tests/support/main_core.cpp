// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    int failed = 0;
    for (const collscope::TestFactory& make : collscope::testClasses())
        failed += QTest::qExec(make().get(), application.arguments());
    return failed == 0 ? 0 : 1;
}
